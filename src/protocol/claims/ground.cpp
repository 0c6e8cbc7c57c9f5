#include "protocol/claims/ground.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {
namespace {

using circuit::no;
using circuit::yes;
using Kind = Formula::Kind;

std::size_t number(Sort sort) { return static_cast<std::size_t>(sort); }

Ground::Use opposite(Ground::Use use) {
  return use == Ground::Use::assumed ? Ground::Use::denied : Ground::Use::assumed;
}

// A constant is needed for "exists" in what is assumed, and for "for all" in what is denied.
bool needs_constant(const Formula& formula, Ground::Use use) {
  return (formula.kind == Kind::exists) == (use == Ground::Use::assumed);
}

bool has_quantifier(const Formula& formula) {
  return formula.kind == Kind::for_all || formula.kind == Kind::exists ||
         std::ranges::any_of(formula.children,
                             [](const FormulaPtr& child) { return has_quantifier(*child); });
}

void count_constants(const Formula& formula, Ground::Use use, Constants& count) {
  switch (formula.kind) {
    case Kind::for_all:
    case Kind::exists:
      if (!needs_constant(formula, use)) return;  // what is below is left out
      ++count[formula.sort];
      count_constants(*formula.children[0], use, count);
      return;
    case Kind::negation:
      return count_constants(*formula.children[0], opposite(use), count);
    case Kind::implication:
      count_constants(*formula.children[0], opposite(use), count);
      count_constants(*formula.children[1], use, count);
      return;
    case Kind::equivalence:
      for (const Ground::Use each : {use, opposite(use)})
        for (const FormulaPtr& child : formula.children) count_constants(*child, each, count);
      return;
    default:
      for (const FormulaPtr& child : formula.children) count_constants(*child, use, count);
  }
}

}  // namespace

Constants constants_for(const Formula& formula, Ground::Use use) {
  Constants count;
  count_constants(formula, use, count);
  return count;
}

Ground::Ground(Circuit& circuit, const Model& model, const Event* event, const Constants& free)
    : circuit_(circuit), model_(model), event_(event) {
  stored_.resize(2 * model.components.size() + 1 + model.orders.size());
  make_terms(free);
  relate_terms();
  relate_targets();
  if (!event) {
    require_start();
    return;
  }
  Constants next;
  // The guard's own constants are the free ones after those of the goals.
  for (const Sort sort : {Sort::client, Sort::key, Sort::transaction}) next[sort] = free[sort];
  circuit_.require(holds(*event->guard, parameters_, When::before, Use::assumed, next));
}

// Bits of the start: every component has its initial value everywhere.
void Ground::require_start() {
  for (std::uint32_t c = 0; c < model_.components.size(); ++c) {
    const Component& component = model_.components[c];
    if (component.is_constant) continue;
    for (const Atom& place : places_of(component)) {
      if (component.kind == Component::Kind::relation) {
        circuit_.require(circuit_.same(relation(c, place, When::before),
                                       holds(*component.initially, place, When::before)));
      } else if (component.kind == Component::Kind::enumeration) {
        circuit_.require(stored_value(c, place, component.initial_value));
      } else {
        const Bit none = stored_none(c, place);
        circuit_.require(component.initially_initial ? !none : none);
        for (Element t = 0; t < count(Sort::transaction); ++t) {
          const Bit refers = stored_reference(c, place, t);
          circuit_.require(component.initially_initial
                               ? circuit_.same(refers, equal(Sort::transaction, t, 0))
                               : !refers);
        }
      }
    }
  }
}

Bit Ground::holds(const Formula& formula, std::span<const Element> variables, When when, Use use,
                  Constants& next) {
  Variables values(variables.begin(), variables.end());
  return evaluate(formula, values, when, use, next, false);
}

// Both ways at once. A formula with quantifiers gets a bit of its own that says no more than either
// way would.
Bit Ground::holds(const Formula& formula, std::span<const Element> variables, When when) {
  Constants none_left;
  for (std::size_t& count : none_left.count)
    count = free_[0].size() + free_[1].size() + free_[2].size();
  Variables values(variables.begin(), variables.end());
  if (!has_quantifier(formula))
    return evaluate(formula, values, when, Use::assumed, none_left, true);
  const auto [it, is_new] = opaque_.try_emplace({&formula, values, when}, no);
  if (is_new) {
    const Bit bit = it->second = circuit_.variable();
    circuit_.require(
        circuit_.implies(bit, evaluate(formula, values, when, Use::assumed, none_left, true)));
    circuit_.require(
        circuit_.implies(!bit, !evaluate(formula, values, when, Use::denied, none_left, true)));
    return bit;
  }
  return it->second;
}

