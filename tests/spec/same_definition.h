#pragma once

#include <algorithm>

#include "isoscope/spec/definition.h"

namespace isoscope::spec {

inline bool same(const Node& a, const Node& b);

inline bool same_or_both_null(const NodePtr& a, const NodePtr& b) {
  return a && b ? same(*a, *b) : !a && !b;
}

/// The same nodes, wherever they stand in their texts.
inline bool same(const Node& a, const Node& b) {
  return &a == &b ||
         (a.kind == b.kind && a.type == b.type && a.base == b.base && a.index == b.index &&
          a.sorts == b.sorts && a.free_variables == b.free_variables &&
          std::ranges::equal(a.children, b.children, same_or_both_null));
}

/// Everything the same but the positions of nodes.
inline bool same(const Definition& a, const Definition& b) {
  return a.name == b.name && a.title == b.title && a.citation == b.citation &&
         a.defines == b.defines &&
         std::ranges::equal(a.witnesses, b.witnesses,
                            [](const Witness& v, const Witness& w) {
                              return v.name == w.name && v.kind == w.kind &&
                                     same_or_both_null(v.at_least, w.at_least) &&
                                     same_or_both_null(v.at_most, w.at_most);
                            }) &&
         std::ranges::equal(a.axioms, b.axioms,
                            [](const Axiom& v, const Axiom& w) {
                              return v.name == w.name && same(*v.formula, *w.formula);
                            }) &&
         std::ranges::equal(a.canonical, b.canonical, [](const Canonical& v, const Canonical& w) {
           return std::ranges::equal(v.values, w.values, same_or_both_null);
         });
}

}  // namespace isoscope::spec
