#include <algorithm>
#include <utility>

#include "isoscope/protocol/formula_text.h"
#include "protocol/claims/obligations.h"
#include "protocol/model/make_formula.h"
#include "protocol/model/translate.h"

// One model refines another: the map of the start is a start there, and the map of a step is a step
// there (its guard is true, and it changes what its updates say) or changes nothing there. So the
// map of every reachable state is reachable, by steps in the same order. (Source: Abadi and
// Lamport, The existence of refinement mappings, 1991.)

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;
using V = std::uint32_t;

/// An event with more cases of updates of one component is refused, so that formulas do not get too
/// high.
constexpr std::size_t most_cases = 64;

std::vector<V> numbers(V count) {
  std::vector<V> result;
  for (V i = 0; i < count; ++i) result.push_back(i);
  return result;
}

void add_conjuncts(const FormulaPtr& formula, std::vector<FormulaPtr>& to) {
  if (formula->kind != Kind::conjunction) return to.push_back(formula);
  for (const FormulaPtr& child : formula->children) add_conjuncts(child, to);
}

/// A component's value is said by one formula or several, its aspects: that a relation is true,
/// that an enumeration has each of its values, that a reference refers to one more variable.
class RefinesClaims {
 public:
  explicit RefinesClaims(const Model& model)
      : model_(model), map_(*model.refines), other_(*map_.model), translation_(map_) {}

  Result<Obligations> run() {
    Obligations result;
    for (std::uint32_t c = 0; c < other_.components.size(); ++c)
      if (is_variable(c)) start(c);
    add_state_claims(0, When::before);
    result.start = std::move(claims_);
    for (std::uint32_t e = 0; e < model_.events.size(); ++e) {
      const auto first = static_cast<V>(model_.events[e].parameters.size());
      claims_.clear();
      add_state_claims(first, When::before);
      result.assumed.push_back(std::exchange(claims_, {}));
      if (map_.events[e]) {
        step(model_.events[e], *map_.events[e]);
      } else {
        no_step(first);
      }
      add_state_claims(first, When::after);
      result.events.push_back(std::exchange(claims_, {}));
    }
    if (!translation_.is_too_large() && !is_too_large_) return result;
    return Error{"too large: with the maps put in, the formulas of `" + map_.name +
                     "` have more than " + std::to_string(Translation::max_size) + " parts",
                 model_.name, map_.where};
  }

 private:
  bool is_variable(std::uint32_t component) const {
    return !other_.components[component].is_constant &&
           !map_.components[component].formulas.empty();
  }
  void add(std::string name, std::string of, std::vector<Sort> variables, Proposition body) {
    claims_.push_back({std::move(name), std::move(of), std::move(variables), std::move(body)});
  }

  // How many formulas say all about a component.
  std::size_t aspects(const Component& component) const {
    return component.kind == Component::Kind::enumeration
               ? other_.enumerations[component.enumeration].values.size()
               : 1;
  }
  // Its parameters, and what it refers to.
  static std::vector<Sort> places(const Component& component) {
    std::vector<Sort> result = component.parameters;
    if (component.kind == Component::Kind::reference) result.push_back(Sort::transaction);
    return result;
  }
  // Both sides have one value of an enumeration, so one way is enough.
  static Proposition agree(const Component& component, Proposition a, Proposition b) {
    return component.kind == Component::Kind::enumeration ? std::move(a) >> std::move(b)
                                                          : std::move(a) == std::move(b);
  }

  Proposition mapped(std::uint32_t component, std::size_t aspect, V first, When when) const {
    std::vector<V> arguments;
    for (std::size_t i = 0; i < places(other_.components[component]).size(); ++i)
      arguments.push_back(first + static_cast<V>(i));
    return formula_is(map_.components[component].formulas[aspect], std::move(arguments), when);
  }

  void start(std::uint32_t number) {
    const Component& component = other_.components[number];
    const auto depth = static_cast<V>(places(component).size());
    Proposition all = anything();
    for (std::size_t i = 0; i < aspects(component); ++i) {
      FormulaPtr initially;
      switch (component.kind) {
        case Component::Kind::relation:
          initially = translation_.translated(*component.initially, depth);
          break;
        case Component::Kind::enumeration:
          initially = truth_of(i == component.initial_value, map_.where);
          break;
        case Component::Kind::reference:
          initially = component.initially_initial
                          ? equality_of(variable_of(Sort::transaction, depth - 1),
                                        {.kind = Term::Kind::initial}, map_.where)
                          : truth_of(false, map_.where);
      }
      all = std::move(all) && agree(component, mapped(number, i, 0, When::before),
                                    formula_is(std::move(initially), numbers(depth), When::before));
    }
    add(component.name + " starts as in " + map_.name, "start", places(component), std::move(all));
  }

