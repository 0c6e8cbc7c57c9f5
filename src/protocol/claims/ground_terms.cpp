#include <algorithm>

#include "isoscope/base/contract.h"
#include "protocol/claims/ground.h"

// Which terms there are, and the facts about them before the event.

namespace isoscope::protocol {
namespace {

using circuit::no;
using circuit::yes;
using Kind = Formula::Kind;

std::size_t number(Sort sort) { return static_cast<std::size_t>(sort); }

}  // namespace

void Ground::make_terms(const Constants& free) {
  const Element initial = new_element(Sort::transaction);
  ISOSCOPE_REQUIRE(initial == 0);
  Constants all = free;
  if (event_) {
    for (const Variable& parameter : event_->parameters)
      parameters_.push_back(new_element(parameter.sort));
    const Constants guard = constants_for(*event_->guard, Use::assumed);
    for (const Sort sort : {Sort::client, Sort::key, Sort::transaction}) all[sort] += guard[sort];
  }
  for (const Sort sort : {Sort::client, Sort::key, Sort::transaction})
    for (std::size_t i = 0; i < all[sort]; ++i) free_[number(sort)].push_back(new_element(sort));
  // There is at least one of everything.
  if (count(Sort::key) == 0) new_element(Sort::key);
  // What functions give: total references of keys, then owners.
  for (std::uint32_t c = 0; c < model_.components.size(); ++c) {
    const Component& component = model_.components[c];
    if (component.kind != Component::Kind::reference || !component.is_total) continue;
    for (const Sort sort : component.parameters) ISOSCOPE_REQUIRE(sort == Sort::key);
    for (const Atom& place : places_of(component))
      reference_terms_.emplace(std::pair(c, place), new_element(Sort::transaction));
  }
  if (event_ && model_.refines) make_targets(*event_->guard, false);
  for (Element t = 0; t < count(Sort::transaction); ++t)
    owner_.push_back(new_element(Sort::client));
}

// Makes terms for what references refer to where they must not be none: for the event's
// transactions, at its keys or at all keys. What is asked about other transactions is no place of
// the event, and a term for each of those would lead to ever more terms.
void Ground::make_targets(const Formula& formula, bool is_denied) {
  for (std::size_t i = 0; i < formula.children.size(); ++i) {
    const bool turns =
        formula.kind == Kind::negation || (formula.kind == Kind::implication && i == 0);
    make_targets(*formula.children[i], is_denied != turns);
    if (formula.kind == Kind::equivalence) make_targets(*formula.children[i], !is_denied);
  }
  if (formula.kind != Kind::refers_to_none || !is_denied) return;
  std::vector<Atom> places = {{}};
  for (const Term& term : formula.terms) {
    if (term.kind != Term::Kind::variable) return;
    const bool is_parameter = term.index < parameters_.size();
    if (!is_parameter && term.sort != Sort::key) return;
    std::vector<Atom> longer;
    for (const Atom& place : places) {
      const Element last =
          is_parameter ? parameters_[term.index] + 1 : static_cast<Element>(count(Sort::key));
      for (Element e = is_parameter ? last - 1 : 0; e < last; ++e) {
        longer.push_back(place);
        longer.back().push_back(e);
      }
    }
    places = std::move(longer);
  }
  for (const Atom& place : places) {
    const std::pair key(formula.index, place);
    if (!targets_.contains(key)) targets_.emplace(key, new_element(Sort::transaction));
  }
}

void Ground::relate_targets() {
  for (const auto& [place, target] : targets_)
    circuit_.require(circuit_.either(stored_none(place.first, place.second),
                                     stored_reference(place.first, place.second, target)));
}

std::vector<Ground::Atom> Ground::places_of(const Component& component) const {
  std::vector<Atom> places = {{}};
  for (const Sort sort : component.parameters) {
    std::vector<Atom> longer;
    for (const Atom& place : places) {
      for (Element e = 0; e < count(sort); ++e) {
        longer.push_back(place);
        longer.back().push_back(e);
      }
    }
    places = std::move(longer);
  }
  return places;
}

Bit Ground::equal(Sort sort, Element a, Element b) {
  if (a == b) return yes;
  const std::pair key(std::min(a, b), std::max(a, b));
  const auto [it, is_new] = equal_[number(sort)].try_emplace(key, no);
  if (is_new) it->second = circuit_.variable();
  return it->second;
}

// Requires that equality is an equality, that functions give the same for the same arguments, and
// that the built-in orders are orders.
void Ground::relate_terms() {
  for (const Sort sort : {Sort::client, Sort::key, Sort::transaction}) {
    const auto n = static_cast<Element>(count(sort));
    for (Element a = 0; a < n; ++a)
      for (Element b = 0; b < n; ++b)
        for (Element c = a + 1; c < n; ++c)
          if (a != b && b != c)
            circuit_.require(
                circuit_.any_of({!equal(sort, a, b), !equal(sort, b, c), equal(sort, a, c)}));
  }
  const auto n = static_cast<Element>(count(Sort::transaction));
  for (Element t = 0; t < n; ++t)
    for (Element u = 0; u < t; ++u)
      circuit_.require(circuit_.implies(equal(Sort::transaction, t, u),
                                        equal(Sort::client, owner_[t], owner_[u])));
  for (const auto& [a, to_a] : reference_terms_)
    for (const auto& [b, to_b] : reference_terms_) {
      if (a.first != b.first || a.second >= b.second) continue;
      circuit_.require(circuit_.implies(
          same_arguments(model_.components[a.first].parameters, a.second, b.second),
          equal(Sort::transaction, to_a, to_b)));
    }

  const auto so = static_cast<std::uint32_t>(model_.components.size());
  for (Element t = 0; t < n; ++t) {
    for (Element u = 0; u < n; ++u) {
      const Bit same = equal(Sort::transaction, t, u);
      const Bit is_initial =
          circuit_.either(equal(Sort::transaction, t, 0), equal(Sort::transaction, u, 0));
      const Bit same_client = equal(Sort::client, owner_[t], owner_[u]);
      const Bit before = stored(so, {t, u});
      circuit_.require(
          circuit_.implies(before, circuit_.all_of({!same, !is_initial, same_client})));
      circuit_.require(
          circuit_.any_of({same, is_initial, !same_client, before, stored(so, {u, t})}));
      for (std::uint32_t i = 0; i < model_.orders.size(); ++i) {
        const std::uint32_t order = so + 1 + i;
        circuit_.require(circuit_.implies(stored(order, {t, u}), !same));
        circuit_.require(circuit_.any_of({same, stored(order, {t, u}), stored(order, {u, t})}));
        circuit_.require(circuit_.implies(equal(Sort::transaction, u, 0), !stored(order, {t, u})));
      }
      const auto last = so + static_cast<std::uint32_t>(model_.orders.size());
      for (Element v = 0; v < n; ++v)
        for (std::uint32_t order = so; order <= last; ++order)
          circuit_.require(circuit_.any_of(
              {!stored(order, {t, u}), !stored(order, {u, v}), stored(order, {t, v})}));
    }
  }
}

Bit Ground::same_arguments(const std::vector<Sort>& sorts, const Atom& a, const Atom& b) {
  std::vector<Bit> all;
  for (std::size_t i = 0; i < a.size(); ++i)
    all.push_back(i < sorts.size() ? equal(sorts[i], a[i], b[i]) : circuit::constant(a[i] == b[i]));
  return circuit_.all_of(std::move(all));
}

std::vector<Sort> Ground::sorts_of(std::uint32_t symbol) const {
  const std::size_t none = model_.components.size() + 1 + model_.orders.size();
  if (symbol >= none) return model_.components[symbol - none].parameters;
  if (symbol >= model_.components.size()) return {Sort::transaction, Sort::transaction};
  std::vector<Sort> sorts = model_.components[symbol].parameters;
  if (model_.components[symbol].kind == Component::Kind::reference)
    sorts.push_back(Sort::transaction);
  return sorts;
}

// A fact about terms. If other terms name the same things, it is the same fact.
Bit Ground::stored(std::uint32_t symbol, const Atom& at) {
  auto& known = stored_[symbol];
  if (const auto it = known.find(at); it != known.end()) return it->second;
  const Bit bit = circuit_.variable();
  const std::vector<Sort> sorts = sorts_of(symbol);
  for (const auto& [other, other_bit] : known) {
    const Bit same = same_arguments(sorts, at, other);
    if (same == no) continue;
    circuit_.require(circuit_.any_of({!same, !bit, other_bit}));
    circuit_.require(circuit_.any_of({!same, bit, !other_bit}));
  }
  known.emplace(at, bit);
  return bit;
}

Bit Ground::stored_value(std::uint32_t component, const Atom& at, std::uint32_t value) {
  const std::size_t values =
      model_.enumerations[model_.components[component].enumeration].values.size();
  Atom with_value = at;
  with_value.push_back(value);
  if (const auto it = stored_[component].find(with_value); it != stored_[component].end())
    return it->second;
  // One of the values, and only one.
  std::vector<Bit> all;
  for (std::uint32_t v = 0; v < values; ++v) {
    with_value.back() = v;
    all.push_back(stored(component, with_value));
    for (std::uint32_t other = 0; other < v; ++other)
      circuit_.require(!circuit_.both(all[v], all[other]));
  }
  circuit_.require(circuit_.any_of(all));
  return all[value];
}

Ground::Element Ground::reference_term(std::uint32_t component, const Atom& at) const {
  return reference_terms_.at({component, at});
}

Bit Ground::stored_reference(std::uint32_t component, const Atom& at, Element to) {
  if (model_.components[component].is_total)
    return equal(Sort::transaction, reference_term(component, at), to);
  Atom with_target = at;
  with_target.push_back(to);
  auto& known = stored_[component];
  if (const auto it = known.find(with_target); it != known.end()) return it->second;
  const Bit bit = stored(component, with_target);
  // At most one target.
  for (const auto& [other, other_bit] : known) {
    if (!std::equal(at.begin(), at.end(), other.begin()) || other.back() == to) continue;
    circuit_.require(
        circuit_.any_of({!bit, !other_bit, equal(Sort::transaction, to, other.back())}));
  }
  return bit;
}

Bit Ground::stored_none(std::uint32_t component, const Atom& at) {
  if (model_.components[component].is_total) return no;
  const std::size_t symbol = model_.components.size() + 1 + model_.orders.size() + component;
  if (const auto it = stored_[symbol].find(at); it != stored_[symbol].end()) return it->second;
  const Bit bit = stored(static_cast<std::uint32_t>(symbol), at);
  for (Element t = 0; t < count(Sort::transaction); ++t)
    circuit_.require(!circuit_.both(bit, stored_reference(component, at, t)));
  return bit;
}

}  // namespace isoscope::protocol
