#include "check/visible/check_visible.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "check/strong/problem/likely_times.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/phase_clock.h"
#include "check/visible/guess.h"
#include "check/visible/improve.h"
#include "check/visible/promises.h"
#include "check/visible/refutation.h"
#include "check/visible/repair.h"
#include "check/visible/saturation.h"
#include "check/visible/version_order.h"
#include "check/visible/version_replay.h"
#include "check/visible/witness.h"
#include "check/weak/check_weak.h"
#include "check/weak/time_points.h"

namespace isoscope::visible {

namespace {

/// Where it matters which version a row was read from even if all fit, reads of all rows are made.
constexpr std::size_t most_row_reads = 4'000'000;

/// What is known of the order: transactions, and points in time behind them.
Digraph known_order(const Problem& problem, const weak::TimePoints& times) {
  const auto for_each = [&](const auto& visit) {
    for (Txn t = 1; t < problem.size(); ++t) {
      if (problem.previous(t) != 0) visit(problem.previous(t), t);
    }
    for (const Read& read : problem.reads()) {
      const bool is_known = !problem.is_open(read) && read.only != none;
      if (is_known && read.only != 0) visit(read.only, read.reader);
    }
    for (const weak::KnownEdge& edge : problem.sources().version_order()) {
      if (edge.from != 0) visit(edge.from, edge.to);
    }
    for (const weak::KnownEdge& edge : times.edges) visit(edge.from, edge.to);
  };
  return Digraph(problem.size() + times.count, for_each);
}

/// More conflicts than this are hopeless, and other levels may answer sooner.
constexpr std::uint64_t usual_most_conflicts = 50'000;
/// Where each key's versions have an order of their own, another level answers sooner still.
constexpr std::uint64_t usual_most_conflicts_of_versions = 5'000;

constexpr const char* or_some_update =
    ", or some update was not applied to the version right before its own";

/// An attempt at a stronger level may have this many conflicts.
constexpr std::uint64_t conflicts_of_attempt = 3'000;

/// Where candidates were ruled out, the solver mends this many wrong reads sooner than another
/// guess is replayed.
constexpr std::size_t few_wrong_reads = 50;

class Decision {
 public:
  Decision(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
           Verdict& verdict)
      : history_(history),
        accesses_(accesses),
        options_(options),
        verdict_(verdict),
        takes_part_(weak::participants(history, verdict)),
        sources_(history, accesses, takes_part_, verdict.level.session_order, options,
                 weak::Indeterminate::possible),
        problem_(sources_),
        rows_(accesses, problem_) {}

  void run() {
    if (const auto guarantee = weak::guarantee_of(verdict_.level.id)) {
      run(*guarantee);
    } else if (verdict_.level.id == LevelId::recorded) {
      by_reader_.emplace(problem_);
      run(Row{.level = LevelId::recorded});
    } else {
      run(*row_of(verdict_.level.id));
    }
  }

 private:
  /// Decides a level with a commit order. Of the recorded levels each reader has its own row.
  void run(const Row& row) {
    strong::PhaseClock clock(options_.statistics);
    if (row.inner == Inner::updates && !make_all_rows()) return;
    weak::TimePoints times;
    if (without_real_time(verdict_.level.id)) {
      times = weak::time_points(sources_, options_.clock_skew);
    } else if (by_reader_ && by_reader_->any_keeps_real_time()) {
      times = weak::time_points(sources_, options_.clock_skew,
                                [&](Txn t) { return by_reader_->keeps_real_time(t); });
    }
    const Digraph known = known_order(problem_, times);
    const strong::LikelyTimes likely(history_, takes_part_, options_.clocks_guide);
    const std::vector<std::uint32_t> order = likely_order(problem_, known, likely);
    clock.end("guess");
    if (order.size() < known.node_count()) {
      refute_by_cycle(OrderNodes(problem_, OrderNodes::Of::commits, true), known);
      return;
    }
    if (!attempt_with_clocks(row, known, likely) && !attempt_stronger(known, likely)) {
      repair(row, known, likely, most_conflicts(), false);
    }
    clock.end("repair");
  }

  /// An order that keeps to the clients' clocks serves as well, and what they say of the order
  /// leaves few candidates. True if there is such an execution; otherwise nothing is known.
  bool attempt_with_clocks(const Row& row, const Digraph& known, const strong::LikelyTimes& times) {
    if (by_reader_) return false;  // what follows is found for one row only
    if (sources_.open_reads().empty() || !Saturation::is_worth_trying(problem_)) return false;
    if (without_real_time(verdict_.level.id)) return attempt_saturated(row, known, times);
    if (!times.are_clocks()) return false;
    const weak::TimePoints points = weak::time_points(sources_, options_.clock_skew);
    return attempt_saturated(row, known_order(problem_, points), times);
  }