Bit Ground::evaluate(const Formula& formula, Variables& variables, When when, Use use,
                     Constants& next, bool below_all) {
  const auto child = [&](std::size_t i, Use child_use) {
    return evaluate(*formula.children[i], variables, when, child_use, next, below_all);
  };
  switch (formula.kind) {
    case Kind::truth:
      return circuit::constant(formula.index != 0);
    case Kind::negation:
      return !child(0, opposite(use));
    case Kind::conjunction:
    case Kind::disjunction: {
      std::vector<Bit> parts;
      for (std::size_t i = 0; i < formula.children.size(); ++i) parts.push_back(child(i, use));
      return formula.kind == Kind::conjunction ? circuit_.all_of(std::move(parts))
                                               : circuit_.any_of(std::move(parts));
    }
    case Kind::implication:
      return circuit_.implies(child(0, opposite(use)), child(1, use));
    case Kind::equivalence: {
      const Bit there = circuit_.implies(child(0, opposite(use)), child(1, use));
      return circuit_.both(there, circuit_.implies(child(1, opposite(use)), child(0, use)));
    }
    case Kind::for_all:
    case Kind::exists:
      return quantified(formula, variables, when, use, next, below_all);
    default:
      return atom(formula, variables, when);
  }
}

Bit Ground::quantified(const Formula& formula, Variables& variables, When when, Use use,
                       Constants& next, bool below_all) {
  const std::size_t depth = variables.size();
  ISOSCOPE_REQUIRE(formula.index == depth);
  Bit result = no;
  if (needs_constant(formula, use)) {
    const auto& constants = free_[number(formula.sort)];
    if (below_all || next[formula.sort] >= constants.size())
      return circuit::constant(use == Use::assumed);
    variables.push_back(constants[next[formula.sort]++]);
    result = evaluate(*formula.children[0], variables, when, use, next, below_all);
    variables.pop_back();
    return result;
  }
  std::vector<Bit> parts;
  for (Element e = 0; e < count(formula.sort); ++e) {
    variables.push_back(e);
    parts.push_back(evaluate(*formula.children[0], variables, when, use, next, true));
    variables.pop_back();
  }
  return formula.kind == Kind::for_all ? circuit_.all_of(std::move(parts))
                                       : circuit_.any_of(std::move(parts));
}

std::vector<Ground::Alternative> Ground::term(const Term& what, const Variables& variables,
                                              When when) {
  switch (what.kind) {
    case Term::Kind::variable:
      return {{yes, variables[what.index]}};
    case Term::Kind::initial:
      return {{yes, 0}};
    case Term::Kind::owner: {
      std::vector<Alternative> result = term(what.arguments[0], variables, when);
      for (Alternative& alternative : result) alternative.element = owner_[alternative.element];
      return result;
    }
    case Term::Kind::reference:
      break;
  }
  // Where the term stands may depend on the state, and after the event so may what it refers to.
  std::vector<Alternative> result;
  with_terms(what.arguments, variables, when, [&](Bit condition, const Atom& at) {
    if (when == When::before) {
      result.push_back({condition, reference_term(what.index, at)});
    } else {
      for (Element t = 0; t < count(Sort::transaction); ++t) {
        const Bit refers = refers_to(what.index, at, t, when);
        const Bit chosen = circuit_.both(condition, refers);
        if (chosen != no) result.push_back({chosen, t});
      }
    }
    return no;
  });
  return result;
}

template <class Each>
Bit Ground::with_terms(std::span<const Term> terms, const Variables& variables, When when,
                       Each each) {
  std::vector<std::vector<Alternative>> alternatives;
  for (const Term& one : terms) alternatives.push_back(term(one, variables, when));
  std::vector<Bit> ways;
  Atom chosen(terms.size());
  const auto choose = [&](const auto& self, std::size_t i, Bit condition) -> void {
    if (i == terms.size()) {
      ways.push_back(circuit_.both(condition, each(condition, chosen)));
      return;
    }
    for (const Alternative& alternative : alternatives[i]) {
      const Bit both = circuit_.both(condition, alternative.condition);
      if (both == no) continue;
      chosen[i] = alternative.element;
      self(self, i + 1, both);
    }
  };
  choose(choose, 0, yes);
  return circuit_.any_of(std::move(ways));
}

