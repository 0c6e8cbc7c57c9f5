#include "protocol/model/make_formula.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

bool is_truth(const FormulaPtr& formula, bool value) {
  return formula->kind == Kind::truth && (formula->index != 0) == value;
}

FormulaPtr joined(Kind kind, std::vector<FormulaPtr> formulas, Position where) {
  const bool neutral = kind == Kind::conjunction;
  for (const FormulaPtr& one : formulas)
    if (is_truth(one, !neutral)) return one;
  std::erase_if(formulas, [&](const FormulaPtr& one) { return is_truth(one, neutral); });
  if (formulas.empty()) return truth_of(neutral, where);
  if (formulas.size() == 1) return formulas[0];
  Formula result{.kind = kind};
  result.where = where;
  result.children = std::move(formulas);
  return formula_of(std::move(result));
}

}  // namespace

FormulaPtr formula_of(Formula formula) {
  return std::make_shared<const Formula>(std::move(formula));
}

Term variable_of(Sort sort, std::uint32_t index) { return {.sort = sort, .index = index}; }

FormulaPtr truth_of(bool value, Position where) {
  Formula result{.kind = Kind::truth, .index = value ? 1u : 0u};
  result.where = where;
  return formula_of(std::move(result));
}

FormulaPtr negation_of(FormulaPtr formula) {
  if (formula->kind == Kind::truth) return truth_of(formula->index == 0, formula->where);
  if (formula->kind == Kind::negation) return formula->children[0];
  Formula result{.kind = Kind::negation};
  result.where = formula->where;
  result.children = {std::move(formula)};
  return formula_of(std::move(result));
}

FormulaPtr conjunction_of(std::vector<FormulaPtr> formulas, Position where) {
  return joined(Kind::conjunction, std::move(formulas), where);
}

FormulaPtr disjunction_of(std::vector<FormulaPtr> formulas, Position where) {
  return joined(Kind::disjunction, std::move(formulas), where);
}

FormulaPtr atom_of(Kind kind, std::uint32_t index, std::vector<Term> terms, Position where) {
  Formula result{.kind = kind, .index = index};
  result.terms = std::move(terms);
  result.where = where;
  return formula_of(std::move(result));
}

FormulaPtr equality_of(Term a, Term b, Position where) {
  return atom_of(Kind::equal, 0, {std::move(a), std::move(b)}, where);
}

FormulaPtr exists_of(Sort sort, std::uint32_t variable, FormulaPtr body) {
  Formula result{.kind = Kind::exists, .index = variable, .sort = sort};
  result.where = body->where;
  result.children = {std::move(body)};
  return formula_of(std::move(result));
}

FormulaPtr choice_of(const std::vector<FormulaPtr>& conditions,
                     const std::vector<FormulaPtr>& values) {
  ISOSCOPE_REQUIRE(values.size() == conditions.size() + 1);
  FormulaPtr result = values.back();
  for (std::size_t i = conditions.size(); i-- > 0;) {
    const FormulaPtr first = conjunction_of({conditions[i], values[i]}, conditions[i]->where);
    const FormulaPtr others =
        conjunction_of({negation_of(conditions[i]), result}, conditions[i]->where);
    result = disjunction_of({first, others}, conditions[i]->where);
  }
  return result;
}

}  // namespace isoscope::protocol
