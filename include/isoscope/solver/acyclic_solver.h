#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "isoscope/base/limits.h"
#include "isoscope/base/satisfiability.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/graph/incremental_order.h"
#include "isoscope/solver/proof.h"
#include "isoscope/solver/sat_literal.h"

namespace isoscope {

/// Satisfiability of clauses together with acyclicity: each literal may own edges, which are in the
/// graph (on top of a base graph that is always there) while the literal is true. A solution makes
/// every clause true and leaves the graph without a cycle.
///
/// A model may leave variables open that no clause needs; they own no edges then. If such a
/// variable owns edges with one of its literals only, it can take the other value, so the model is
/// part of a solution. If it owns edges with both, there may be none: declare it must_decide where
/// that matters. `unsatisfiable` always means that there is no solution.
///
/// Example: base 0 -> 1; variable a owns 1 -> 2, variable b owns 2 -> 0; clause (a or b) is
/// satisfiable, with clause (a) and clause (b) it is not: 1 -> 2 -> 0 -> 1.
///
/// Method: conflict-driven clause learning (Marques-Silva and Sakallah 1996; two watched literals
/// and activities as in Chaff, 2001; first unique implication points) with the theory asked
/// whenever a literal becomes true (incremental_order.h). Only what is needed is decided: the
/// variables that the caller declared must_decide, and beyond them one literal for each clause that
/// is not true yet. The present order of the graph says which value to try first, so that a
/// decision seldom moves anything.
///
/// Deterministic: the same calls give the same answers, models and proofs. Not thread-safe.
class AcyclicSolver {
 public:
  struct Options {
    /// Try first the value whose edge agrees with the present order. Off: the value the variable
    /// had last, at first false.
    bool order_guides_polarity = true;
    /// The maximum number of decisions that a conflict may take back at once. If it could take back
    /// more, it takes back one.
    std::uint32_t longest_jump = 100;
  };

  struct Statistics {
    std::uint64_t decisions = 0;
    std::uint64_t conflicts = 0;        ///< all, those of cycles included
    std::uint64_t cycle_conflicts = 0;  ///< edges refused
    std::uint64_t propagations = 0;     ///< literals that became true
    std::uint64_t restarts = 0;
    std::uint64_t learned = 0;  ///< clauses of two literals or more
    std::uint64_t deleted = 0;  ///< of those
  };

  /// `base` and `proof` must outlive it; `order` lists all nodes in an order topological for
  /// `base`.
  AcyclicSolver(const Digraph& base, std::span<const std::uint32_t> order, Options options,
                ProofListener* proof = nullptr);
  ~AcyclicSolver();
  AcyclicSolver(AcyclicSolver&&) noexcept;
  AcyclicSolver& operator=(AcyclicSolver&&) noexcept;

  /// Variables count from 0. `must_decide`: the problem is solved only when the variable has a
  /// value; the others stay open unless a clause needs them.
  std::uint32_t add_variable(bool must_decide);
  void make_decided(std::uint32_t variable);

  /// While the literal is true the edge is in the graph. Any literal may own any number of edges.
  /// `tag` is handed back in proofs.
  void add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag);

  /// Returns the clause's id in the proof. Repeated literals and tautologies are fine.
  std::uint32_t add_clause(std::span<const SatLiteral> literals);

  /// After `satisfiable` more may be added and asked again; `unsatisfiable` stays so. It stops at a
  /// limit, and when all calls together have had `most_conflicts` conflicts (0: no such limit). It
  /// keeps what it has learned, and can be asked again.
  Satisfiability solve(const Limits& limits, std::uint64_t most_conflicts = 0);

  /// The literal's value in the model of the last satisfiable answer; nothing if the variable was
  /// left open. add_edge and add_clause end the model: from then until the next satisfiable answer
  /// only those literals have a value that every solution agrees on (as far as was found out).
  std::optional<bool> value(SatLiteral literal) const;

  /// The order of the nodes. After a satisfiable answer it fits the base and the edges of every
  /// true literal, until add_edge or add_clause ends the model.
  const IncrementalOrder& order() const;

  const Statistics& statistics() const;

 private:
  class Core;  // src/solver/core.h
  std::unique_ptr<Core> core_;
};

}  // namespace isoscope
