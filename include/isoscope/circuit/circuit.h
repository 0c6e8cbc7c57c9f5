#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/satisfiability.h"

namespace CaDiCaL {
class Solver;
}

namespace isoscope::circuit {

/// A truth value that may depend on choices: a constant, a variable, a gate, or the opposite of
/// one. Twice the number of its node, plus one if negated; node 0 is "true".
struct Bit {
  std::uint32_t code = 0;

  Bit operator!() const { return {code ^ 1}; }
  bool operator==(const Bit&) const = default;
  auto operator<=>(const Bit&) const = default;
  bool is_constant() const { return code < 2; }
  std::uint32_t node() const { return code >> 1; }
  bool is_negated() const { return (code & 1) != 0; }
};
inline constexpr Bit yes{0};
inline constexpr Bit no{1};
inline Bit constant(bool value) { return value ? yes : no; }

/// A Boolean circuit on top of CaDiCaL: conjunctions with negations, equal gates built once,
/// constants folded away. A gate becomes clauses only when something required depends on it, and
/// only in the directions in which it does (Plaisted and Greenbaum).
///
/// What was required counts as constant from then on: gates built later are simpler for it. So
/// require what is known before building upon it.
class Circuit {
 public:
  Circuit();
  ~Circuit();
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  Bit variable();
  Bit both(Bit a, Bit b);
  Bit either(Bit a, Bit b) { return !both(!a, !b); }
  Bit implies(Bit a, Bit b) { return !both(a, !b); }
  Bit same(Bit a, Bit b) { return both(implies(a, b), implies(b, a)); }
  Bit all_of(std::vector<Bit> bits);
  Bit any_of(std::vector<Bit> bits);

  void require(Bit bit);
  /// One of them is true.
  void require_any(std::span<const Bit> bits);

  /// With all of `assumed` true; nothing of that remains afterwards.
  Satisfiability solve(std::span<const Bit> assumed, const Limits& limits);
  /// In the model that solve() found. A bit that no clause mentions is false (true, if negated).
  bool value(Bit bit) const;
  /// After an unsatisfiable solve(): did this assumption matter?
  bool mattered(Bit assumption) const;
  /// Makes the solver try `value` first for this variable.
  void prefer(Bit variable, bool value);

  std::uint64_t clause_count() const { return clauses_; }
  std::uint64_t variable_count() const { return static_cast<std::uint64_t>(solver_variables_); }

 private:
  struct Gate {
    std::uint32_t first = 0;   ///< of its inputs in inputs_
    std::uint32_t count = 0;   ///< 0: a variable
    int literal = 0;           ///< of the solver; 0: not needed so far
    bool is_implied = false;   ///< clauses for "gate => inputs" exist
    bool is_implying = false;  ///< clauses for "inputs => gate" exist
    std::int8_t known = 0;     ///< +1, -1: required
  };

  Bit simplified(Bit bit) const;
  std::span<const Bit> inputs(const Gate& gate) const;
  int literal(Bit bit);
  void define(Bit bit);
  void add_clause(std::span<const Bit> bits);

  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::vector<Gate> gates_;
  std::vector<Bit> inputs_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::uint64_t clauses_ = 0;
  int solver_variables_ = 0;
  bool solver_was_asked_ = false;  ///< by the last solve(); not if an assumption was plainly false
};

}  // namespace isoscope::circuit
