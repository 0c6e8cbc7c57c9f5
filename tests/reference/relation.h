#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace isoscope::reference {

/// Transactions are small numbers: 0 is the initial one, then those that count as committed.
constexpr int max_transactions = 9;

/// A set of transactions.
using Set = std::uint32_t;
constexpr Set only(int transaction) { return Set{1} << transaction; }
constexpr bool has(Set set, int transaction) { return (set >> transaction & 1) != 0; }

/// A relation between transactions.
struct Relation {
  std::array<Set, max_transactions> to{};

  void add(int a, int b) { to[a] |= only(b); }
  bool holds(int a, int b) const { return has(to[a], b); }
  Set after(int a) const { return to[a]; }

  bool operator==(const Relation&) const = default;

  friend Relation operator|(Relation a, const Relation& b) {
    for (std::size_t i = 0; i < max_transactions; ++i) a.to[i] |= b.to[i];
    return a;
  }
  /// Composition: a ; b.
  friend Relation operator*(const Relation& a, const Relation& b) {
    Relation result;
    for (std::size_t i = 0; i < max_transactions; ++i) {
      for (Set rest = a.to[i]; rest != 0; rest &= rest - 1) {
        result.to[i] |= b.to[std::countr_zero(rest)];
      }
    }
    return result;
  }
};

inline Relation closure(Relation r) {
  for (std::size_t k = 0; k < max_transactions; ++k) {
    if (r.to[k] == 0) continue;
    for (Set& to : r.to) {
      if ((to >> k & 1) != 0) to |= r.to[k];
    }
  }
  return r;
}

inline bool irreflexive(const Relation& r) {
  for (int i = 0; i < max_transactions; ++i) {
    if (r.holds(i, i)) return false;
  }
  return true;
}

inline bool acyclic(const Relation& r) { return irreflexive(closure(r)); }

/// The transactions from which the relation leads to this one.
inline Set before(const Relation& r, int transaction) {
  Set set = 0;
  for (int i = 0; i < max_transactions; ++i) {
    if (r.holds(i, transaction)) set |= only(i);
  }
  return set;
}

}  // namespace isoscope::reference