  void no_step(V first) {
    for (std::uint32_t c = 0; c < other_.components.size(); ++c) {
      if (!is_variable(c)) continue;
      const Component& component = other_.components[c];
      Proposition all = anything();
      for (std::size_t i = 0; i < aspects(component); ++i)
        all = std::move(all) &&
              agree(component, mapped(c, i, first, When::after), mapped(c, i, first, When::before));
      add("leaves " + component.name + " as it is", "no step of " + map_.name, places(component),
          std::move(all));
    }
  }

  void step(const Event& event, const EventMap& to) {
    const Event& there = other_.events[to.event];
    const auto first = static_cast<V>(event.parameters.size());
    const auto parameters = static_cast<V>(there.parameters.size());
    std::vector<std::string> names;
    for (const Variable& parameter : there.parameters) names.push_back(parameter.name);
    std::vector<FormulaPtr> guard;
    add_conjuncts(there.guard, guard);
    for (const FormulaPtr& part : guard) {
      const FormulaPtr translated = translation_.translated(*part, parameters);
      add(text_of(*part, other_, names), "guard of " + there.name, {},
          formula_is(translation_.put(*translated, to.arguments, first), numbers(first),
                     When::before));
    }
    for (std::uint32_t c = 0; c < other_.components.size(); ++c) {
      if (!is_variable(c)) continue;
      const Component& component = other_.components[c];
      const std::vector<Sort> variables = places(component);
      const auto count = static_cast<V>(variables.size());
      std::vector<Term> terms = to.arguments;
      for (V i = 0; i < count; ++i) terms.push_back(variable_of(variables[i], first + i));
      Proposition all = anything();
      for (std::size_t i = 0; i < aspects(component); ++i) {
        const FormulaPtr after = translation_.translated(*updated(there, c, i), parameters + count);
        all = std::move(all) && agree(component, mapped(c, i, first, When::after),
                                      formula_is(translation_.put(*after, terms, first + count),
                                                 numbers(first + count), When::before));
      }
      add("changes " + component.name + " as " + there.name + " does", "update of " + there.name,
          variables, std::move(all));
    }
    if (there.commits && claims_real_time()) lies_in_between(event, to.arguments[*there.commits]);
  }

  // What is true of a component after an event of the other model, as a formula on the state before
  // it. Its free variables are the event's parameters, then the component's places.
  FormulaPtr updated(const Event& event, std::uint32_t number, std::size_t aspect) {
    const Component& component = other_.components[number];
    const auto parameters = static_cast<V>(event.parameters.size());
    std::vector<Term> at;
    for (const Sort sort : places(component))
      at.push_back(variable_of(sort, parameters + static_cast<V>(at.size())));
    const auto depth = parameters + static_cast<V>(at.size());
    FormulaPtr result;
    if (component.kind == Component::Kind::enumeration) {
      Formula has_value{.kind = Kind::is_value, .index = number};
      has_value.values = std::uint64_t{1} << aspect;
      has_value.terms = at;
      result = formula_of(std::move(has_value));
    } else {
      result =
          atom_of(component.kind == Component::Kind::relation ? Kind::relation : Kind::refers_to,
                  number, at);
    }
    std::size_t cases = 0;
    for (const Update& update : event.updates) {
      if (update.component != number) continue;
      cases += update.cases.size();
      if (cases > most_cases) {
        is_too_large_ = true;
        return result;
      }
      // The bound variables are what stands at their place; all else must be equal to it.
      std::vector<Term> terms;
      for (V i = 0; i < parameters; ++i) terms.push_back(variable_of(event.parameters[i].sort, i));
      terms.resize(parameters + update.bound.size());
      std::vector<bool> is_set(terms.size()), is_place(update.index.size());
      for (std::size_t i = 0; i < update.index.size(); ++i) {
        const Term& index = update.index[i];
        if (index.kind != Term::Kind::variable || index.index < parameters || is_set[index.index])
          continue;
        terms[index.index] = at[i];
        is_set[index.index] = is_place[i] = true;
      }
      std::vector<FormulaPtr> here;
      for (std::size_t i = 0; i < update.index.size(); ++i)
        if (!is_place[i]) here.push_back(is_term(update.index[i], at[i], terms, depth));
      const FormulaPtr is_here = conjunction_of(std::move(here));
      std::vector<FormulaPtr> conditions, values;
      for (const Update::Case& one : update.cases) {
        const FormulaPtr condition =
            one.condition ? translation_.put(*one.condition, terms, depth) : truth_of(true);
        conditions.push_back(conjunction_of({is_here, condition}));
        values.push_back(value(component, aspect, one, terms, at, depth));
      }
      values.push_back(std::move(result));
      result = choice_of(conditions, values);
    }
    return result;
  }

