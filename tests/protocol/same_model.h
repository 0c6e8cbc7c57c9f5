#pragma once

#include <algorithm>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

inline bool same(const Formula& a, const Formula& b);
inline bool same(const Model& a, const Model& b);

inline bool same_pointers(const FormulaPtr& a, const FormulaPtr& b) {
  return a && b ? same(*a, *b) : !a && !b;
}

template <class Items, class Same>
inline bool all_same(const Items& a, const Items& b, Same same_items) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_items);
}

inline bool same_variables(const Variable& a, const Variable& b) {
  return a.name == b.name && a.sort == b.sort;
}

inline bool same_named(const Named& a, const Named& b) {
  return all_same(a.variables, b.variables, same_variables) && same_pointers(a.formula, b.formula);
}

inline bool same_components(const Component& a, const Component& b) {
  return a.name == b.name && a.kind == b.kind && a.parameters == b.parameters &&
         a.enumeration == b.enumeration && a.is_total == b.is_total &&
         a.is_constant == b.is_constant && a.is_history == b.is_history &&
         same_pointers(a.initially, b.initially) && a.initial_value == b.initial_value &&
         a.initially_initial == b.initially_initial;
}

inline bool same_cases(const Update::Case& a, const Update::Case& b) {
  return same_pointers(a.condition, b.condition) && same_pointers(a.formula, b.formula) &&
         a.value == b.value && a.reference.kind == b.reference.kind &&
         a.reference.term == b.reference.term && a.reference.component == b.reference.component &&
         a.reference.at == b.reference.at;
}

inline bool same_updates(const Update& a, const Update& b) {
  return a.component == b.component && a.bound == b.bound && a.index == b.index &&
         all_same(a.cases, b.cases, same_cases);
}

inline bool same_events(const Event& a, const Event& b) {
  return a.name == b.name && all_same(a.parameters, b.parameters, same_variables) && a.at == b.at &&
         same(*a.guard, *b.guard) && all_same(a.updates, b.updates, same_updates) &&
         a.begins == b.begins && a.commits == b.commits && a.answers == b.answers;
}

inline bool same_refinements(const Refinement& a, const Refinement& b) {
  const auto same_views = [](const auto& x, const auto& y) {
    return x.first == y.first && same_pointers(x.second, y.second);
  };
  return same_named(a.installed, b.installed) && same_named(a.before, b.before) &&
         same_named(a.reader, b.reader) && same_named(a.sees, b.sees) &&
         all_same(a.view, b.view, same_views) && all_same(a.auxiliary, b.auxiliary, same_views);
}

inline bool same_maps(const ModelMap& a, const ModelMap& b) {
  const auto same_component_maps = [](const ComponentMap& x, const ComponentMap& y) {
    return all_same(x.formulas, y.formulas, same_pointers) && x.term == y.term &&
           x.is_chosen == y.is_chosen;
  };
  const auto same_event_maps = [](const auto& x, const auto& y) {
    return x.has_value() == y.has_value() &&
           (!x || (x->event == y->event && x->arguments == y->arguments));
  };
  return a.name == b.name && same(*a.model, *b.model) && a.orders == b.orders &&
         all_same(a.components, b.components, same_component_maps) &&
         all_same(a.events, b.events, same_event_maps);
}

/// The same except for the places in the text.
inline bool same(const Formula& a, const Formula& b) {
  return a.kind == b.kind && a.index == b.index && a.values == b.values && a.sort == b.sort &&
         a.terms == b.terms && all_same(a.children, b.children, same_pointers);
}

/// The same except for its name and the places in the text. Formatting must keep this.
inline bool same(const Model& a, const Model& b) {
  const auto same_enumerations = [](const Enumeration& x, const Enumeration& y) {
    return x.name == y.name && x.values == y.values;
  };
  const auto same_invariants = [](const Invariant& x, const Invariant& y) {
    return x.name == y.name && same_pointers(x.formula, y.formula);
  };
  if (a.refinement.has_value() != b.refinement.has_value()) return false;
  if (a.refinement && !same_refinements(*a.refinement, *b.refinement)) return false;
  if (a.witness.has_value() != b.witness.has_value()) return false;
  if (a.witness && !(same_named(a.witness->before, b.witness->before) &&
                     same_named(a.witness->sees, b.witness->sees))) {
    return false;
  }
  if (a.refines.has_value() != b.refines.has_value()) return false;
  if (a.refines && !same_maps(*a.refines, *b.refines)) return false;
  return a.title == b.title && a.citation == b.citation && a.claims == b.claims &&
         all_same(a.enumerations, b.enumerations, same_enumerations) && a.orders == b.orders &&
         all_same(a.components, b.components, same_components) &&
         all_same(a.events, b.events, same_events) &&
         same_named(a.observation.committed, b.observation.committed) &&
         same_named(a.observation.reads, b.observation.reads) &&
         same_named(a.observation.writes, b.observation.writes) &&
         all_same(a.invariants, b.invariants, same_invariants);
}

}  // namespace isoscope::protocol
