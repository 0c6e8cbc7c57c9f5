#include "protocol/language/parser.h"

namespace isoscope::protocol {

Status Parser::event(Statement& result) {
  ISOSCOPE_TRY(event_name, free_name("the event's name"));
  result.name = std::move(event_name);
  ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and parameters after the event's name"));
  ISOSCOPE_TRY(parameters, binders());
  result.parameters = std::move(parameters);
  ISOSCOPE_TRY_STATUS(expect(")", "or `,` after a parameter"));
  ISOSCOPE_TRY_STATUS(expect("at", "and whose step it is: a client or a key"));
  ISOSCOPE_TRY(whose, name("a parameter, a client or a key"));
  result.at = std::move(whose);
  ISOSCOPE_TRY_STATUS(annotations(result));
  if (take_if("when", Token::Role::clause)) {
    ISOSCOPE_TRY(guard, formula());
    result.body = std::move(guard);
  }
  if (!take_if("then", Token::Role::clause)) return Done{};
  do {
    ISOSCOPE_TRY(next, update());
    result.updates.push_back(std::move(next));
  } while (take_if(","));
  return Done{};
}

Status Parser::annotations(Statement& result) {
  while (true) {
    const Token word = peek();
    std::optional<Name>* place = word.is("begins")    ? &result.begins
                                 : word.is("commits") ? &result.commits
                                 : word.is("answers") ? &result.answers
                                                      : nullptr;
    if (place == nullptr) return Done{};
    take();
    if (*place) return error_at(word.where, "expected one " + describe(word) + ", found a second");
    ISOSCOPE_TRY(parameter, name("a parameter, the transaction"));
    *place = std::move(parameter);
  }
}

Result<UpdateText> Parser::update() {
  UpdateText result;
  result.where = peek().where;
  if (take_if("for")) {
    ISOSCOPE_TRY(variables, binders());
    result.binders = std::move(variables);
    ISOSCOPE_TRY_STATUS(expect(":", "and an update after the variables"));
  }
  // `append` and `read` can be names, too: then a bracket follows, not a word.
  const bool is_word = peek().is("append") || peek().is("read");
  if (is_word && peek(1).kind == Token::Kind::word) {
    ISOSCOPE_TRY_STATUS(change_versions(result));
  } else {
    ISOSCOPE_TRY_STATUS(assign(result));
  }
  return result;
}

Status Parser::assign(UpdateText& result) {
  result.kind = UpdateText::Kind::assign;
  if (peek().kind == Token::Kind::word && is_reserved(peek().text))
    return unexpected("an update: a part of the state, `for`, `append` or `read`");
  ISOSCOPE_TRY(target, dotted_name("an update: a part of the state, `for`, `append` or `read`"));
  result.target = std::move(target);
  ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and where in it"));
  ISOSCOPE_TRY_STATUS(arguments(result.index));
  ISOSCOPE_TRY_STATUS(expect(":=", "and a value"));
  return cases(result.cases);
}

Status Parser::cases(std::vector<UpdateText::Case>& result) {
  while (true) {
    UpdateText::Case next;
    ISOSCOPE_TRY(value, formula());
    next.value = std::move(value);
    const bool conditional = take_if("if");
    if (conditional) {
      ISOSCOPE_TRY(condition, formula());
      next.condition = std::move(condition);
    }
    result.push_back(std::move(next));
    if (!conditional || !take_if("else")) return Done{};
  }
}

Status Parser::change_versions(UpdateText& result) {
  result.kind = take().is("append") ? UpdateText::Kind::append : UpdateText::Kind::read;
  ISOSCOPE_TRY(target, name("the name of version lists"));
  result.target = std::move(target);
  ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and a key"));
  ISOSCOPE_TRY_STATUS(arguments(result.index));
  UpdateText::Case only;
  ISOSCOPE_TRY(version, term());
  only.value = std::move(version);
  if (result.kind == UpdateText::Kind::read) {
    ISOSCOPE_TRY_STATUS(expect("by", "and the reader"));
    ISOSCOPE_TRY(reader, term());
    result.reader = std::move(reader);
  }
  if (take_if("if")) {
    ISOSCOPE_TRY(condition, formula());
    only.condition = std::move(condition);
  }
  result.cases.push_back(std::move(only));
  return Done{};
}

}  // namespace isoscope::protocol
