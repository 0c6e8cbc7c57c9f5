#pragma once

#include <string>
#include <string_view>

#include "spec/syntax.h"

namespace isoscope::spec {

/// Recursive descent; the binary operators by precedence climbing. parse_statements.cpp has the
/// statements, parse_expressions.cpp the rest.
class Parser {
 public:
  /// The tokens are of `text`; they get their roles here.
  Parser(const LevelText& text, Tokens tokens) : source_(text), tokens_(std::move(tokens)) {}

  Result<Syntax> level();
  Result<Syntax> formula_text();

 private:
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
  Result<ExprPtr> binary(int loosest);
  Result<ExprPtr> operand();
  Result<ExprPtr> prefixed(Expr::Kind kind, int loosest);
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

  // Tokens.
  const Token& peek(std::size_t ahead = 0) const;
  Token take() { return tokens_.tokens[at_ + 1 < tokens_.tokens.size() ? at_++ : at_]; }
  bool take_if(std::string_view sign_or_word);
  Status expect(std::string_view sign_or_word, std::string_view where);
  Result<Name> name(std::string_view what);
  /// Any word, reserved or not: where only a name can stand, it cannot be mistaken.
  Result<Name> free_name(std::string_view what);
  Result<Name> string(std::string_view what);
  void mark(Token::Role role) { tokens_.tokens[at_].role = role; }

  Error unexpected(std::string_view expected) const;
  Error error_at(Position where, std::string what) const {
    return {std::move(what), source_.name, where};
  }
  Error too_deep(Position where) const;

  const LevelText& source_;
  Tokens tokens_;
  std::size_t at_ = 0;
  unsigned nesting_ = 0;
  bool before_brace_ = false;  // a `{` that comes next starts the formula of `within`, no operand
};

}  // namespace isoscope::spec
