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
    order,      ///< of two versions of a key: `first` is earlier; its negation: later
    selection,  ///< `read` returned the version `first`
    before,     ///< `read`'s reader begins before the version `first` is committed
    committed,  ///< the open transaction `first` committed
    state,      ///< the version `first` is the list of the first `second` elements that `read` saw
  };
  Kind kind = Kind::order;
  bool must_decide = false;
  std::uint32_t first = 0;
  std::uint32_t second = 0;  ///< of order and state
  std::uint32_t read = 0;
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
         const Limits* limits, Progress* progress);

  /// Replaces those of the constructor from now on; both may be null.
  void use(const Limits* limits, Progress* progress) {
    limits_ = limits;
    progress_ = progress;
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
  const std::unordered_map<std::uint32_t, std::uint32_t>& known_lists() const {
    return known_lists_;
  }
  /// How many elements were appended for the version of a list with repeated elements.
  std::uint32_t appends(std::uint32_t version) const {
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
  bool repair_lists(std::span<const std::uint32_t> wrong, std::span<const std::uint32_t> chosen);
  void repair_list(std::uint32_t read, std::uint32_t chosen);
  void follow_list(std::uint32_t read, std::uint32_t version);
  void add_rest(std::uint32_t read, ValueId list, std::uint32_t version, std::uint32_t likely);
  std::uint32_t likely_before(ValueId list, std::uint32_t version,
                              std::span<const std::uint32_t> used) const;
  std::uint32_t commit_place(std::uint32_t version) const;
  void add_next(std::uint32_t read, ValueId list, std::uint32_t version, std::uint32_t before);
  void add_apart(std::uint32_t read, ValueId list, std::uint32_t version, std::uint32_t before,
                 std::uint32_t other);
  SatLiteral left(std::uint32_t read, ValueId list, std::uint32_t version);

  // In repair_eagerly.cpp: everything at once. False if a limit was reached.
  bool add_choices_of_hard_keys(const Misfits& misfits);
  bool add_all_choices();
  bool add_all_orders(std::uint32_t key);
  bool add_all_selections(std::uint32_t read);
  bool is_ordered(std::uint32_t first, std::uint32_t second) const;
  bool reaches(std::uint32_t from, std::uint32_t to) const;
  bool add_small_cycles(std::size_t width);
  bool extend_cycle(std::size_t width);

  bool is_stopped() { return limits_ != nullptr && limits_->reached(std::exchange(steps_, 0) + 1); }
  /// False if a limit was reached.
  bool repair(const Misfits& misfits);
  void repair_known(std::uint32_t read);
  void repair_open(std::uint32_t read, std::uint32_t chosen);
  bool is_certain(const Read& read) const;
  std::uint32_t chosen_candidate(std::uint32_t read) const;
  void choose_among_candidates(std::uint32_t read);
  void add_between(std::uint32_t read, std::uint32_t candidate, std::uint32_t version);
  std::span<const std::uint32_t> writers_in_between(const Read& read, std::uint32_t version);

  SatLiteral earlier(std::uint32_t first, std::uint32_t second, bool must_decide);
  SatLiteral selected(std::uint32_t read, std::uint32_t version);
  SatLiteral before(std::uint32_t read, std::uint32_t version);
  SatLiteral committed(Txn t);
  std::uint32_t add_choice(const Choice& choice);
  std::uint32_t add_clause(std::span<const SatLiteral> literals);
  void add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag);
  void add_order_edges(SatLiteral literal, std::uint32_t first, std::uint32_t second);

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
  std::unordered_set<std::uint32_t> has_choice_;        // reads with selections
  std::unordered_map<std::uint32_t, bool> wrong_keys_;  // whether all their choices were made
  // The following are about lists with repeated elements.
  std::unordered_map<std::uint64_t, std::uint32_t> states_;          // by list and version
  std::unordered_set<std::uint64_t> true_states_;                    // in the last model
  std::unordered_set<std::uint64_t> followed_;                       // since then
  std::unordered_map<std::uint32_t, std::uint32_t> likely_writers_;  // by list, since then
  std::unordered_set<std::uint64_t> has_left_;                       // by read and version
  std::unordered_set<std::uint64_t> has_rest_;                       // by list and version
  std::unordered_map<std::uint32_t, std::uint32_t> known_lists_;
  std::set<std::array<std::uint32_t, 4>> has_next_;  // list, two versions, a third one
  std::vector<std::uint32_t> in_between_;            // scratch: versions
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
  std::uint32_t steps_ = 0;  // choices and clauses since limits were asked
};

}  // namespace isoscope::strong
