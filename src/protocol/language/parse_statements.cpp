#include <algorithm>
#include <array>

#include "protocol/language/parser.h"

namespace isoscope::protocol {

namespace {

struct Keyword {
  std::string_view word;
  Statement::Kind kind;
};

constexpr std::array<Keyword, 19> keywords = {{
    {"title", Statement::Kind::title},
    {"cite", Statement::Kind::cite},
    {"claims", Statement::Kind::claims},
    {"enum", Statement::Kind::enumeration},
    {"order", Statement::Kind::order},
    {"constant", Statement::Kind::constant},
    {"state", Statement::Kind::state},
    {"history", Statement::Kind::history},
    {"versions", Statement::Kind::versions},
    {"participants", Statement::Kind::participants},
    {"def", Statement::Kind::def},
    {"event", Statement::Kind::event},
    {"observe", Statement::Kind::observe},
    {"map", Statement::Kind::map},
    {"view", Statement::Kind::view},
    {"auxiliary", Statement::Kind::auxiliary},
    {"witness", Statement::Kind::witness},
    {"refines", Statement::Kind::refines},
    {"invariant", Statement::Kind::invariant},
}};

}  // namespace

Result<Name> Parser::dotted_name(std::string_view what) {
  ISOSCOPE_TRY(result, free_name(what));
  if (take_if(".", Token::Role::joint)) {
    ISOSCOPE_TRY(part, free_name("`installed`, `before`, `reader` or `last`"));
    result.text += "." + part.text;
  }
  return result;
}

Result<Syntax> Parser::run() {
  Syntax result;
  while (!is_at_end()) {
    ISOSCOPE_TRY(next, statement());
    result.statements.push_back(std::move(next));
  }
  result.tokens = finished();
  return result;
}

Result<Statement> Parser::statement() {
  const auto found = std::find_if(keywords.begin(), keywords.end(),
                                  [&](const Keyword& k) { return peek().is(k.word); });
  if (found == keywords.end()) {
    return unexpected(is_at_start() ? "a statement (title, enum, state, event ...)"
                                    : "an operator or a new statement");
  }
  Statement result;
  result.where = take().where;
  result.kind = found->kind;
  ISOSCOPE_TRY_STATUS(fill(result));
  return result;
}

Status Parser::fill(Statement& result) {
  const auto take_name = [&](std::string_view what) -> Status {
    ISOSCOPE_TRY(taken, name(what));
    result.name = std::move(taken);
    return Done{};
  };
  const auto take_string = [&](std::string_view what) -> Status {
    ISOSCOPE_TRY(taken, string(what));
    result.name = std::move(taken);
    return Done{};
  };
  const auto take_clauses = [&](std::string_view what, bool many) -> Status {
    do {
      ISOSCOPE_TRY(next, clause(what));
      result.clauses.push_back(std::move(next));
    } while (many && take_if(","));
    return Done{};
  };
  switch (result.kind) {
    case Statement::Kind::title:
      return take_string("the title, in double quotes");
    case Statement::Kind::cite:
      return take_string("the citation, in double quotes");
    case Statement::Kind::claims:
      do {
        ISOSCOPE_TRY(level, free_name("the name of a level"));
        result.names.push_back(std::move(level));
      } while (take_if(","));
      return Done{};
    case Statement::Kind::enumeration:
      return enumeration(result);
    case Statement::Kind::order:
      return take_name("the order's name");
    case Statement::Kind::versions:
      return take_name("the name of the version lists");
    case Statement::Kind::participants:
      return take_name("the name of a relation");
    case Statement::Kind::constant:
    case Statement::Kind::state:
    case Statement::Kind::history:
      return component(result);
    case Statement::Kind::def:
      return definition(result);
    case Statement::Kind::event:
      return event(result);
    case Statement::Kind::observe:
      return observe(result);
    case Statement::Kind::map:
      return take_clauses("`installed`, `before`, `reader` or `sees`", false);
    case Statement::Kind::view:
    case Statement::Kind::auxiliary:
      return take_clauses("the name of an event that commits", false);
    case Statement::Kind::witness:
      return take_clauses("`order` or `sees`", true);
    case Statement::Kind::refines:
      return refines(result);
    case Statement::Kind::invariant: {
      ISOSCOPE_TRY(invariant_name, free_name("the invariant's name"));
      result.name = std::move(invariant_name);
      ISOSCOPE_TRY_STATUS(expect(":", "after the invariant's name"));
      ISOSCOPE_TRY(body, formula());
      result.body = std::move(body);
      return Done{};
    }
  }
  return Done{};
}

Status Parser::enumeration(Statement& result) {
  ISOSCOPE_TRY(type_name, name("the enumeration's name"));
  result.name = std::move(type_name);
  ISOSCOPE_TRY_STATUS(expect("{", "and values after the enumeration's name"));
  do {
    ISOSCOPE_TRY(value, name("a value"));
    result.names.push_back(std::move(value));
  } while (take_if(","));
  return expect("}", "or `,` after a value");
}

Result<TypeName> Parser::type() {
  TypeName result;
  result.name.where = peek().where;
  if (take_if("bool")) return result;
  if (take_if("transaction")) {
    const bool optional = take_if("?", Token::Role::attached);
    result.kind = optional ? TypeName::Kind::reference : TypeName::Kind::total_reference;
    return result;
  }
  if (peek().kind == Token::Kind::word && is_reserved(peek().text)) {
    return unexpected("`bool`, the name of an enumeration, `transaction` or `transaction?`");
  }
  result.kind = TypeName::Kind::enumeration;
  ISOSCOPE_TRY(type_name,
               name("`bool`, the name of an enumeration, `transaction` or `transaction?`"));
  result.name = std::move(type_name);
  return result;
}

Status Parser::component(Statement& result) {
  ISOSCOPE_TRY(component_name, name("the name of a part of the state"));
  result.name = std::move(component_name);
  ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and parameters after the name"));
  do {
    Binder parameter;
    parameter.name.where = peek().where;
    ISOSCOPE_TRY(of, sort());
    parameter.sort = of;
    if (!peek().is(",") && !peek().is(")")) {
      ISOSCOPE_TRY(parameter_name, name("`,`, `)` or the name of a parameter"));
      parameter.name = std::move(parameter_name);
    }
    result.parameters.push_back(std::move(parameter));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect(")", "or `,` after a parameter"));
  ISOSCOPE_TRY_STATUS(expect(":", Token::Role::type_colon, "and a type after the parameters"));
  ISOSCOPE_TRY(of_type, type());
  result.type = std::move(of_type);
  if (result.kind == Statement::Kind::constant) return Done{};
  ISOSCOPE_TRY_STATUS(expect("=", "and the value at the start after the type"));
  ISOSCOPE_TRY(body, formula());
  result.body = std::move(body);
  return Done{};
}

Status Parser::definition(Statement& result) {
  ISOSCOPE_TRY(def_name, name("the name to define"));
  result.name = std::move(def_name);
  if (take_if("(", Token::Role::attached)) {
    ISOSCOPE_TRY(parameters, binders());
    result.parameters = std::move(parameters);
    ISOSCOPE_TRY_STATUS(expect(")", "or `,` after a parameter"));
  }
  ISOSCOPE_TRY_STATUS(expect("=", "after the name to define"));
  ISOSCOPE_TRY(body, formula());
  result.body = std::move(body);
  return Done{};
}

Result<std::vector<Name>> Parser::variables() {
  std::vector<Name> result;
  ISOSCOPE_TRY_STATUS(expect("(", Token::Role::attached, "and the names of variables"));
  do {
    ISOSCOPE_TRY(variable, name("the name of a variable"));
    result.push_back(std::move(variable));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect(")", "or `,` after the name of a variable"));
  return result;
}

Result<Clause> Parser::clause(std::string_view what) {
  Clause result;
  ISOSCOPE_TRY_STATUS(heading(result, free_name(what)));
  ISOSCOPE_TRY_STATUS(expect("=", "and a formula"));
  ISOSCOPE_TRY(body, formula());
  result.body = std::move(body);
  return result;
}

Status Parser::observe(Statement& result) {
  ISOSCOPE_TRY(variable, binders());
  result.parameters = std::move(variable);
  ISOSCOPE_TRY_STATUS(expect("{", "after the variable of `observe`"));
  while (!peek().is("}")) {
    Clause next;
    const Token what = peek();
    next.name = {std::string(what.text), what.where};
    if (!what.is("committed") && !what.is("reads") && !what.is("writes"))
      return unexpected("`committed`, `reads`, `writes` or `}`");
    mark(Token::Role::clause);
    take();
    if (!what.is("committed")) {
      ISOSCOPE_TRY(key, name("the name of a variable, a key"));
      next.variables.push_back(std::move(key));
    }
    if (what.is("reads")) {
      ISOSCOPE_TRY_STATUS(expect("from", "and a variable, the writer"));
      ISOSCOPE_TRY(writer, name("the name of a variable, the writer"));
      next.variables.push_back(std::move(writer));
    }
    ISOSCOPE_TRY_STATUS(expect("when", "and a formula"));
    ISOSCOPE_TRY(body, formula());
    next.body = std::move(body);
    result.clauses.push_back(std::move(next));
  }
  return expect("}", Token::Role::closing, "at the end of `observe`");
}

Result<Syntax> parse_protocol(const std::string& name, std::string_view text) {
  ISOSCOPE_TRY(tokens, split_into_tokens(name, text));
  return Parser(name, std::move(tokens)).run();
}

}  // namespace isoscope::protocol
