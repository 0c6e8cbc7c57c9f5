#include "check/visible/check_visible.h"

#include <string>
#include <vector>

#include "check/strong/problem/likely_times.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/phase_clock.h"
#include "check/visible/guess.h"
#include "check/visible/repair.h"
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

/// An attempt at a stronger level may have this many conflicts.
constexpr std::uint64_t conflicts_of_attempt = 3'000;

class Decision {
 public:
  Decision(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
           Verdict& verdict)
      : history_(history),
        options_(options),
        verdict_(verdict),
        takes_part_(weak::participants(history, verdict)),
        sources_(history, accesses, takes_part_, verdict.level.session_order, options,
                 weak::Indeterminate::possible),
        problem_(sources_),
        rows_(accesses, problem_) {}

  void run() {
    strong::PhaseClock clock(options_.statistics);
    const Row row = *row_of(verdict_.level.id);
    const bool all_rows = row.inner == Inner::updates;
    if (all_rows && !rows_.make_all(most_row_reads, options_.limits.get())) {
      verdict_.stopped = options_.limits.get().reached_now();
      verdict_.reason = "predicates looked at too many rows";
      return;
    }
    weak::TimePoints times;
    if (without_real_time(verdict_.level.id)) {
      times = weak::time_points(sources_, options_.clock_skew);
    }
    const Digraph known = known_order(problem_, times);
    const strong::LikelyTimes likely(history_, takes_part_, options_.clocks_guide);
    const std::vector<std::uint32_t> order = likely_order(problem_, known, likely);
    clock.end("guess");
    if (order.size() < known.node_count()) {
      verdict_.answer = Answer::violated;
      verdict_.reason = "what sessions and reads show of the order is a circle";
      return;
    }
    if (!attempt_stronger(known, order)) repair(row, known, order, most_conflicts());
    clock.end("repair");
  }

 private:
  /// Looks for an execution that fits the row. True if the verdict is known then.
  bool repair(const Row& row, const Digraph& known, std::span<const std::uint32_t> order,
              std::uint64_t conflicts) {
    Repair repair(
        problem_, rows_, [&](Txn) -> const Row& { return row; }, known, order,
        options_.limits.get(), options_.progress.get());
    const Satisfiability answer = repair.run(conflicts);
    if (row.level != verdict_.level.id && answer != Satisfiability::satisfiable) return false;
    note_statistics(repair);
    conclude(answer, repair);
    return true;
  }

  /// Where reads have several candidates, a level that demands more leaves fewer choices, and what
  /// fits it fits this level. So some of those are tried for a while.
  bool attempt_stronger(const Digraph& known, std::span<const std::uint32_t> order) {
    if (sources_.open_reads().empty() && rows_.empty()) return false;
    using enum LevelId;
    for (const LevelId stronger : {snapshot_isolation, causal, read_atomic}) {
      const bool is_stronger =
          stronger != verdict_.level.id &&
          implies(stronger, without_real_time(verdict_.level.id).value_or(verdict_.level.id));
      if (is_stronger && repair(*row_of(stronger), known, order, conflicts_of_attempt)) return true;
      if (options_.limits.get().reached_now()) return false;
    }
    return false;
  }

  std::uint64_t most_conflicts() const {
    return options_.most_conflicts == 0 ? usual_most_conflicts : options_.most_conflicts;
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

  void conclude(Satisfiability answer, const Repair& repair) {
    switch (answer) {
      case Satisfiability::unsatisfiable:
        verdict_.answer = Answer::violated;
        verdict_.reason =
            "whatever order of commits is chosen, some read misses a newer version that is visible "
            "to it";
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
  }

  void stop() {
    verdict_.stopped = options_.limits.get().reached_now();
    verdict_.reason = verdict_.stopped ? "stopped: " + std::string(name_of(*verdict_.stopped))
                                       : "given up after " + std::to_string(most_conflicts()) +
                                             " conflicts of the solver";
  }

  const History& history_;
  const CheckOptions& options_;
  Verdict& verdict_;
  std::vector<std::uint8_t> takes_part_;
  weak::KnownSources sources_;
  Problem problem_;
  RowReads rows_;
};

}  // namespace

bool has_checker(LevelId level) { return row_of(level).has_value(); }

void check_visible(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
                   Verdict& verdict) {
  ISOSCOPE_REQUIRE(has_checker(verdict.level.id));
  verdict.reason =
      strong::unsupported_reason(history, accesses, weak::participants(history, verdict));
  if (verdict.reason.empty()) Decision(history, accesses, options, verdict).run();
}

}  // namespace isoscope::visible