  /// Looks for an execution that fits the row, with what follows without any choice.
  bool attempt_saturated(const Row& row, const Digraph& known, const strong::LikelyTimes& times) {
    Saturation saturation(problem_, row, known, options_.limits.get());
    if (saturation.run() != Saturation::Result::done) return false;
    for (const Saturation::Narrowed& read : saturation.narrowed()) {
      problem_.narrow(read.read, read.candidates);
    }
    const bool is_found = repair(row, saturation.graph(), times, conflicts_of_attempt, true);
    problem_.widen();
    return is_found;
  }

  /// Decides a level at which each key's versions have an order of their own.
  void run(const weak::Guarantee& guarantee) {
    strong::PhaseClock clock(options_.statistics);
    const bool needs_clocks = guarantee.writers_reads;
    if (needs_clocks && !Past::are_affordable(problem_)) {
      verdict_.reason = "there are too many sessions";
      return;
    }
    if (needs_clocks && !make_all_rows()) return;
    const OrderNodes nodes(problem_, OrderNodes::Of::versions, guarantee.writers_reads);
    const Digraph known = known_versions(problem_, guarantee);
    const std::vector<std::uint32_t> order = order_versions(problem_, known, likely_transactions());
    clock.end("guess");
    if (order.size() < known.node_count()) {
      refute_by_cycle(nodes, known);
      return;
    }
    const Limits& limits = options_.limits.get();
    KnownOrders known_orders;
    VersionReplay replay(problem_, accesses_, rows_, nodes, guarantee, limits);
    Repair repair(problem_, nodes, replay, known_orders, known, order, limits,
                  options_.progress.get());
    const Satisfiability answer = repair.run(most_conflicts());
    note_statistics(repair);
    conclude(answer, {}, nodes, repair);
    clock.end("repair");
  }

  /// The transactions as they are likely to have committed, if what is known permits such an order;
  /// otherwise as their clients saw them end.
  std::vector<std::uint32_t> likely_transactions() const {
    const strong::LikelyTimes likely(history_, takes_part_, options_.clocks_guide);
    const Digraph known = known_order(problem_, {});
    std::vector<std::uint32_t> order = likely_order(problem_, known, likely);
    if (order.size() == known.node_count()) return order;
    return likely_order(problem_, Digraph(problem_.size(), std::span<const DirectedEdge>()),
                        likely);
  }

  bool make_all_rows() {
    if (rows_.make_all(most_row_reads, options_.limits.get())) return true;
    verdict_.stopped = options_.limits.get().reached_now();
    verdict_.reason = "predicates looked at too many rows";
    return false;
  }

  void refute_by_cycle(const OrderNodes& nodes, const Digraph& known) {
    verdict_.answer = Answer::violated;
    verdict_.reason = "what sessions and reads show of the order is a circle";
    if (!options_.certificate) return;
    certify(Refutation(problem_, nodes, accesses_, verdict_).by_cycle(known));
  }

  /// Looks for an execution that fits the row. True if the verdict is known then. An attempt is at
  /// more than was asked for, so that it is in vain if there is none.
  bool repair(const Row& row, const Digraph& known, const strong::LikelyTimes& times,
              std::uint64_t conflicts, bool is_attempt) {
    const bool has_own_rows = row.level == LevelId::recorded;
    const RowOf row_of =
        has_own_rows ? by_reader_->row_of() : [&](Txn) -> const Row& { return row; };
    const Limits& limits = options_.limits.get();
    const std::size_t few_enough = problem_.is_narrowed() ? few_wrong_reads : 0;
    const std::vector<std::uint32_t> order =
        improved_order(problem_, rows_, row_of, known, times, few_enough, limits);
    KnownOrders known_orders;
    Replay replay(problem_, rows_, row_of, known_orders, limits);
    const OrderNodes nodes(problem_, OrderNodes::Of::commits, true);
    Repair repair(problem_, nodes, replay, known_orders, known, order, limits,
                  options_.progress.get());
    const Satisfiability answer = repair.run(conflicts);
    if (is_attempt && answer != Satisfiability::satisfiable) return false;
    note_statistics(repair);
    conclude(answer, row, nodes, repair);
    return true;
  }

  /// Where reads have several candidates, a level that demands more leaves fewer choices, and what
  /// fits it fits this level. So some of those are tried for a while.
  bool attempt_stronger(const Digraph& known, const strong::LikelyTimes& times) {
    if (sources_.open_reads().empty() && rows_.empty()) return false;
    using enum LevelId;
    for (const LevelId stronger : {causal, read_atomic}) {
      const LevelId level = without_real_time(verdict_.level.id).value_or(verdict_.level.id);
      const bool is_stronger = by_reader_ ? by_reader_->are_implied_by(stronger)
                                          : stronger != level && implies(stronger, level);
      if (implies(stronger, cut_isolation) && !reads_repeat()) continue;
      if (is_stronger && repair(*row_of(stronger), known, times, conflicts_of_attempt, true)) {
        return true;
      }
      if (options_.limits.get().reached_now()) return false;
    }
    return false;
  }

