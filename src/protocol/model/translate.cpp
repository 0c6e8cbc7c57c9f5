#include "protocol/model/translate.h"

#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/model/make_formula.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

Term put_into(const Term& term, std::span<const Term> terms, std::uint32_t depth) {
  if (term.kind == Term::Kind::variable) {
    if (term.index < terms.size()) return terms[term.index];
    return variable_of(term.sort, term.index - static_cast<std::uint32_t>(terms.size()) + depth);
  }
  Term result = term;
  for (Term& argument : result.arguments) argument = put_into(argument, terms, depth);
  return result;
}

}  // namespace

FormulaPtr Translation::made(Formula formula) {
  size_ += 1 + formula.terms.size();
  is_too_large_ = is_too_large_ || size_ > max_size;
  return formula_of(std::move(formula));
}

FormulaPtr Translation::put(const Formula& formula, std::span<const Term> terms,
                            std::uint32_t depth) {
  if (++height_ > max_height) is_too_large_ = true;
  if (is_too_large_) {
    --height_;
    return truth_of(false, formula.where);
  }
  Formula result = formula;
  const auto free = static_cast<std::uint32_t>(terms.size());
  if (formula.kind == Kind::for_all || formula.kind == Kind::exists)
    result.index = formula.index - free + depth;
  for (Term& term : result.terms) term = put_into(term, terms, depth);
  for (FormulaPtr& child : result.children) child = put(*child, terms, depth);
  --height_;
  return made(std::move(result));
}

FormulaPtr Translation::translated(const Formula& formula, std::uint32_t depth) {
  if (++height_ > max_height) is_too_large_ = true;
  FormulaPtr result = is_too_large_ ? truth_of(false, map_.where) : walk(formula, depth);
  --height_;
  return result;
}

FormulaPtr Translation::walk(const Formula& formula, std::uint32_t depth) {
  Formula result = formula;
  result.where = map_.where;  // its own is in another text
  switch (formula.kind) {
    case Kind::truth:
      break;
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::implication:
    case Kind::equivalence:
      for (FormulaPtr& child : result.children) child = translated(*child, depth);
      break;
    case Kind::for_all:
    case Kind::exists:
      ISOSCOPE_REQUIRE(formula.index == depth);
      result.children[0] = translated(*formula.children[0], depth + 1);
      break;
    default:
      return atom(formula, depth);
  }
  return made(std::move(result));
}

Term Translation::term(const Term& what, std::uint32_t depth, std::vector<Chosen>& chosen) {
  Term result = what;
  for (Term& argument : result.arguments) argument = term(argument, depth, chosen);
  if (what.kind != Term::Kind::reference) return result;
  const ComponentMap& map = map_.components[what.index];
  if (map.term) return put_into(*map.term, result.arguments, depth);
  chosen.push_back({what.index, std::move(result.arguments)});
  return variable_of(Sort::transaction, depth + static_cast<std::uint32_t>(chosen.size()) - 1);
}

FormulaPtr Translation::atom(const Formula& formula, std::uint32_t depth) {
  std::vector<Chosen> chosen;
  std::vector<Term> terms;
  for (const Term& one : formula.terms) terms.push_back(term(one, depth, chosen));
  const std::uint32_t inner = depth + static_cast<std::uint32_t>(chosen.size());
  const auto mapped = [&](std::size_t number) {
    const ComponentMap& map = map_.components[formula.index];
    ISOSCOPE_REQUIRE(number < map.formulas.size());
    return put(*map.formulas[number], terms, inner);
  };
  FormulaPtr result;
  switch (formula.kind) {
    case Kind::relation:
    case Kind::refers_to:
      result = mapped(0);
      break;
    case Kind::refers_to_none:
      result = mapped(1);
      break;
    case Kind::is_value: {
      std::vector<FormulaPtr> any;
      for (std::size_t v = 0; v < map_.components[formula.index].formulas.size(); ++v)
        if ((formula.values >> v & 1) != 0) any.push_back(mapped(v));
      result = disjunction_of(std::move(any), map_.where);
      break;
    }
    default:
      ISOSCOPE_REQUIRE(formula.kind == Kind::equal || formula.kind == Kind::session_order ||
                       formula.kind == Kind::order);
      result = made({.kind = formula.kind,
                     .index = formula.kind == Kind::order ? map_.orders[formula.index] : 0,
                     .terms = std::move(terms),
                     .where = map_.where});
  }
  for (std::size_t i = chosen.size(); i-- > 0;) {
    const std::uint32_t variable = depth + static_cast<std::uint32_t>(i);
    std::vector<Term> at = std::move(chosen[i].at);
    at.push_back(variable_of(Sort::transaction, variable));
    const FormulaPtr is_it =
        put(*map_.components[chosen[i].component].formulas[0], at, variable + 1);
    result = exists_of(Sort::transaction, variable,
                       conjunction_of({is_it, std::move(result)}, map_.where));
    ++size_;
  }
  return result;
}

}  // namespace isoscope::protocol
