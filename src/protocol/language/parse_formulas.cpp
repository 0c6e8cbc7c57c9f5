#include <algorithm>
#include <array>
#include <utility>

#include "protocol/language/parser.h"

namespace isoscope::protocol {

namespace {

/// Operators between two operands; looser ones have smaller numbers.
struct Operator {
  std::string_view sign;
  Expr::Kind kind;
  int binding;
};

constexpr int right_associative = 2;
constexpr int comparison = 6;

constexpr std::array<Operator, 7> operators = {{
    {"<=>", Expr::Kind::equivalence, 1},
    {"=>", Expr::Kind::implication, right_associative},
    {"or", Expr::Kind::disjunction, 3},
    {"and", Expr::Kind::conjunction, 4},
    // 5: not
    {"=", Expr::Kind::equal, comparison},
    {"!=", Expr::Kind::differ, comparison},
    {"in", Expr::Kind::one_of, comparison},
}};

const Operator* find_operator(const Token& token) {
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const Operator& o) { return token.is(o.sign); });
  return found == operators.end() ? nullptr : &*found;
}

Expr expr_at(Expr::Kind kind, const Token& token) {
  Expr result;
  result.kind = kind;
  result.where = token.where;
  result.sign = token.where;
  return result;
}

}  // namespace

Result<ExprPtr> Parser::tree(Expr expr) const {
  for (const ExprPtr& child : expr.children) expr.height = std::max(expr.height, child->height + 1);
  if (expr.height > max_nesting) return too_deep(expr.where);
  return ExprPtr(std::make_unique<Expr>(std::move(expr)));
}

Result<ExprPtr> Parser::binary(int loosest) {
  if (nesting_ >= max_nesting) return too_deep(peek().where);
  ++nesting_;
  ISOSCOPE_TRY(left, operand());
  bool compared = false;
  while (const Operator* next = find_operator(peek())) {
    if (next->binding < loosest) break;
    const Token sign = take();
    if (next->binding == comparison && std::exchange(compared, true)) {
      return error_at(sign.where, "comparisons cannot be chained: `a " + std::string(sign.text) +
                                      " b and b " + std::string(sign.text) + " c`");
    }
    Expr result = expr_at(next->kind, sign);
    result.where = left->where;
    result.children.push_back(std::move(left));
    if (next->kind == Expr::Kind::one_of) {
      ISOSCOPE_TRY_STATUS(value_set(result));
    } else {
      const bool again = next->binding == right_associative;
      ISOSCOPE_TRY(right, binary(again ? next->binding : next->binding + 1));
      result.children.push_back(std::move(right));
    }
    if (next->kind == Expr::Kind::conjunction || next->kind == Expr::Kind::disjunction) {
      while (find_operator(peek()) == next) {
        take();
        ISOSCOPE_TRY(another, binary(next->binding + 1));
        result.children.push_back(std::move(another));
      }
    }
    ISOSCOPE_TRY(joined, tree(std::move(result)));
    left = std::move(joined);
  }
  --nesting_;
  return left;
}

Status Parser::value_set(Expr& result) {
  ISOSCOPE_TRY_STATUS(expect("{", "and values after `in`"));
  do {
    ISOSCOPE_TRY(value, name("a value"));
    result.values.push_back(std::move(value));
  } while (take_if(","));
  return expect("}", "or `,` after a value");
}

Result<ExprPtr> Parser::operand() {
  const Token& token = peek();
  if (token.is("forall")) return quantified(Expr::Kind::for_all);
  if (token.is("exists")) return quantified(Expr::Kind::exists);
  if (token.is("no")) return quantified(Expr::Kind::no);
  if (!token.is("not")) return primary();
  Expr result = expr_at(Expr::Kind::negation, take());
  ISOSCOPE_TRY(child, binary(comparison));
  result.children.push_back(std::move(child));
  return tree(std::move(result));
}

Result<ExprPtr> Parser::quantified(Expr::Kind kind) {
  Expr result = expr_at(kind, take());
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
  if (token.is("none")) return tree(expr_at(Expr::Kind::none, take()));
  if (token.is("initial")) return tree(expr_at(Expr::Kind::initial, take()));
  if (token.is("true") || token.is("false")) {
    Expr result = expr_at(Expr::Kind::truth, take());
    result.truth = token.is("true");
    return tree(std::move(result));
  }
  const bool built_in = token.is("owner") || token.is("so");
  if (token.kind != Token::Kind::word || (is_reserved(token.text) && !built_in))
    return unexpected("a formula or a term");
  Expr result = expr_at(Expr::Kind::name, token);
  ISOSCOPE_TRY(named, dotted_name("a formula or a term"));
  result.name = std::move(named.text);
  if (take_if("(", Token::Role::attached)) {
    result.kind = Expr::Kind::apply;
    ISOSCOPE_TRY_STATUS(arguments(result.children));
  }
  return tree(std::move(result));
}

}  // namespace isoscope::protocol