  /// Whether the reads of one key by one transaction have the same candidates.
  bool reads_repeat() const {
    std::unordered_map<KeyId, std::uint32_t> first;
    for (Txn t = 1; t < problem_.size(); ++t) {
      first.clear();
      const std::uint32_t begin = sources_.first_read(t);
      for (std::uint32_t i = 0; i < sources_.reads_of(t).size(); ++i) {
        const Read& read = problem_.read(begin + i);
        const Read& other = problem_.read(first.try_emplace(read.key, begin + i).first->second);
        if (read.only != other.only || read.set != other.set) return false;
      }
    }
    return true;
  }

  std::uint64_t most_conflicts() const {
    if (options_.most_conflicts != 0) return options_.most_conflicts;
    const bool has_versions = weak::guarantee_of(verdict_.level.id).has_value();
    return has_versions ? usual_most_conflicts_of_versions : usual_most_conflicts;
  }

  void note_statistics(const Repair& repair) const {
    if (options_.statistics == nullptr) return;
    CheckStatistics& statistics = *options_.statistics;
    statistics.open_reads = sources_.open_reads().size();
    statistics.misfits = repair.first_misfits();
    statistics.rounds = repair.rounds();
    statistics.choices = repair.choices().size();
    statistics.decisions = repair.statistics().decisions;
    statistics.conflicts = repair.statistics().conflicts;
  }

  Certificate start_certificate() const {
    Certificate certificate;
    certificate.level = verdict_.level;
    const bool has_times = without_real_time(verdict_.level.id) || by_reader_;
    certificate.clock_skew = has_times ? options_.clock_skew : 0;
    certificate.indeterminate_cuts = indeterminate_cuts(history_, options_);
    return certificate;
  }

  void certify(std::optional<std::vector<ProofStep>> steps) {
    if (!steps) return;
    verdict_.certificate = start_certificate();
    verdict_.certificate->steps = std::move(*steps);
  }

  void conclude(Satisfiability answer, const Row& row, const OrderNodes& nodes, Repair& repair) {
    switch (answer) {
      case Satisfiability::unsatisfiable:
        verdict_.answer = Answer::violated;
        verdict_.reason = std::string("whatever order of ") +
                          (nodes.has_versions() ? "versions" : "commits") +
                          " is chosen, some read misses a newer version that is visible to it" +
                          (history_.has_updates() ? or_some_update : "");
        if (by_reader_) {
          verdict_.reason = broken_promises(problem_, by_reader_->row_of(), repair);
        }
        if (options_.certificate) {
          certify(Refutation(problem_, nodes, accesses_, verdict_).by_repair(repair));
        }
        return;
      case Satisfiability::stopped:
        stop();
        return;
      case Satisfiability::satisfiable:
        break;
    }
    if (sources_.has_unclear_lists()) {
      verdict_.reason = "elements of a list were appended more than once";
      return;
    }
    verdict_.answer = Answer::holds;
    verdict_.reason.clear();
    const auto is_committed = [&](TransactionId t) {
      const Txn number = sources_.number(t);
      return number != weak::open_source && repair.execution().takes_part[number] != 0;
    };
    weak::count_indeterminate(history_, is_committed, verdict_);
    if (!options_.certificate) return;
    Certificate certificate = start_certificate();
    if (tell_execution(problem_, row, repair, most_row_reads, certificate)) {
      verdict_.certificate = std::move(certificate);
    }
  }

  void stop() {
    verdict_.stopped = options_.limits.get().reached_now();
    verdict_.reason = verdict_.stopped ? "stopped: " + std::string(name_of(*verdict_.stopped))
                                       : "given up after " + std::to_string(most_conflicts()) +
                                             " conflicts of the solver";
  }

  const History& history_;
  const KeyAccesses& accesses_;
  const CheckOptions& options_;
  Verdict& verdict_;
  std::vector<std::uint8_t> takes_part_;
  weak::KnownSources sources_;
  Problem problem_;
  RowReads rows_;
  std::optional<RowsOfReaders> by_reader_;  // where the recorded levels are asked for
};

}  // namespace

bool has_checker(LevelId level) {
  return row_of(level).has_value() || weak::guarantee_of(level).has_value();
}

void check_visible(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
                   Verdict& verdict) {
  ISOSCOPE_REQUIRE(has_checker(verdict.level.id) || verdict.level.id == LevelId::recorded);
  verdict.reason =
      strong::unsupported_reason(history, accesses, weak::participants(history, verdict));
  if (verdict.reason.empty()) Decision(history, accesses, options, verdict).run();
}

}  // namespace isoscope::visible
