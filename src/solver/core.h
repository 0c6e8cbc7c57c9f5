#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/graph/incremental_order.h"
#include "isoscope/solver/acyclic_solver.h"
#include "isoscope/solver/proof.h"
#include "isoscope/solver/sat_literal.h"
#include "solver/activity_heap.h"
#include "solver/clauses.h"

namespace isoscope {

/// The solver's state, and its techniques, each in a file of its own:
///
///   add.cpp        variables, edges and clauses from the caller
///   search.cpp     the main loop
///   propagate.cpp  assigning literals, their consequences by clauses, and taking them back
///   theory.cpp     edges of true literals, and lemmas from cycles
///   decide.cpp     what to decide, and which way
///   analyse.cpp    from a conflict to a learned clause
///   explain.cpp    proof events: what a learned clause rests on
///   restart.cpp    when to start over
///   reduce.cpp     which learned clauses to forget
///
/// Invariants: 1. Every clause in clauses_ is watched by its first two literals. While nothing is
/// left to propagate, a watched literal is false only if another literal is true, and if that one
/// is taken back first, the watched one is propagated again. 2. A true literal's reason, if it has
/// one, has the literal first; its others are false and come earlier on the trail, and the highest
/// of their levels is the literal's. 3. Literals of level 0 have no reason but a unit clause in the
/// proof: unit_id. 4. The edges of the first theory_head_ literals of the trail are in the order,
/// and besides at most edges of level 0.
class AcyclicSolver::Core {
 public:
  Core(const Digraph& base, std::span<const std::uint32_t> order, Options options,
       ProofListener* proof)
      : options_(options), proof_(proof), order_(base, order) {}

  std::uint32_t add_variable(bool must_decide);
  void make_decided(std::uint32_t variable);
  void add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag);
  std::uint32_t add_clause(std::span<const SatLiteral> literals);
  Satisfiability solve(const Limits& limits, std::uint64_t most_conflicts);

