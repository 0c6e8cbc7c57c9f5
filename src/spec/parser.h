#pragma once

#include <string>
#include <string_view>

#include "isoscope/base/operator_parser.h"
#include "spec/syntax.h"

namespace isoscope::spec {

/// parse_statements.cpp has the statements, parse_expressions.cpp the rest.
class Parser : OperatorParser<Parser, ExprPtr> {
 public:
  /// The tokens are of `text`; they get their roles here.
  Parser(const LevelText& text, Tokens tokens)
      : OperatorParser(text.name, std::move(tokens), is_reserved) {}

  Result<Syntax> level();
  Result<Syntax> formula_text();

 private:
  friend OperatorParser;

  // Statements.
  Result<Statement> statement();
  Status witness(Statement& result);
  Status definition(Statement& result);
  Status canonical(Statement& result);
  Result<Parameter> parameter();
  Result<Witness::Kind> witness_kind();

  // Expressions.
  Result<ExprPtr> formula();
  Result<ExprPtr> expression();
  /// What stands between brackets, or (before_brace) between `within` and its `{`.
  Result<ExprPtr> enclosed(Result<ExprPtr> (Parser::*inner)(), bool before_brace = false);
  Result<ExprPtr> operand();
  Result<ExprPtr> right_operand(const Operator& sign) { return binary(right_of(sign)); }
  Result<ExprPtr> join(const Operator& sign, Position where, std::vector<ExprPtr> operands);
  Result<ExprPtr> prefixed(Expr::Kind kind, Binding loosest);
  Result<ExprPtr> total_order();
  Result<ExprPtr> quantified(Expr::Kind kind);
  Result<ExprPtr> within();
  Result<ExprPtr> postfixed();
  Result<ExprPtr> primary();
  Result<ExprPtr> application();
  Result<ExprPtr> comprehension();
  Result<Binders> binders(bool may_have_bound);
  Result<Sort> sort();
  bool starts_operand(const Token& token) const;
  /// The tree of this node; an Error if it is too high.
  Result<ExprPtr> tree(Expr expr) const;

  bool before_brace_ = false;  // a `{` that comes next starts the formula of `within`, no operand
};

}  // namespace isoscope::spec
