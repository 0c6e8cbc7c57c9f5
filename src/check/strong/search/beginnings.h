#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/turn_end.h"
#include "check/strong/proof/derivation.h"
#include "check/strong/proof/proof_writer.h"
#include "check/strong/saturation/known_graph.h"
#include "check/strong/search/choice_table.h"
#include "isoscope/base/limits.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/solver/acyclic_solver.h"
#include "isoscope/solver/proof.h"

namespace isoscope::strong {

/// Looks for a contradiction in the *beginning* of a history: the first transactions of each
/// session. Where values repeat much, nearly every read of the whole history has hundreds of
/// candidates. But a candidate far down its session is of use to a reader at the beginning only if
/// all that its session did before it came earlier, too. So of a beginning it is enough to know
/// its own transactions: a read returned what one of them left, or comes after the end of the
/// beginning in a session that has a candidate later on.
///
/// All that is left out only makes the question easier, so what refutes a beginning refutes the
/// whole; an order of a beginning tells nothing. But it shows where to go on: in the order that was
/// found, the session whose part ends first is the one that gets a longer part. Until then all
/// reads were explained by the beginning alone, so no part becomes longer than what can happen
/// until no session can go on, and one transaction. Few sessions with many reads come to that point
/// soon if there is no order.
///
/// The solver gets all choices of a beginning at once, and has to decide all of them. Left open
/// until a clause needs them, they took more than four times as many conflicts.
///
/// Example: with 16 sessions of 400 transactions on 20 keys with 4 values, 93 transactions were
/// refuted with 70,000 conflicts in a second; 50 million states can be reached in them.
class Beginnings {
 public:
  /// `order` is topological for the known graph and has all events. What is referred to must
  /// outlive the object and stay as it is, but for the order.
  Beginnings(const OrderProblem& problem, const KnownGraph& known,
             std::span<const std::uint32_t> order, const Limits& limits);

  /// Uses these limits from the next run on.
  void use(const Limits& limits) { limits_ = &limits; }

  /// Goes on for about this many conflicts of the solver; 0: to the end. If it finds that a
  /// beginning is impossible, the whole is. It gives up where there is nothing to find.
  TurnEnd run(std::uint64_t conflicts);

  /// impossible: writes the steps of the refutation, in beginnings_refutation.cpp.
  void refute(Derivation& derivation, ProofWriter& writer) const;

  /// How many transactions the largest beginning has of which it is known that it has an order.
  std::size_t ordered() const { return ordered_; }

 private:
  /// What a variable of the solver stands for: one event is before another, or what a read
  /// returned.
  struct Statement {
    bool is_order = true;
    std::uint32_t first = 0;   ///< event
    std::uint32_t second = 0;  ///< event
    ReadId read = {};
    VersionId version = {};
  };
  /// Where a clause comes from.
  struct Given {
    enum class Kind : std::uint8_t { read, from, between, conflict };
    Kind kind = Kind::read;
    ReadId read = {};
    Txn writer = 0;
    Txn other = 0;
  };
  /// One beginning, as the solver looks at it.
  struct Round {
    Round(const Digraph& base, std::span<const std::uint32_t> order);

    Digraph graph;
    RecordedProof proof;
    AcyclicSolver solver;
    std::vector<Statement> statements;  ///< by variable
    ChoiceTable orders;                 ///< by events, ascending
    std::unordered_map<std::uint32_t, Given> givens;
  };

  /// Transactions of which each comes after the one before it by session order.
  struct Run {
    std::vector<Txn> all;
    std::size_t length = 1;  ///< of its part in the beginning

    Txn last() const { return all[length - 1]; }
    bool is_whole() const { return length == all.size(); }
  };

  void find_runs();
  bool go_further();
  void start_round();
  void number_events();
  void add_conflicts();
  void add_read(ReadId read);
  void add_candidate(ReadId read, VersionId version, SatLiteral selected);
  SatLiteral selected(ReadId read, VersionId version);
  SatLiteral before(std::uint32_t first, std::uint32_t second);
  void add_clause(std::span<const SatLiteral> literals, const Given& given);
  bool is_inside(Txn t) const { return t != 0 && local_[p_.commit(t)] != none; }
  bool can_choose(const Read& read) const;

  // In beginnings_refutation.cpp.
  ProofLiteral meaning(SatLiteral literal, ProofWriter& writer) const;
  std::vector<ProofLiteral> meaning(std::span<const SatLiteral> literals,
                                    ProofWriter& writer) const;
  std::uint32_t write_given(const ProofEvent& event, Derivation& derivation,
                            ProofWriter& writer) const;
  std::uint32_t write_read(const ProofEvent& event, ReadId read, Derivation& derivation,
                           ProofWriter& writer) const;
  std::uint32_t write_late(ReadId read, Txn candidate, ProofWriter& writer) const;
  std::uint32_t write_cycle(const ProofEvent& event, Derivation& derivation,
                            ProofWriter& writer) const;

  const OrderProblem& p_;
  const KnownGraph& known_;
  const Limits* limits_;
  std::vector<std::uint32_t> place_;  // by event, in the order given
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_of_;  // by transaction
  std::unique_ptr<Round> round_;
  std::vector<std::uint32_t> events_;                // of the beginning
  std::vector<std::uint32_t> local_;                 // by event; none: it is later
  std::map<KeyId, std::vector<VersionId>> writers_;  // versions, by key
  std::uint64_t work_ = 0;                           // of the present round, before the solver
  std::size_t ordered_ = 0;                          // see ordered()
};

}  // namespace isoscope::strong