  std::optional<bool> value(SatLiteral literal) const {
    return is_open(literal) ? std::nullopt : std::optional(is_true(literal));
  }
  const IncrementalOrder& order() const { return order_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Variable {
    std::uint32_t level = 0;
    ClauseRef reason = no_clause;
    std::uint32_t trail_place = 0;
    std::uint32_t unit_id = 0;  ///< the clause that fixes it at level 0, or 0
    bool must_decide = false;
    bool last_value = false;
  };
  struct Watch {
    ClauseRef clause;
    SatLiteral blocker;  ///< some other literal of the clause; if it is true, all is well
  };
  struct OwnedEdge {
    DirectedEdge edge;
    SatLiteral owner;
    std::uint32_t tag;
    std::uint32_t next;  ///< the owner's next edge, or none
  };
  static constexpr std::uint32_t no_edge = 0xFFFFFFFF;
  struct EdgeList {
    std::uint32_t first = no_edge;
    std::uint32_t last = no_edge;
  };
  struct Level {
    std::size_t trail_size;  ///< when its decision was taken
    std::size_t order_mark;
  };
  /// A clause all of whose literals are false.
  struct Conflict {
    std::uint32_t id = 0;
    ClauseRef clause = no_clause;  ///< none: a lemma from a cycle
    std::vector<SatLiteral> literals;
  };
  struct GivenClause {
    ClauseRef clause;
    SatLiteral witness;  ///< the literal that was true when last looked at
  };
  /// What analysis knows about a variable.
  enum class Mark : std::uint8_t { none, in_clause, implied, not_implied };

  // propagate.cpp
  bool is_true(SatLiteral literal) const { return values_[literal.code()] > 0; }
  bool is_false(SatLiteral literal) const { return values_[literal.code()] < 0; }
  bool is_open(SatLiteral literal) const { return values_[literal.code()] == 0; }
  std::uint32_t level() const { return static_cast<std::uint32_t>(levels_.size()); }
  std::uint32_t level_of(SatLiteral literal) const { return variables_[literal.variable()].level; }
  /// Makes an open literal true because of a clause.
  void assign(SatLiteral literal, ClauseRef reason);
  /// The same, because of a unit clause: it belongs to level 0.
  void assign_unit(SatLiteral literal, std::uint32_t id);
  void set_true(SatLiteral literal, ClauseRef reason, std::uint32_t at_level);
  std::uint32_t highest_level_behind(ClauseRef reason) const;
  void copy_literals(ClauseRef clause, std::vector<SatLiteral>& to) const;
  void watch(ClauseRef clause);
  /// False if there is a conflict, which is then in conflict_.
  bool propagate();
  bool propagate_clauses();
  bool visit_watches(SatLiteral falsified);
  void backtrack(std::uint32_t level);

  // theory.cpp
  bool insert_edges_of(SatLiteral literal);
  bool insert_edge(std::uint32_t index);
  void make_lemma();

  // decide.cpp
  bool decide();
  void decide_on(SatLiteral literal);
  SatLiteral preferred(std::uint32_t variable) const;
  std::optional<bool> order_agrees_with(SatLiteral literal) const;
  std::optional<SatLiteral> literal_for_open_clause();
  bool has_true_literal(GivenClause& given) const;
  SatLiteral best_open_literal(ClauseRef clause) const;

  // analyse.cpp
  /// Undoes conflict_ by what it teaches. False if there is nothing to undo: it is of level 0.
  bool learn_from_conflict();
  std::uint32_t conflict_level() const;
  std::span<const std::uint32_t> watch_highest_levels(ClauseRef clause);
  std::uint32_t level_to_go_back_to(std::uint32_t jump) const;
  void derive_learned();
  void minimise();
  bool is_implied(SatLiteral literal, unsigned depth);
  void visit_for_analysis(SatLiteral literal);
  void set_mark(std::uint32_t variable, Mark mark);
  void forget_marks();
  std::uint32_t stamp_levels();

  // explain.cpp
  void announce_unit(SatLiteral literal, std::uint32_t id, std::span<const SatLiteral> clause);
  std::uint32_t announce_learned();
  void announce_empty_clause();
  void collect_antecedents();
  void need(SatLiteral false_literal);

  // restart.cpp, reduce.cpp, search.cpp
  void restart();
  bool restart_is_due() const { return conflicts_since_restart_ >= conflicts_allowed_; }
  void reduce();
  bool reduce_is_due() const { return statistics_.conflicts >= next_reduce_; }
  /// At level 0: propagates, and sees whether that is the end.
  void settle();
  void conclude_unsatisfiable();

  Options options_;
  ProofListener* proof_;
  IncrementalOrder order_;
  Statistics statistics_;
  std::uint32_t last_id_ = 0;
  bool unsatisfiable_ = false;

  std::vector<Variable> variables_;
  std::vector<std::int8_t> values_;          ///< per literal: 1 true, -1 false, 0 open
  std::vector<std::vector<Watch>> watches_;  ///< per literal: the clauses that watch it
  std::vector<EdgeList> edges_of_;           ///< per literal
  std::vector<OwnedEdge> edges_;             ///< an edge's index is its label in order_
  ActivityHeap heap_;

  ClauseStore clauses_;
  std::vector<GivenClause> given_;
  std::vector<ClauseRef> learned_;
  std::size_t next_given_ = 0;       ///< see literal_for_open_clause()
  std::size_t given_unchecked_ = 0;  ///< the same

  std::vector<SatLiteral> trail_;
  std::vector<Level> levels_;
  std::size_t clause_head_ = 0;  ///< how far clauses have been propagated
  std::size_t theory_head_ = 0;  ///< whose edges are in order_

  std::uint32_t restarts_done_ = 0;  ///< for Luby's sequence
  std::uint64_t conflicts_since_restart_ = 0;
  std::uint64_t conflicts_allowed_ = 100;
  std::uint64_t next_reduce_ = 2000;
  std::uint64_t reductions_ = 0;

  // Scratch of one conflict.
  Conflict conflict_;
  std::vector<SatLiteral> new_clause_;
  std::vector<Mark> marks_;  ///< per variable, none between conflicts
  std::vector<std::uint32_t> marked_;
  std::uint32_t open_paths_ = 0;
  std::vector<std::uint32_t> level_stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> antecedents_;
  std::vector<std::uint32_t> needed_;  ///< variables whose reasons are antecedents
  std::vector<CycleEdge> cycle_edges_;
  std::vector<SatLiteral> scratch_literals_;
};

}  // namespace isoscope
