#include "protocol/prove/invariant_claims.h"

#include <algorithm>

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

/// The formula in parts, so that a picture can say which of them are false.
Proposition in_parts(const FormulaPtr& formula, const std::vector<std::uint32_t>& arguments,
                     When when) {
  const auto part = [&](std::size_t i) { return in_parts(formula->children[i], arguments, when); };
  switch (formula->kind) {
    case Kind::negation:
      return !part(0);
    case Kind::implication:
      return part(0) >> part(1);
    case Kind::conjunction:
    case Kind::disjunction: {
      Proposition result{.kind = formula->kind == Kind::conjunction
                                     ? Proposition::Kind::conjunction
                                     : Proposition::Kind::disjunction};
      for (std::size_t i = 0; i < formula->children.size(); ++i) result.parts.push_back(part(i));
      return result;
    }
    default:
      return formula_is(formula, arguments, when);
  }
}

/// Does the formula have an `exists` below a "for all"? Inside a negation the two change places.
bool looks_for(const Formula& formula, bool is_negated, bool is_below) {
  if (formula.kind == Kind::for_all || formula.kind == Kind::exists) {
    const bool is_exists = (formula.kind == Kind::exists) != is_negated;
    if (is_exists && is_below) return true;
    return looks_for(*formula.children[0], is_negated, is_below || !is_exists);
  }
  for (std::size_t i = 0; i < formula.children.size(); ++i) {
    const Formula& child = *formula.children[i];
    const bool turns =
        formula.kind == Kind::negation || (formula.kind == Kind::implication && i == 0);
    if (looks_for(child, is_negated != turns, is_below)) return true;
    if (formula.kind == Kind::equivalence && looks_for(child, !is_negated, is_below)) return true;
  }
  return false;
}

}  // namespace

Claim claim_of(const Invariant& invariant, const Event* event) {
  Claim claim{.name = "keeps the invariant " + invariant.name,
              .belongs_to = "invariant",
              .variables = {},
              .body = {}};
  const auto first = static_cast<std::uint32_t>(event ? event->parameters.size() : 0);
  FormulaPtr rest = invariant.formula;
  std::vector<std::uint32_t> arguments;
  for (; rest->kind == Kind::for_all; rest = rest->children[0]) {
    arguments.push_back(first + static_cast<std::uint32_t>(claim.variables.size()));
    claim.variables.push_back(rest->sort);
  }
  claim.body = in_parts(rest, arguments, event ? When::after : When::before);
  return claim;
}

bool has_exists_below_for_all(const Invariant& invariant) {
  return looks_for(*invariant.formula, false, false);
}

bool find_unkept(const Model& model, Houdini& houdini, const Limits& limits, bool with_pictures,
                 Progress& progress, std::vector<UnkeptInvariant>& found) {
  houdini.suppose(model.invariants.size());
  bool is_stopped = false;
  const auto look_at = [&](std::optional<std::uint32_t> event, const Invariant& invariant,
                           UnkeptInvariant& to) {
    const Claim claim = claim_of(invariant, event ? &model.events[*event] : nullptr);
    const Houdini::Conclusion answer = houdini.prove(event, claim, limits);
    is_stopped = answer == Houdini::Conclusion::stopped;
    if (answer != Houdini::Conclusion::open) return;
    to.broken = OpenGoal{event ? model.events[*event].name : "", claim.name, claim.belongs_to};
    if (with_pictures) is_stopped = !houdini.find_breaking_step(event, claim, limits, *to.broken);
  };
  for (std::size_t i = 0; i < model.invariants.size() && !is_stopped; ++i) {
    progress.advance(i);
    if (houdini.keeps(i)) continue;
    const Invariant& invariant = model.invariants[i];
    UnkeptInvariant& unkept = found.emplace_back();
    unkept.name = invariant.name;
    unkept.is_beyond = has_exists_below_for_all(invariant);
    look_at(std::nullopt, invariant, unkept);  // what is false there needs no event
    for (std::uint32_t e = 0; e < model.events.size() && !unkept.broken && !is_stopped; ++e)
      look_at(e, invariant, unkept);
  }
  houdini.suppose(0);
  return !is_stopped;
}

}  // namespace isoscope::protocol
