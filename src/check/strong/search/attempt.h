#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/frontier/model.h"
#include "check/strong/frontier/search.h"
#include "check/strong/problem/likely_times.h"
#include "check/strong/problem/list_states.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/phase_clock.h"
#include "check/strong/problem/row_reads.h"
#include "check/strong/proof/derivation.h"
#include "check/strong/proof/proof_writer.h"
#include "check/strong/proof/ruled_out.h"
#include "check/strong/saturation/clocks.h"
#include "check/strong/saturation/known_graph.h"
#include "check/strong/saturation/saturation.h"
#include "check/strong/search/beginnings.h"
#include "check/strong/search/guess.h"
#include "check/strong/search/repair.h"
#include "isoscope/check/check_options.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

/// What every attempt to decide a level for a history looks at.
struct Case {
  const History& history;
  const KeyAccesses& accesses;
  const CheckOptions& options;
  std::vector<std::uint8_t> takes_part;  ///< by transaction
  RuledOut ruled_out;
  LikelyTimes likely;
};

/// What an attempt asks: the level itself, or a stronger one whose orders serve as well.
struct Question {
  Rules rules;
  bool session_order = true;
  /// A piece of the history, by transaction. Only what these transactions read is looked at. So an
  /// order of a piece tells nothing, but if there is none, there is none for the whole. Empty: all.
  std::vector<std::uint8_t> readers = {};

  bool is_piece() const { return !readers.empty(); }
};

/// Whether a search over frontiers can answer the question. It knows what keys hold at a time, and
/// not what they held before.
inline bool has_frontiers(const Case& about, const Question& question) {
  const bool rows_are_current =
      question.rules.rows_are_current || about.accesses.predicate_users().empty();
  return question.rules.real_time && rows_are_current &&
         about.options.strong.frontiers != StrongTechniques::When::off;
}

/// What an attempt looks for orders with.
enum class Searches : std::uint8_t {
  both,       ///< in turns
  repair,     ///< the solver only
  frontiers,  ///< only the search over frontiers, which cannot prove that there is no order
};

/// What an attempt works with. `statistics` may be null.
struct Means {
  Searches searches = Searches::both;
  Workers workers = Workers(1);
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
  CheckStatistics* statistics = nullptr;
};

/// One way to look for an order of all events, or for a reason why there is none: saturation, a
/// guess, and repair. Repair takes turns with another search: where there is real time, a search
/// over frontiers, otherwise a search for a contradiction in beginnings of the history. An attempt
/// itself goes on in turns, and keeps between them what it has found out.
class Attempt {
 public:
  enum class State : std::uint8_t {
    open,        ///< its turn is over; see also has_no_order()
    holds,       ///< there is an order
    impossible,  ///< there is none
    stopped,     ///< a limit was reached: see stop_reason()
  };

  /// The case must outlive the attempt.
  Attempt(const Case& about, const Question& question, const Means& means);

  /// Uses these means from its next turn on.
  void use(const Means& means);

  /// Goes on for this many conflicts of the solver; 0: to the end.
  State go_on(std::uint64_t conflicts);

  /// The search over frontiers has found that there is no order. It has no proof that somebody else
  /// could follow; repair may find one.
  bool has_no_order() const { return has_no_order_; }
  /// If so, these transactions could not all happen in time. The further back one stands, the
  /// likelier it is that the others can without it.
  const std::vector<TransactionId>& lost() const { return lost_; }
  /// The search over frontiers has come to its end, or there was none.
  bool frontiers_are_over() const { return frontiers_are_over_; }

  const Question& question() const { return question_; }
  State state() const { return state_; }
  StopReason stop_reason() const { return stop_reason_; }
  /// What was found out so far, in words.
  std::string established() const;
  /// The statistics of the solver, so far.
  AcyclicSolver::Statistics statistics() const;

  // holds: the events in order, without those of transactions that did not commit, and of the
  // indeterminate ones those that did.
  std::vector<Event> order() const;
  bool took_part(TransactionId t) const;
  // impossible: why.
  std::vector<ProofStep> refutation() { return work_->writer.take(); }

 private:
  /// What is kept from one turn to the next.
  struct Work {
    Work(const Case& about, const OrderProblem& p, std::size_t expected_edges)
        : known(p.node_count(), expected_edges),
          place(p.node_count(), 0),
          ruled_out(about.ruled_out),
          writer(about.history, p) {}

    KnownGraph known;
    Clocks clocks;
    const Clocks* known_clocks = nullptr;  // null: without saturation
    std::vector<std::uint32_t> place;      // of each event in the first order
    RuledOut ruled_out;
    ProofWriter writer;
    std::optional<Digraph> graph;
    std::optional<RowReads> rows;
    std::optional<ListStates> lists;
    std::optional<Repair> repair;
    std::optional<FrontierModel> model;
    std::optional<FrontierSearch> frontiers;
    std::optional<Beginnings> beginnings;
    // What the search over frontiers found.
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> takes_part;
  };

  State start();
  std::optional<StopReason> build();
  State prepare();
  State derive(Saturation& saturation, std::vector<std::uint64_t>& likely);
  State start_repair(Saturation& saturation, std::span<const std::uint64_t> likely);
  State go_on_with_repair(std::uint64_t conflicts);
  State go_on_with_frontiers(std::uint64_t visits);
  void leave_frontiers();
  State go_on_with_beginnings(std::uint64_t conflicts);
  State confirm_order();
  void take_assumptions();
  /// What is assumed is no step of a certificate.
  bool may_refute() const { return p_.assumed_orders.empty(); }
  Derivation derivation();
  const std::vector<std::uint8_t>& takes_part() const;
  bool is_complete(const Guess& guess) const;
  bool is_good(const Guess& guess) const;
  Guess best_guess(const Digraph& graph, std::span<const std::uint64_t> likely) const;
  std::optional<StopReason> saturate_again(Saturation& saturation, Guess& guess);

  std::optional<StopReason> limit() const;
  State stopped(StopReason reason);
  void note(const KnownGraph& known);
  void note(const Repair& repair);
  void count_pairs(const Clocks* clocks) const;

  const Case& case_;
  const CheckOptions& options_;
  const Question question_;
  Means means_;
  PhaseClock clock_;
  State state_ = State::open;
  StopReason stop_reason_ = StopReason::time;
  bool has_no_order_ = false;
  std::vector<TransactionId> lost_;
  bool frontiers_are_over_;
  bool beginnings_are_over_;
  std::size_t ordered_beginning_ = 0;  // how many transactions have an order of their own
  std::string established_ = "no single read speaks against it";
  OrderProblem p_;
  bool by_window_ = false;  // clocks are
  std::unique_ptr<Work> work_;
};

}  // namespace isoscope::strong
