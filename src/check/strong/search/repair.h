#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/strong/problem/list_states.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/row_reads.h"
#include "check/strong/problem/turn_end.h"
#include "check/strong/saturation/clocks.h"
#include "check/strong/saturation/known_graph.h"
#include "check/strong/search/choice_table.h"
#include "check/strong/search/guess.h"
#include "check/strong/search/replay.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/check/check_options.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/solver/acyclic_solver.h"
#include "isoscope/solver/proof.h"

namespace isoscope::strong {

/// What a variable of the solver stands for.
struct Choice {
  enum class Kind : std::uint8_t {
    order,      ///< of two versions of a key: `version` is earlier than `other`; negated: later
    selection,  ///< `read` returned the version
    before,     ///< `read`'s reader begins before the version is committed
    committed,  ///< the open transaction `txn` committed
    state,      ///< the version is the list of the first `elements` elements that `read` saw
  };
  Kind kind = Kind::order;
  bool must_decide = false;
  VersionId version = {};  ///< of all but committed
  VersionId other = {};    ///< of order
  ReadId read = {};        ///< of selection, before and state
  Txn txn = 0;             ///< of committed
  std::uint32_t elements = 0;
};

/// Turns a guessed order into a right one, or finds out that there is none.
///
/// Most open choices never matter, so a choice becomes a variable only when an order got it wrong:
///  - a read whose source is known, with another writer W in between: is the source before W or
///    after it? Both come with edges; if before, every known reader of the source precedes W.
///  - a read with several candidates: which one; and for the one that is chosen and a writer W in
///    between: W precedes the candidate, or follows the reader.
///  - two writers of a key that overlap: which one is first.
///  - a predicate that selects, or does not, a row as the order has it: this is a read with
///    candidates, too.
///  - a list to which elements were appended more than once, and that is another one in the order
///    than was read: which transaction left it, which one left what stood before that one's
///    appends, and so on; each of these is a read with candidates of its own, by the
///    transaction that appended next.
///  - an open transaction from which somebody reads has committed, and then its reads count.
/// The solver answers with an order in which all this is right; what else it got wrong is repaired
/// next. Each round adds a choice that was not there before, so it ends.
class Repair {
 public:
  /// `clocks` may be null; without them nothing is known to follow from the graph beforehand.
  Repair(const OrderProblem& problem, RowReads& rows, ListStates& lists, const Digraph& graph,
         const Clocks* clocks, Guess guess, const StrongTechniques& techniques,
         const Limits& limits, Progress& progress);

  /// Replaces those of the constructor from now on.
  void use(const Limits& limits, Progress& progress) {
    limits_ = &limits;
    progress_ = &progress;
  }

  /// Stops after this many more conflicts, or when all its rounds together have taken as long as
  /// that; 0: it does not stop. It can then be called again to go on. A round that will take longer
  /// than what is left waits for a longer turn, so that other attempts come first.
  /// Where a limit was reached, it ends with `not_yet`, too.
  TurnEnd run(std::uint64_t conflicts);

  /// found: all events in an order that is right, and the transactions that take part.
  const std::vector<std::uint32_t>& order() const { return order_; }
  const std::vector<std::uint8_t>& takes_part() const { return takes_part_; }

  // impossible: why.
  const std::vector<Choice>& choices() const { return choices_; }
  const RecordedProof& proof() const { return proof_; }
  /// For each cycle that was given as a clause, by the clause's id, its edges that belong to
  /// choices. From each edge to the next, and from the last to the first, there is a way through
  /// the known graph.
  const std::unordered_map<std::uint32_t, std::vector<CycleEdge>>& given_cycles() const {
    return given_cycles_;
  }

  /// For each clause that says what a version is, by its id, the read that certainly returned it.
  const std::unordered_map<std::uint32_t, ReadId>& known_lists() const { return known_lists_; }
  /// How many elements were appended for the version of a list with repeated elements.
  std::uint32_t appends(VersionId version) const {
    return lists_.blocks(p_.versions[version].key).appends(version);
  }

  /// The statistics of the solver; they are zero if the guess was right.
  AcyclicSolver::Statistics statistics() const {
    return solver_ ? solver_->statistics() : AcyclicSolver::Statistics{};
  }
  /// How many rounds of solving there were; 0 if the guess was right.
  std::size_t rounds() const { return rounds_; }
  std::size_t first_misfits() const { return first_misfits_; }

 private:
  TurnEnd solve(std::uint64_t most_conflicts);
  std::uint64_t effort() const;
  std::uint64_t effort_of_round(const Misfits& misfits) const;
  /// False if a limit was reached.
  bool find_misfits();

