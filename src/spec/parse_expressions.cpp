#include <algorithm>
#include <utility>

#include "spec/parser.h"

namespace isoscope::spec {

namespace {

/// The whole of an expression, as opposed to a formula.
constexpr Binding expression_binding = Binding::unite;

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
      return Expr::Kind::subset;
    case Operator::Kind::equal:
      return Expr::Kind::equal;
    case Operator::Kind::differ:
      return Expr::Kind::differ;
    case Operator::Kind::unite:
      return Expr::Kind::unite;
    case Operator::Kind::intersect:
      return Expr::Kind::intersect;
    case Operator::Kind::subtract:
      return Expr::Kind::subtract;
    case Operator::Kind::compose:
      return Expr::Kind::compose;
    case Operator::Kind::restrict_domain:
      return Expr::Kind::restrict_domain;
    case Operator::Kind::restrict_range:
      return Expr::Kind::restrict_range;
    case Operator::Kind::product:
      return Expr::Kind::product;
  }
  return Expr::Kind::none;
}

}  // namespace

Result<ExprPtr> Parser::tree(Expr expr) const {
  for (const ExprPtr& child : expr.children) expr.height = std::max(expr.height, child->height + 1);
  for (const Binders& group : expr.binders) {
    if (group.bound) expr.height = std::max(expr.height, group.bound->height + 1);
  }
  if (expr.height > max_nesting) return too_deep(expr.where);
  return ExprPtr(std::make_unique<Expr>(std::move(expr)));
}

Result<ExprPtr> Parser::formula() { return binary(loosest_binding); }

Result<ExprPtr> Parser::expression() { return binary(expression_binding); }

Result<ExprPtr> Parser::enclosed(Result<ExprPtr> (Parser::*inner)(), bool before_brace) {
  const bool outside = std::exchange(before_brace_, before_brace);
  Result<ExprPtr> result = (this->*inner)();
  before_brace_ = outside;
  return result;
}

Result<ExprPtr> Parser::join(const Operator& sign, Position where, std::vector<ExprPtr> operands) {
  Expr result;
  result.kind = kind_of(sign.kind);
  result.sign = where;
  result.where = operands[0]->where;
  result.children = std::move(operands);
  return tree(std::move(result));
}

Result<ExprPtr> Parser::operand() {
  const Token& token = peek();
  if (token.is("not")) return prefixed(Expr::Kind::negation, Binding::comparison);
  if (token.is("some")) return prefixed(Expr::Kind::some, expression_binding);
  if (token.is("no")) return prefixed(Expr::Kind::no, expression_binding);
  if (token.is("acyclic")) return prefixed(Expr::Kind::acyclic, expression_binding);
  if (token.is("irreflexive")) return prefixed(Expr::Kind::irreflexive, expression_binding);
  if (token.is("total")) return total_order();
  if (token.is("forall")) return quantified(Expr::Kind::for_all);
  if (token.is("exists")) return quantified(Expr::Kind::exists);
  if (token.is("within")) return within();
  return postfixed();
}

