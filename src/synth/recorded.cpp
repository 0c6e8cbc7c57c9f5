#include "isoscope/synth/recorded.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::synth {
namespace {

/// Why the level cannot be decided on this history; empty if it can.
std::string obstacle(const History& history, const spec::Structure& structure,
                     const spec::Definition& level) {
  if (mentions(level, spec::Base::rt)) {
    for (const TransactionId t : history.transactions()) {
      if (history.outcome(t) != Outcome::committed) continue;
      if (!history.begin_time(t) || !history.end_time(t))
        return "the level is about real time, and " + history.label(t) + " has no times";
    }
  }
  if (mentions(level, spec::Base::seen_before) && structure.has_non_repeatable_reads())
    return "the level is about the order of reads, and a transaction read a key from two writers";
  return "";
}

RecordedVerdict decide(const History& history, const spec::Definition& level,
                       const Limits& limits) {
  RecordedVerdict verdict;
  Result<spec::Structure> structure = spec::structure_of(history);
  if (!structure) {
    verdict.reason = structure.error().text();
    return verdict;
  }
  verdict.history = *std::move(structure);
  verdict.reason = obstacle(history, verdict.history, level);
  if (!verdict.reason.empty()) return verdict;
  auto allowed = is_allowed(level, verdict.history, limits);
  if (!allowed) {
    const auto stopped = limits.reached_now();
    verdict.reason = "stopped: " + std::string(stopped ? name_of(*stopped) : "a limit");
    return verdict;
  }
  if (!allowed->execution) {
    verdict.answer = Answer::violated;
    verdict.why = why_forbidden(level, verdict.history, limits);
    return verdict;
  }
  verdict.execution = *std::move(allowed->execution);
  ISOSCOPE_REQUIRE(spec::judge(level, verdict.history, verdict.execution).allowed);
  verdict.answer = Answer::holds;
  return verdict;
}

}  // namespace

RecordedVerdict check_recorded(const History& history, const spec::Definition& level,
                               const Limits& limits) {
  RecordedVerdict verdict = decide(history, level, limits);
  verdict.coverage = coverage_of(history);
  // Where times are missing, or outcomes unknown, the answer is unknown anyway.
  verdict.remarks = remarks_about(*verdict.coverage, Level{LevelId::valid_reads},
                                  history.indeterminate_cuts(), verdict.answer == Answer::violated);
  return verdict;
}

RecordedVerdict strictly(RecordedVerdict verdict) {
  if (verdict.answer != Answer::holds) return verdict;
  if (std::ranges::none_of(verdict.remarks, is_gap, &Remark::kind)) return verdict;
  verdict.answer = Answer::unknown;
  verdict.reason = std::string(reason_of_gap);
  return verdict;
}

}  // namespace isoscope::synth