  // The formula that says that a term of an update, with `terms` for its variables, is this one.
  FormulaPtr is_term(const Term& term, const Term& what, std::vector<Term> terms, V depth) {
    const FormulaPtr equal =
        equality_of(term, variable_of(what.sort, static_cast<V>(terms.size())));
    terms.push_back(what);
    return translation_.put(*equal, terms, depth);
  }

  FormulaPtr value(const Component& component, std::size_t aspect, const Update::Case& one,
                   const std::vector<Term>& terms, const std::vector<Term>& at, V depth) {
    switch (component.kind) {
      case Component::Kind::relation:
        return translation_.put(*one.formula, terms, depth);
      case Component::Kind::enumeration:
        return truth_of(one.value == aspect);
      case Component::Kind::reference:
        break;
    }
    const Update::Reference& to = one.reference;
    switch (to.kind) {
      case Update::Reference::Kind::none:
        return truth_of(false);
      case Update::Reference::Kind::term:
        return is_term(to.term, at.back(), terms, depth);
      case Update::Reference::Kind::copy:
        break;
    }
    std::vector<Term> from = to.at, with_target = terms;
    from.push_back(variable_of(Sort::transaction, static_cast<V>(terms.size())));
    with_target.push_back(at.back());
    return translation_.put(*atom_of(Kind::refers_to, to.component, std::move(from)), with_target,
                            depth);
  }

  // True in every state: what clients see is the same, and what is chosen is there, once.
  void add_state_claims(V first, When when) {
    const Sort T = Sort::transaction, K = Sort::key;
    const V t = first, k = first + 1, w = first + 2;
    const Observation& here = model_.observation;
    const Observation& there = other_.observation;
    const auto both = [&](const Named& own, const Named& others, std::vector<V> arguments) {
      const auto depth = static_cast<V>(arguments.size());
      return formula_is(own.formula, arguments, when) ==
             formula_is(translation_.translated(*others.formula, depth), arguments, when);
    };
    const Proposition is_initial = is_equal(T, t, initial_variable);
    const Proposition is_committed = formula_is(here.committed.formula, {t}, when);
    add("clients see the same commits", "observation", {T},
        is_initial || both(here.committed, there.committed, {t}));
    add("clients see the same reads", "observation", {T, K, T},
        is_initial || !is_committed || both(here.reads, there.reads, {t, k, w}));
    add("clients see the same writes", "observation", {T, K},
        is_initial || !is_committed || both(here.writes, there.writes, {t, k}));
    for (std::uint32_t c = 0; c < other_.components.size(); ++c)
      if (map_.components[c].is_chosen) add_choice_claims(c, first, when);
  }

  void add_choice_claims(std::uint32_t number, V first, When when) {
    const Component& component = other_.components[number];
    const auto count = static_cast<V>(component.parameters.size());
    const FormulaPtr& is_it = map_.components[number].formulas[0];
    std::vector<V> one = numbers(count + 1);
    for (V& argument : one) argument += first;
    std::vector<V> other = one;
    other.back() = first + count + 1;
    std::vector<Sort> variables = places(component);
    variables.push_back(Sort::transaction);
    add(component.name + " is not two transactions", "map", variables,
        (formula_is(is_it, one, when) && formula_is(is_it, other, when)) >>
            is_equal(Sort::transaction, one.back(), other.back()));
    if (!component.is_total) return;
    one.pop_back();
    add(component.name + " is a transaction", "map", component.parameters,
        formula_is(exists_of(Sort::transaction, count, is_it), one, when));
  }

  bool claims_real_time() const {
    return std::ranges::any_of(other_.claims, [](const std::string& claim) {
      const auto level = find_abstract_level(claim);
      return level && entry_of(*level).real_time;
    });
  }

  // Strictness: the commit there is after the transaction began here, and before its client has the
  // answer. The components are there only when something is to be proved.
  void lies_in_between(const Event& event, const Term& transaction) {
    const auto first = static_cast<V>(event.parameters.size());
    const auto is = [&](const char* name) {
      for (std::uint32_t c = 0; c < model_.components.size(); ++c)
        if (model_.components[c].name == name)
          return formula_is(atom_of(Kind::relation, c, {transaction}), numbers(first),
                            When::before);
      return nothing();
    };
    const bool begins =
        event.begins && transaction == variable_of(Sort::transaction, *event.begins);
    if (!begins) add("commits after it began", "strictness", {}, is("isoscope.begun"));
    add("commits before it is answered", "strictness", {}, !is("isoscope.answered"));
  }

  const Model& model_;
  const ModelMap& map_;
  const Model& other_;
  Translation translation_;
  bool is_too_large_ = false;
  std::vector<Claim> claims_;
};

}  // namespace

Result<Obligations> refines_obligations(const Model& model) { return RefinesClaims(model).run(); }

}  // namespace isoscope::protocol