Result<ExprPtr> Parser::prefixed(Expr::Kind kind, Binding loosest) {
  Expr result = node_at<Expr>(kind, take());
  ISOSCOPE_TRY(child, binary(loosest));
  result.children.push_back(std::move(child));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::total_order() {
  Expr result = node_at<Expr>(Expr::Kind::total_order, take());
  ISOSCOPE_TRY_STATUS(expect("order", "after `total`"));
  ISOSCOPE_TRY(relation, expression());
  ISOSCOPE_TRY_STATUS(expect("on", "and a set after the relation of `total order`"));
  ISOSCOPE_TRY(set, expression());
  result.children.push_back(std::move(relation));
  result.children.push_back(std::move(set));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::within() {
  Expr result = node_at<Expr>(Expr::Kind::within, take());
  ISOSCOPE_TRY(set, enclosed(&Parser::expression, true));
  ISOSCOPE_TRY_STATUS(expect("{", "and a formula after the set of `within`"));
  ISOSCOPE_TRY(body, enclosed(&Parser::formula));
  ISOSCOPE_TRY_STATUS(expect("}", "after the formula of `within`"));
  result.children.push_back(std::move(set));
  result.children.push_back(std::move(body));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::quantified(Expr::Kind kind) {
  Expr result = node_at<Expr>(kind, take());
  do {
    ISOSCOPE_TRY(group, binders(true));
    result.binders.push_back(std::move(group));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect(".", "and a formula after the variables"));
  ISOSCOPE_TRY(body, formula());
  result.children.push_back(std::move(body));
  return tree(std::move(result));
}

Result<Binders> Parser::binders(bool may_have_bound) {
  Binders result;
  do {
    ISOSCOPE_TRY(variable, name("the name of a variable"));
    result.names.push_back(std::move(variable));
  } while (take_if(","));
  if (may_have_bound && take_if("in")) {
    ISOSCOPE_TRY(bound, expression());
    result.bound = std::move(bound);
    return result;
  }
  ISOSCOPE_TRY_STATUS(expect(":", may_have_bound ? "and a sort, or `in` and a set" : "and a sort"));
  ISOSCOPE_TRY(of, sort());
  result.sort = of;
  return result;
}

Result<Sort> Parser::sort() {
  if (take_if("transaction")) return Sort::transaction;
  if (take_if("key")) return Sort::key;
  return unexpected("`transaction` or `key`");
}

bool Parser::starts_operand(const Token& token) const {
  if (token.kind == Token::Kind::word) {
    return !is_reserved(token.text) || token.is("transaction") || token.is("key") ||
           token.is("none") || token.is("order");
  }
  return token.is("(") || token.is("[") || (token.is("{") && !before_brace_);
}

Result<ExprPtr> Parser::postfixed() {
  ISOSCOPE_TRY(result, primary());
  while (true) {
    const Token token = peek();
    Expr::Kind kind{};
    if (token.is("+")) {
      kind = Expr::Kind::closure;
    } else if (token.is("?")) {
      kind = Expr::Kind::optional;
    } else if (token.is("^-1")) {
      kind = Expr::Kind::transpose;
    } else if (token.is("*") && !starts_operand(peek(1))) {
      kind = Expr::Kind::star;
    } else if (token.is("[")) {
      kind = Expr::Kind::slice;
    } else {
      return result;
    }
    mark(Token::Role::attached);
    Expr next = node_at<Expr>(kind, take());
    next.where = result->where;
    next.children.push_back(std::move(result));
    if (kind == Expr::Kind::slice) {
      ISOSCOPE_TRY(key, enclosed(&Parser::expression));
      next.children.push_back(std::move(key));
      ISOSCOPE_TRY_STATUS(expect("]", "after the key of a slice"));
    }
    ISOSCOPE_TRY(joined, tree(std::move(next)));
    result = std::move(joined);
  }
}

Result<ExprPtr> Parser::primary() {
  const Token token = peek();
  if (token.is("(")) {
    take();
    ISOSCOPE_TRY(inner, enclosed(&Parser::formula));
    ISOSCOPE_TRY_STATUS(expect(")", "or an operator"));
    return inner;
  }
  if (token.is("[")) {
    Expr result = node_at<Expr>(Expr::Kind::identity, take());
    ISOSCOPE_TRY(set, enclosed(&Parser::expression));
    ISOSCOPE_TRY_STATUS(expect("]", "or an operator"));
    result.children.push_back(std::move(set));
    return tree(std::move(result));
  }
  if (token.is("{")) return comprehension();
  if (token.is("transaction") || token.is("key")) {
    Expr result = node_at<Expr>(Expr::Kind::universe, take());
    result.sort = token.is("key") ? Sort::key : Sort::transaction;
    return tree(std::move(result));
  }
  if (token.is("true") || token.is("false")) {
    Expr result = node_at<Expr>(Expr::Kind::truth, take());
    result.truth = token.is("true");
    return tree(std::move(result));
  }
  if (token.is("none")) return tree(node_at<Expr>(Expr::Kind::none, take()));
  if (token.is("order")) {
    Expr result = node_at<Expr>(Expr::Kind::given_order, token);
    if (peek(1).is("(")) return application();
    take();
    return tree(std::move(result));
  }
  if (token.kind == Token::Kind::word && !is_reserved(token.text)) {
    if (peek(1).is("(")) return application();
    Expr result = node_at<Expr>(Expr::Kind::name, take());
    result.name = token.text;
    return tree(std::move(result));
  }
  return unexpected("an expression or a formula");
}

Result<ExprPtr> Parser::application() {
  const Token callee = take();
  Expr result = node_at<Expr>(Expr::Kind::apply, callee);
  result.name = callee.text;
  mark(Token::Role::attached);
  take();
  do {
    ISOSCOPE_TRY(argument, enclosed(&Parser::expression));
    result.children.push_back(std::move(argument));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect(")", "or `,` after an argument"));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::comprehension() {
  Expr result = node_at<Expr>(Expr::Kind::comprehension, take());
  do {
    ISOSCOPE_TRY(group, binders(false));
    result.binders.push_back(std::move(group));
  } while (take_if(","));
  ISOSCOPE_TRY_STATUS(expect("|", "and a formula after the variables"));
  ISOSCOPE_TRY(body, enclosed(&Parser::formula));
  ISOSCOPE_TRY_STATUS(expect("}", "after the formula of `{ ... | ... }`"));
  result.children.push_back(std::move(body));
  return tree(std::move(result));
}

}  // namespace isoscope::spec
