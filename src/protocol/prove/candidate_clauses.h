#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// A set of atoms.
constexpr std::size_t most_atoms = 256;
using AtomSet = std::array<std::uint64_t, most_atoms / 64>;

inline bool has(const AtomSet& set, std::size_t atom) {
  return (set[atom / 64] >> atom % 64 & 1) != 0;
}
inline void add(AtomSet& set, std::size_t atom) { set[atom / 64] |= std::uint64_t{1} << atom % 64; }
bool contains(const AtomSet& set, const AtomSet& part);
bool meets(const AtomSet& a, const AtomSet& b);

/// A statement about one key k and two transactions t, u: whenever all of `if_all` are true, some
/// of `then_any` is. If it speaks of both transactions, they are different ones.
struct Clause {
  AtomSet if_all = {};
  AtomSet then_any = {};  ///< one atom, or none: then never all of `if_all`
  bool is_of_two = false;

  bool fails(const AtomSet& facts, bool same_transaction) const {
    return !(is_of_two && same_transaction) && contains(facts, if_all) && !meets(facts, then_any);
  }
};

/// What clauses are made of: every component of the model at k, t and u, the order of sessions, and
/// so on. Variables of the formulas: 0 is k, 1 is t, 2 is u.
struct Atoms {
  struct Atom {
    FormulaPtr formula;
    bool is_of_t = false, is_of_u = false;
    int group = -1;  ///< of two atoms of one group only one is true: values of one place
  };
  std::vector<Atom> list;
};

/// At most most_atoms; the model's history components come last and may be left out.
Atoms atoms_of(const Model& model);

std::string text_of(const Clause& clause, const Atoms& atoms, const Model& model);

/// Which atoms are true together in states that some small instances reach.
struct Samples {
  /// A state: what is true of every key and two different transactions.
  struct Sampled {
    std::uint8_t keys = 0, transactions = 0;
    std::vector<AtomSet> facts;  ///< by key, first and second transaction

    const AtomSet& at(std::size_t k, std::size_t t, std::size_t u) const {
      return facts[(k * transactions + t) * transactions + u];
    }
  };
  std::vector<Sampled> states;
  std::vector<AtomSet> facts;  ///< all of the above, each once
};

Samples sample(const Model& model, const Atoms& atoms, const Limits& limits);

/// Every clause of at most three atoms that no sample speaks against and that no shorter one
/// implies. Fewer, if a limit is reached.
std::vector<Clause> candidates(const Atoms& atoms, const Samples& samples, const Limits& limits);

}  // namespace isoscope::protocol
