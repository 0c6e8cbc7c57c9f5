#pragma once

#include <string>
#include <string_view>

#include "isoscope/base/operator_parser.h"
#include "protocol/language/syntax.h"

namespace isoscope::protocol {

/// parse_statements.cpp has the statements, parse_events.cpp and parse_refines.cpp larger ones,
/// parse_formulas.cpp the rest.
class Parser : OperatorParser<Parser, ExprPtr> {
 public:
  /// The tokens get their roles here. `name` is the text's, for errors.
  Parser(const std::string& name, Tokens tokens)
      : OperatorParser(name, std::move(tokens), is_reserved) {}

  Result<Syntax> run();

 private:
  friend OperatorParser;

  // Statements.
  Result<Statement> statement();
  Status fill(Statement& result);
  Status enumeration(Statement& result);
  Status component(Statement& result);
  Status definition(Statement& result);
  Status observe(Statement& result);
  Result<TypeName> type();
  Result<Clause> clause(std::string_view what);
  Result<std::vector<Name>> variables();
  /// What a clause and the lines of `refines` begin with: a name, and variables in brackets.
  template <class Text>
  Status heading(Text& result, Result<Name> named) {
    if (!named) return named.error();
    result.name = *std::move(named);
    ISOSCOPE_TRY(names, variables());
    result.variables = std::move(names);
    return Done{};
  }

  // What a model refines.
  Status refines(Statement& result);
  Status component_map(Statement& result);
  Status event_map(Statement& result);

  // Events.
  Status event(Statement& result);
  Status annotations(Statement& result);
  Result<UpdateText> update();
  Status assign(UpdateText& result);
  /// `V if F else W`
  Status cases(std::vector<UpdateText::Case>& result);
  Status change_versions(UpdateText& result);

  // Formulas.
  Result<ExprPtr> formula() { return binary(loosest_binding); }
  /// A term, or the application of a component.
  Result<ExprPtr> term() { return primary(); }
  Result<ExprPtr> operand();
  Result<ExprPtr> right_operand(const Operator& sign);
  Result<ExprPtr> join(const Operator& sign, Position where, std::vector<ExprPtr> operands);
  Result<ExprPtr> quantified(Expr::Kind kind);
  Result<ExprPtr> primary();
  Status arguments(std::vector<ExprPtr>& result);
  /// `{ idle, done }` after `in`, as a node that join() takes apart.
  Result<ExprPtr> value_set();
  /// `k: key, t, u: transaction`
  Result<std::vector<Binder>> binders();
  Result<Sort> sort();
  /// The tree of this node; an Error if it is too high.
  Result<ExprPtr> tree(Expr expr) const;

  /// `log` or `log.last`.
  Result<Name> dotted_name(std::string_view what);
};

}  // namespace isoscope::protocol
