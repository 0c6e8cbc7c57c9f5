#include <algorithm>

#include "spec/parser.h"

namespace isoscope::spec {

Result<Syntax> Parser::level() {
  Syntax result;
  while (!is_at_end()) {
    ISOSCOPE_TRY(next, statement());
    result.statements.push_back(std::move(next));
  }
  result.tokens = finished();
  return result;
}

Result<Syntax> Parser::formula_text() {
  Syntax result;
  while (peek().is("include") || peek().is("def")) {
    ISOSCOPE_TRY(next, statement());
    result.statements.push_back(std::move(next));
  }
  ISOSCOPE_TRY(body, formula());
  if (!is_at_end()) return unexpected("the end of the formula");
  result.formula = std::move(body);
  result.tokens = finished();
  return result;
}

Result<Statement> Parser::statement() {
  Statement result;
  result.where = peek().where;
  if (peek().is("title") || peek().is("cite")) {
    const bool is_title = take().is("title");
    result.kind = is_title ? Statement::Kind::title : Statement::Kind::cite;
    ISOSCOPE_TRY(
        text, string(is_title ? "the title, in double quotes" : "the citation, in double quotes"));
    result.name = std::move(text);
  } else if (take_if("include")) {
    result.kind = Statement::Kind::include;
    ISOSCOPE_TRY(text, string("the name of a level text, in double quotes"));
    result.name = std::move(text);
  } else if (take_if("defines")) {
    result.kind = Statement::Kind::defines;
    ISOSCOPE_TRY(level_name, free_name("the name of a level of the catalogue"));
    result.name = std::move(level_name);
  } else if (take_if("witness")) {
    result.kind = Statement::Kind::witness;
    ISOSCOPE_TRY_STATUS(witness(result));
  } else if (take_if("def")) {
    result.kind = Statement::Kind::def;
    ISOSCOPE_TRY_STATUS(definition(result));
  } else if (take_if("axiom")) {
    result.kind = Statement::Kind::axiom;
    ISOSCOPE_TRY(axiom_name, free_name("the axiom's name"));
    ISOSCOPE_TRY_STATUS(expect(":", "after the axiom's name"));
    ISOSCOPE_TRY(body, formula());
    result.name = std::move(axiom_name);
    result.body = std::move(body);
  } else if (take_if("canonical")) {
    result.kind = Statement::Kind::canonical;
    ISOSCOPE_TRY_STATUS(canonical(result));
  } else {
    return unexpected(
        is_at_start()
            ? "a statement (title, cite, defines, include, witness, def, axiom or canonical)"
            : "an operator or a new statement");
  }
  return result;
}

Status Parser::witness(Statement& result) {
  ISOSCOPE_TRY(witness_name, name("the witness's name"));
  result.name = std::move(witness_name);
  ISOSCOPE_TRY_STATUS(expect(":", Token::Role::type_colon, "after the witness's name"));
  ISOSCOPE_TRY(kind, witness_kind());
  result.witness = kind;
  if (take_if("from")) {
    ISOSCOPE_TRY(bound, expression());
    result.body = std::move(bound);
  }
  if (take_if("to")) {
    ISOSCOPE_TRY(bound, expression());
    result.at_most = std::move(bound);
  }
  return Done{};
}

Result<Witness::Kind> Parser::witness_kind() {
  const auto take_pair = [this](std::string_view first, std::string_view second) {
    if (!peek().is(first) || !peek(1).is(second)) return false;
    take();
    take();
    return true;
  };
  if (take_if("relation")) return Witness::Kind::relation;
  if (take_pair("total", "order")) return Witness::Kind::total_order;
  if (take_pair("version", "order")) return Witness::Kind::version_order;
  if (peek().is("set") && peek(1).is("of") && (peek(2).is("transactions") || peek(2).is("keys"))) {
    take();
    take();
    return take().is("keys") ? Witness::Kind::key_set : Witness::Kind::transaction_set;
  }
  return unexpected(
      "`total order`, `relation`, `version order`, `set of transactions` or `set of keys`");
}

Result<Parameter> Parser::parameter() {
  Parameter result;
  ISOSCOPE_TRY(parameter_name, name("the name of a parameter"));
  result.name = std::move(parameter_name);
  ISOSCOPE_TRY_STATUS(expect(":", "after the parameter's name"));
  if (peek().is("transaction") || peek().is("key")) {
    result.element = true;
    result.type = set_of(take().is("key") ? Sort::key : Sort::transaction);
  } else if (take_if("relation")) {
    result.type = {Type::Kind::relation};
  } else if (peek().is("set") && peek(1).is("of") &&
             (peek(2).is("transactions") || peek(2).is("keys"))) {
    take();
    take();
    result.type = set_of(take().is("keys") ? Sort::key : Sort::transaction);
  } else {
    return unexpected("`transaction`, `key`, `set of transactions`, `set of keys` or `relation`");
  }
  return result;
}

Status Parser::definition(Statement& result) {
  ISOSCOPE_TRY(def_name, name("the name to define"));
  result.name = std::move(def_name);
  if (peek().is("(")) {
    mark(Token::Role::attached);
    take();
    do {
      ISOSCOPE_TRY(next, parameter());
      result.parameters.push_back(std::move(next));
    } while (take_if(","));
    ISOSCOPE_TRY_STATUS(expect(")", "or `,` after a parameter"));
  }
  ISOSCOPE_TRY_STATUS(expect("=", "after the name to define"));
  ISOSCOPE_TRY(body, formula());
  result.body = std::move(body);
  return Done{};
}

Status Parser::canonical(Statement& result) {
  do {
    ISOSCOPE_TRY(witness_name, name("the name of a witness"));
    ISOSCOPE_TRY_STATUS(expect("=", "after the witness's name"));
    ISOSCOPE_TRY(value, expression());
    result.values.push_back({std::move(witness_name), std::move(value)});
  } while (take_if(","));
  return Done{};
}

Result<Syntax> parse_level(const LevelText& text) {
  ISOSCOPE_TRY(tokens, split_into_tokens(text));
  return Parser(text, std::move(tokens)).level();
}

Result<Syntax> parse_formula(const LevelText& text) {
  ISOSCOPE_TRY(tokens, split_into_tokens(text));
  return Parser(text, std::move(tokens)).formula_text();
}

}  // namespace isoscope::spec
