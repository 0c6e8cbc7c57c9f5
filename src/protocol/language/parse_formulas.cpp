#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/language/parser.h"

namespace isoscope::protocol {

namespace {

Expr::Kind kind_of(Operator::Kind sign) {
  switch (sign) {
    case Operator::Kind::equivalence:
      return Expr::Kind::equivalence;
    case Operator::Kind::implication:
      return Expr::Kind::implication;
    case Operator::Kind::disjunction:
      return Expr::Kind::disjunction;
    case Operator::Kind::conjunction:
      return Expr::Kind::conjunction;
    case Operator::Kind::in:
      return Expr::Kind::one_of;
    case Operator::Kind::equal:
      return Expr::Kind::equal;
    case Operator::Kind::differ:
      return Expr::Kind::differ;
    default:
      ISOSCOPE_ENSURE(false);  // the lexer knows no other
      return Expr::Kind::none;
  }
}

}  // namespace

Result<ExprPtr> Parser::tree(Expr expr) const {
  for (const ExprPtr& child : expr.children) expr.height = std::max(expr.height, child->height + 1);
  if (expr.height > max_nesting) return too_deep(expr.where);
  return ExprPtr(std::make_unique<Expr>(std::move(expr)));
}

Result<ExprPtr> Parser::right_operand(const Operator& sign) {
  return sign.kind == Operator::Kind::in ? value_set() : binary(right_of(sign));
}

Result<ExprPtr> Parser::join(const Operator& sign, Position where, std::vector<ExprPtr> operands) {
  Expr result;
  result.kind = kind_of(sign.kind);
  result.sign = where;
  result.where = operands[0]->where;
  if (result.kind == Expr::Kind::one_of) {
    result.values = operands[1]->values;
    operands.pop_back();
  }
  result.children = std::move(operands);
  return tree(std::move(result));
}

Result<ExprPtr> Parser::value_set() {
  Expr result = node_at<Expr>(Expr::Kind::none, peek());
  ISOSCOPE_TRY_STATUS(expect("{", "and values after `in`"));
  do {
    ISOSCOPE_TRY(value, name("a value"));
    result.values.push_back(std::move(value));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect("}", "or `,` after a value"));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::operand() {
  const Token& token = peek();
  if (token.is("forall")) return quantified(Expr::Kind::for_all);
  if (token.is("exists")) return quantified(Expr::Kind::exists);
  if (token.is("no")) return quantified(Expr::Kind::no);
  if (!token.is("not")) return primary();
  Expr result = node_at<Expr>(Expr::Kind::negation, take());
  ISOSCOPE_TRY(child, binary(Binding::comparison));
  result.children.push_back(std::move(child));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::quantified(Expr::Kind kind) {
  Expr result = node_at<Expr>(kind, take());
  ISOSCOPE_TRY(variables, binders());
  result.binders = std::move(variables);
  ISOSCOPE_TRY_STATUS(expect(".", "and a formula after the variables"));
  ISOSCOPE_TRY(body, formula());
  result.children.push_back(std::move(body));
  return tree(std::move(result));
}

Result<std::vector<Binder>> Parser::binders() {
  std::vector<Binder> result;
  do {
    const std::size_t group = result.size();
    do {
      ISOSCOPE_TRY(variable, name("the name of a variable"));
      result.push_back({std::move(variable), Sort::transaction});
    } while (take_if(","));
    ISOSCOPE_TRY_STATUS(expect(":", "and a sort after the name of a variable"));
    ISOSCOPE_TRY(of, sort());
    for (std::size_t i = group; i < result.size(); ++i) result[i].sort = of;
  } while (take_if(","));
  return result;
}

Result<Sort> Parser::sort() {
  if (take_if("client")) return Sort::client;
  if (take_if("key")) return Sort::key;
  if (take_if("transaction")) return Sort::transaction;
  return unexpected("`client`, `key` or `transaction`");
}

Status Parser::arguments(std::vector<ExprPtr>& result) {
  do {
    if (nesting_ >= max_nesting) return too_deep(peek().where);
    ++nesting_;
    ISOSCOPE_TRY(argument, term());
    --nesting_;
    result.push_back(std::move(argument));
  } while (take_if(","));
  return expect(")", "or `,` after an argument");
}

Result<ExprPtr> Parser::primary() {
  const Token token = peek();
  if (token.is("(")) {
    take();
    ISOSCOPE_TRY(inner, formula());
    ISOSCOPE_TRY_STATUS(expect(")", "or an operator"));
    return inner;
  }
  if (token.is("none")) return tree(node_at<Expr>(Expr::Kind::none, take()));
  if (token.is("initial")) return tree(node_at<Expr>(Expr::Kind::initial, take()));
  if (token.is("true") || token.is("false")) {
    Expr result = node_at<Expr>(Expr::Kind::truth, take());
    result.truth = token.is("true");
    return tree(std::move(result));
  }
  const bool built_in = token.is("owner") || token.is("so");
  if (token.kind != Token::Kind::word || (is_reserved(token.text) && !built_in))
    return unexpected("a formula or a term");
  Expr result = node_at<Expr>(Expr::Kind::name, token);
  ISOSCOPE_TRY(named, dotted_name("a formula or a term"));
  result.name = std::move(named.text);
  if (take_if("(", Token::Role::attached)) {
    result.kind = Expr::Kind::apply;
    ISOSCOPE_TRY_STATUS(arguments(result.children));
  }
  return tree(std::move(result));
}

}  // namespace isoscope::protocol