  // In repair_lists.cpp: reads of lists to which elements were appended more than once.
  void note_states();
  bool repair_lists(std::span<const ReadId> wrong, std::span<const VersionId> chosen);
  bool repair_list(ReadId read, VersionId chosen);
  bool follow_list(ReadId read, VersionId version);
  void add_rest(ReadId read, ValueId list, VersionId version, VersionId likely);
  VersionId likely_before(ValueId list, VersionId version, std::span<const VersionId> used) const;
  std::uint32_t commit_place(VersionId version) const;
  void add_next(ReadId read, ValueId list, VersionId version, VersionId before);
  void add_apart(ReadId read, ValueId list, VersionId version, VersionId before, VersionId other);
  SatLiteral left(ReadId read, ValueId list, VersionId version);

  // In repair_eagerly.cpp: everything at once. False if a limit was reached.
  bool add_choices_of_hard_keys(const Misfits& misfits);
  bool add_all_choices();
  bool add_all_orders(KeyId key);
  bool add_all_selections(ReadId read);
  bool is_ordered(VersionId first, VersionId second) const;
  bool reaches(std::uint32_t from, std::uint32_t to) const;
  bool add_small_cycles(std::size_t width);
  bool extend_cycle(std::size_t width);

  bool is_stopped() { return limits_->reached(std::exchange(steps_, 0) + 1).has_value(); }
  /// False if a limit was reached.
  bool repair(const Misfits& misfits);
  void repair_known(ReadId read);
  void repair_open(ReadId read, VersionId chosen);
  bool is_certain(const Read& read) const;
  VersionId chosen_candidate(ReadId read) const;
  void choose_among_candidates(ReadId read);
  void add_between(ReadId read, VersionId candidate, VersionId version);
  std::span<const VersionId> writers_in_between(const Read& read, VersionId version);

  SatLiteral earlier(VersionId first, VersionId second, bool must_decide);
  SatLiteral selected(ReadId read, VersionId version);
  SatLiteral before(ReadId read, VersionId version);
  SatLiteral committed(Txn t);
  std::uint32_t add_choice(const Choice& choice);
  std::uint32_t add_clause(std::span<const SatLiteral> literals);
  void add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag);
  void add_order_edges(SatLiteral literal, VersionId first, VersionId second);

  const OrderProblem& p_;
  RowReads& rows_;
  ListStates& lists_;
  const Digraph& graph_;
  const Clocks* clocks_;
  const StrongTechniques& techniques_;
  const Limits* limits_;
  Progress* progress_;
  RecordedProof proof_;
  std::optional<AcyclicSolver> solver_;
  std::vector<std::uint32_t> order_;
  Misfits misfits_of_guess_;
  std::optional<Misfits> misfits_;  // of the order, until its round is done
  std::vector<std::uint32_t> place_;
  std::vector<std::uint8_t> takes_part_;
  std::vector<Choice> choices_;
  ChoiceTable orders_;      // by versions, ascending
  ChoiceTable selections_;  // by read and version
  ChoiceTable befores_;     // by read and version
  std::unordered_map<Txn, std::uint32_t> committed_;
  std::unordered_set<ReadId> has_choice_;       // reads with selections
  std::unordered_map<KeyId, bool> wrong_keys_;  // whether all their choices were made
  // The following are about lists with repeated elements.
  std::unordered_map<std::uint64_t, std::uint32_t> states_;  // by list and version
  std::unordered_set<std::uint64_t> true_states_;            // in the last model
  std::unordered_set<std::uint64_t> followed_;               // since then
  std::unordered_map<ValueId, VersionId> likely_writers_;    // by list, since then
  std::unordered_set<std::uint64_t> has_left_;               // by read and version
  std::unordered_set<std::uint64_t> has_rest_;               // by list and version
  std::unordered_map<std::uint32_t, ReadId> known_lists_;
  std::set<std::array<std::uint32_t, 4>> has_next_;  // list, two versions, a third one
  std::vector<VersionId> in_between_;                // scratch
  // With eager cycles: all edges of choices, the edges of the cycle that is being made, and the
  // cycles that came out.
  std::vector<CycleEdge> edges_;
  std::vector<std::uint32_t> cycle_;
  std::unordered_map<std::uint32_t, std::vector<CycleEdge>> given_cycles_;
  std::size_t rounds_ = 0;
  std::uint64_t added_ = 0;  // choices and clauses
  std::size_t first_misfits_ = 0;
  bool is_solving_ = false;  // the solver was stopped, and can go on
  bool news_ = false;        // something was added since the last answer
  std::uint32_t steps_ = 0;  // choices and literals since limits were asked
};

}  // namespace isoscope::strong