Bit Ground::atom(const Formula& formula, const Variables& variables, When when) {
  return with_terms(formula.terms, variables, when, [&](Bit, const Atom& at) -> Bit {
    switch (formula.kind) {
      case Kind::relation:
        return relation(formula.index, at, when);
      case Kind::is_value:
        return has_value(formula.index, at, formula.values, when);
      case Kind::refers_to:
        return refers_to(formula.index, Atom(at.begin(), at.end() - 1), at.back(), when);
      case Kind::refers_to_none:
        return is_none(formula.index, at, when);
      case Kind::equal:
        return equal(formula.terms[0].sort, at[0], at[1]);
      case Kind::session_order:
        return stored(static_cast<std::uint32_t>(model_.components.size()), at);
      case Kind::order:
        return stored(static_cast<std::uint32_t>(model_.components.size()) + 1 + formula.index, at);
      default:
        ISOSCOPE_REQUIRE(false && "not an atom");
        return no;
    }
  });
}

template <class Apply>
Bit Ground::updated(std::uint32_t component, const Atom& at, Bit otherwise, Apply apply) {
  Bit result = otherwise;
  for (const Update& update : event_->updates) {
    if (update.component != component) continue;
    Variables variables(parameters_.begin(), parameters_.end());
    variables.resize(parameters_.size() + update.bound.size());
    // The update is about this place if all indices that are not bound variables are equal. Bound
    // variables stand for whatever is at this place.
    std::vector<Bit> is_here;
    std::vector<bool> is_bound(variables.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Term& index = update.index[i];
      const Sort sort = model_.components[component].parameters[i];
      if (index.kind == Term::Kind::variable && index.index >= parameters_.size()) {
        if (is_bound[index.index]) {
          is_here.push_back(equal(sort, variables[index.index], at[i]));
        } else {
          variables[index.index] = at[i];
          is_bound[index.index] = true;
        }
        continue;
      }
      std::vector<Bit> same;
      for (const Alternative& one : term(index, variables, When::before))
        same.push_back(circuit_.both(one.condition, equal(sort, one.element, at[i])));
      is_here.push_back(circuit_.any_of(std::move(same)));
    }
    const Bit here = circuit_.all_of(std::move(is_here));
    if (here == no) continue;
    Bit open = here;
    std::vector<Bit> ways;
    for (const Update::Case& one : update.cases) {
      const Bit condition = one.condition ? holds(*one.condition, variables, When::before) : yes;
      const Bit counts = circuit_.both(open, condition);
      if (counts != no) ways.push_back(circuit_.both(counts, apply(one, variables)));
      open = circuit_.both(open, !condition);
    }
    ways.push_back(circuit_.both(circuit_.either(!here, open), result));
    result = circuit_.any_of(std::move(ways));
  }
  return result;
}

Bit Ground::relation(std::uint32_t component, const Atom& at, When when) {
  const Bit before = stored(component, at);
  if (when == When::before) return before;
  return updated(component, at, before, [&](const Update::Case& one, const Variables& variables) {
    return holds(*one.formula, variables, When::before);
  });
}

Bit Ground::has_value(std::uint32_t component, const Atom& at, std::uint64_t values, When when) {
  std::vector<Bit> any;
  const std::size_t count =
      model_.enumerations[model_.components[component].enumeration].values.size();
  for (std::uint32_t value = 0; value < count; ++value)
    if ((values >> value & 1) != 0) any.push_back(stored_value(component, at, value));
  const Bit before = circuit_.any_of(std::move(any));
  if (when == When::before) return before;
  return updated(component, at, before, [&](const Update::Case& one, const Variables&) {
    return circuit::constant((values >> one.value & 1) != 0);
  });
}

Bit Ground::refers_to(std::uint32_t component, const Atom& at, Element to, When when) {
  const Bit before = stored_reference(component, at, to);
  if (when == When::before) return before;
  return updated(component, at, before, [&](const Update::Case& one, const Variables& variables) {
    switch (one.reference.kind) {
      case Update::Reference::Kind::none:
        return no;
      case Update::Reference::Kind::term: {
        std::vector<Bit> any;
        for (const Alternative& target : term(one.reference.term, variables, When::before))
          any.push_back(
              circuit_.both(target.condition, equal(Sort::transaction, target.element, to)));
        return circuit_.any_of(std::move(any));
      }
      case Update::Reference::Kind::copy:
        break;
    }
    return with_terms(one.reference.at, variables, When::before, [&](Bit, const Atom& from) {
      return stored_reference(one.reference.component, from, to);
    });
  });
}

Bit Ground::is_none(std::uint32_t component, const Atom& at, When when) {
  const Bit before = stored_none(component, at);
  if (when == When::before) return before;
  return updated(component, at, before, [&](const Update::Case& one, const Variables& variables) {
    if (one.reference.kind != Update::Reference::Kind::copy)
      return circuit::constant(one.reference.kind == Update::Reference::Kind::none);
    return with_terms(one.reference.at, variables, When::before, [&](Bit, const Atom& from) {
      return stored_none(one.reference.component, from);
    });
  });
}

}  // namespace isoscope::protocol
