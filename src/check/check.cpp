#include "isoscope/check/check.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "check/direct/direct_anomalies.h"
#include "check/known_levels.h"
#include "check/reads/accesses.h"
#include "check/reads/recorder_remarks.h"
#include "check/recorded_levels.h"
#include "check/shared_reads.h"
#include "check/strong/check_strong.h"
#include "check/strong/problem/list_problem.h"
#include "check/strong/problem/phase_clock.h"
#include "check/strong/proof/ruled_out.h"
#include "check/strong_level.h"
#include "check/updates.h"
#include "check/versions/known_version_order.h"
#include "check/visible/check_visible.h"
#include "check/weak/check_weak.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

/// Does a history without any of the `forbidden` findings satisfy the level? The first pass proves
/// valid-reads and cut-isolation, and with them the levels that say no more.
bool follows_from_first_pass(Level level, ReadFindings forbidden) {
  ReadFindings proven = {ReadFinding::internal_inconsistency, ReadFinding::aborted_read,
                         ReadFinding::intermediate_read,      ReadFinding::future_read,
                         ReadFinding::thin_air_read,          ReadFinding::missed_row};
  if (forbidden.has_all(proven) && implies(Level{LevelId::valid_reads}, level)) return true;
  proven.add(ReadFinding::non_repeatable_read);
  return forbidden.has_all(proven) && implies(Level{LevelId::cut_isolation}, level);
}

/// The verdict is known, so the search for a certificate does not go on for ever.
constexpr std::uint64_t enough_conflicts = 20'000;

/// A list that cannot be cut, where elements were appended more than once, is refuted by the same
/// search that decides the level. That can be hard even where it is easy to see why: then there is
/// no certificate.
void add_certificate(const History& history, const KeyAccesses& accesses,
                     const CheckOptions& options, Verdict& verdict) {
  ISOSCOPE_REQUIRE(verdict.answer == Answer::violated && strong::rules_of(verdict.level.id));
  Verdict again{.level = verdict.level};
  again.counted_aborted = verdict.counted_aborted;
  again.ruled_out = verdict.ruled_out;
  strong::check_strong(history, accesses, *strong::rules_of(verdict.level.id), options, again,
                       enough_conflicts);
  if (again.answer == Answer::violated) verdict.certificate = std::move(again.certificate);
}

/// Where each read is judged by itself, the transactions that are taken as committed say it all,
/// unless it is a question how a list is cut.
std::optional<Certificate> certificate_of_reads(const History& history, const KeyAccesses& accesses,
                                                const CheckOptions& options,
                                                const Verdict& verdict) {
  for (const KeyId key : history.keys()) {
    const bool is_list = accesses.use(key) == KeyUse::list;
    if (is_list && strong::repeated_element(history, accesses, key)) return std::nullopt;
  }
  Certificate certificate;
  certificate.level = verdict.level;
  certificate.indeterminate_cuts = indeterminate_cuts(history, options);
  certificate.holds = true;
  for (const TransactionId t : verdict.counted_committed) {
    certificate.committed.push_back(number_of(t));
  }
  return certificate;
}

Verdict check_within_memory(SharedReads& reads, Level level, const CheckOptions& options,
                            bool is_last);

/// What a level that nobody asked for may take.
constexpr std::uint64_t conflicts_of_attempt = 5'000;
/// The number of transactions, or of keys, from which an attempt is made.
constexpr std::size_t attempt_from = 500;

/// An execution at a level is one at the levels that it implies.
bool holds_at(Level stronger, std::uint64_t most_conflicts, SharedReads& reads,
              const CheckOptions& options, Verdict& verdict) {
  ISOSCOPE_REQUIRE(verdict.answer == Answer::unknown && implies(stronger, verdict.level));
  CheckOptions cheap = options;
  cheap.statistics = nullptr;
  cheap.anomalies = 0;
  cheap.most_conflicts = most_conflicts;
  cheap.strong.race = false;  // so that the witness does not depend on which thread is quick
  if (options.version_order == nullptr && reads.is_in_vain(stronger, most_conflicts)) return false;
  const Verdict other = check_within_memory(reads, stronger, cheap, false);
  if (other.answer != Answer::holds) return false;
  verdict.answer = Answer::holds;
  verdict.reason.clear();
  verdict.counted_committed = other.counted_committed;
  verdict.counted_aborted = other.counted_aborted;
  verdict.ruled_out = other.ruled_out;
  if (other.certificate) {
    verdict.certificate = other.certificate;
    verdict.settled_by = other.settled_by.value_or(other.level);
  }
  return true;
}

/// The engine of strong levels is the faster one.
bool holds_at_strong_level(SharedReads& reads, const CheckOptions& options, Verdict& verdict) {
  const auto strong_level = weakest_strong_level(verdict.level);
  return strong_level && holds_at(*strong_level, conflicts_of_attempt, reads, options, verdict);
}

/// One order of all commits leaves fewer choices than an order for each key's versions, so some
/// large histories are easier there. A caller that grants a number of conflicts asks about other
/// levels itself.
bool holds_at_session_causal(SharedReads& reads, const CheckOptions& options, Verdict& verdict) {
  const Level stronger{LevelId::session_causal, verdict.level.session_order};
  const bool may_help = weak::guarantee_of(verdict.level.id) && options.most_conflicts == 0 &&
                        implies(stronger, verdict.level);
  return may_help && holds_at(stronger, options.most_conflicts, reads, options, verdict);
}

/// Where the sources of reads are known no search is needed. What that leaves open is decided with
/// choices, unless a stronger level settles it.
void decide_below_strong(SharedReads& reads, const CheckOptions& options, Verdict& verdict) {
  const History& history = reads.history();
  ISOSCOPE_REQUIRE(!strong::rules_of(verdict.level.id) ||
                   has_bases_to_order(history, verdict.level));
  if (weak::has_checker(verdict.level.id)) {
    const Verdict before = verdict;
    weak::check_weak(history, reads.accesses(), options, verdict);
    const bool says_too_little =
        verdict.answer == Answer::holds && has_bases_to_order(history, verdict.level);
    if (says_too_little) verdict = before;
  }
  const bool is_open = verdict.answer == Answer::unknown && !verdict.stopped;
  if (!is_open || !visible::has_checker(verdict.level.id)) return;
  // Small histories are no trouble to either engine. Every predicate looks at all keys of a table,
  // so few transactions can make millions of reads.
  const bool is_large = std::max(history.transaction_count(), history.key_count()) >= attempt_from;
  if (is_large && holds_at_strong_level(reads, options, verdict)) return;
  if (is_large && holds_at_session_causal(reads, options, verdict)) return;
  // What a guarantee costs there is not counted in conflicts. So a caller that grants a few has to
  // ask once more.
  if (is_large && weak::guarantee_of(verdict.level.id) && options.most_conflicts != 0) {
    verdict.reason = "not tried with a limited number of conflicts, since the history is large";
    return;
  }
  visible::check_visible(history, reads.accesses(), options, verdict);
}

void stop_before_reads(StopReason why, Verdict& verdict) {
  verdict.stopped = why;
  verdict.reason = "stopped before all reads were looked at: " + std::string(name_of(why));
}

/// Other levels are asked about on the way. What they need is not known to be the last.
Verdict check_recorded(SharedReads& reads, Level level, const CheckOptions& options) {
  const RecordedCheck::Ask ask = [&](Level other, const CheckOptions& own) {
    return check_within_memory(reads, other, own, false);
  };
  return RecordedCheck(reads, options, ask).run(level);
}

Verdict check_all_but_updates(SharedReads& reads, Level level, const CheckOptions& options,
                              bool is_last) {
  const History& history = reads.history();
  Verdict verdict{.level = level};
  const ReadFindings forbidden = ReadFindings::forbidden_by(level);
  strong::PhaseClock clock(options.statistics);
  // A certificate needs more than these sources say, and they know nothing of assumptions.
  const bool can_be_plain = !options.certificate && options.version_order == nullptr &&
                            !has_bases_to_order(history, level);
  if (weak::has_checker(level.id) && can_be_plain) {
    weak::KnownSources* const plain = reads.plain_sources(level.session_order, options);
    clock.end("plain sources");
    if (plain != nullptr) weak::check_plain(*plain, options, verdict);
    if (verdict.answer != Answer::unknown || verdict.stopped) return verdict;
    verdict.reason.clear();
  }
  const FirstPassResult& pass = reads.first_pass(forbidden, options);
  clock.end("first pass");
  if (pass.stopped) {
    stop_before_reads(*pass.stopped, verdict);
    return verdict;
  }
  const KeyAccesses& accesses = reads.accesses();
  verdict.counted_committed = pass.counted_committed;
  verdict.counted_aborted = pass.counted_aborted;
  verdict.ruled_out = pass.ruled_out;
  std::ranges::copy_if(pass.findings, std::back_inserter(verdict.evidence),
                       [&](const BadRead& finding) { return finding.refutes(forbidden); });
  if (!verdict.evidence.empty()) {
    verdict.answer = Answer::violated;
    const bool is_strong = strong::rules_of(level.id).has_value();
    if (is_strong || options.certificate) {
      verdict.certificate = strong::refute_by_read(history, accesses, verdict, options);
    }
    if (is_strong && !verdict.certificate) add_certificate(history, accesses, options, verdict);
    return verdict;
  }
  const auto undecided = std::ranges::find_if(pass.undecided, [&](const UndecidedRead& read) {
    // How lists can be cut is a question that strong levels are decided with.
    const bool left_open =
        strong::rules_of(level.id) && read.why == UndecidedRead::Why::repeated_appends;
    return forbidden.has(read.kind) && !left_open;
  });
  if (undecided != pass.undecided.end()) {
    verdict.reason = text_of(history, *undecided);
  } else if (follows_from_first_pass(level, forbidden)) {
    verdict.answer = Answer::holds;
    if (options.certificate) {
      verdict.certificate = certificate_of_reads(history, accesses, options, verdict);
    }
  } else if (const auto stopped = reads.collect_accesses(options)) {
    stop_before_reads(*stopped, verdict);
  } else if (const auto rules = strong::rules_of(level.id);
             rules && !has_bases_to_order(history, level)) {
    // The accesses to registers have been looked at, and the engine needs the memory.
    if (is_last && verdict.ruled_out.empty()) reads.forget_rows();
    strong::check_strong(history, accesses, *rules, options, verdict, options.most_conflicts);
    if (verdict.answer == Answer::violated && options.version_order == nullptr) {
      direct::add_direct_anomalies(history, accesses, options, verdict);
    }
  } else {
    decide_below_strong(reads, options, verdict);
  }
  return verdict;
}

Verdict check_within_memory(SharedReads& reads, Level level, const CheckOptions& options,
                            bool is_last) {
  if (level.id == LevelId::recorded) return check_recorded(reads, level, options);
  Verdict verdict = check_all_but_updates(reads, level, options, is_last);
  if (verdict.answer == Answer::holds) {
    // Reads and writes do not say all that these updates do.
    const std::string reason = overlooked_update(reads.history());
    if (!reason.empty()) verdict = {.level = level, .reason = reason};
  }
  // With an order of versions that is assumed, less holds than without.
  const bool is_in_vain = verdict.answer != Answer::holds && !verdict.stopped;
  if (is_in_vain && options.version_order == nullptr) {
    reads.note_in_vain(level, options.most_conflicts);
  }
  return verdict;
}

Verdict check_or_run_out_of_memory(SharedReads& reads, Level level, const CheckOptions& options,
                                   bool is_last) {
  try {
    return check_within_memory(reads, level, options, is_last);
  } catch (const std::bad_alloc&) {
    options.limits.get().memory_was_refused();
    Verdict verdict{.level = level};
    verdict.stopped = StopReason::memory;
    verdict.reason = "there was not enough memory: " + std::string(name_of(StopReason::memory));
    return verdict;
  }
}

/// The order of versions that is assumed, or the reason why there is none. Nothing if a limit was
/// reached.
std::optional<KnownVersionOrder> assumed_order(SharedReads& reads, const CheckOptions& options,
                                               const Verdict& verdict) {
  if (reads.collect_accesses(options)) return std::nullopt;
  KnownVersionOrder order(reads.history(), reads.accesses(),
                          weak::participants(reads.history(), Verdict{.level = verdict.level}),
                          options);
  if (options.limits.get().reached_now()) return std::nullopt;
  return order;
}

/// Asks without the assumptions first: a violation that needs none has a certificate and a story.
Verdict check_with_assumptions(SharedReads& reads, Level level, const CheckOptions& options) {
  Verdict verdict = check_or_run_out_of_memory(reads, level, options, false);
  if (verdict.answer == Answer::violated || verdict.stopped) return verdict;
  const auto order = assumed_order(reads, options, verdict);
  if (!order) {
    Verdict stopped{.level = level};
    stopped.stopped = options.limits.get().reached_now();
    stopped.reason = "stopped before the assumed order of versions was known: " +
                     std::string(name_of(*stopped.stopped));
    return stopped;
  }
  if (!order->contradiction().empty()) {
    verdict = Verdict{.level = level, .answer = Answer::violated};
    verdict.reason = order->contradiction();
    verdict.has_cyclic_versions = true;
  } else if (!order->pairs().empty()) {
    CheckOptions with_order = options;
    with_order.version_order = &*order;
    with_order.certificate = false;  // a refutation could not say where the pairs are from
    verdict = check_or_run_out_of_memory(reads, level, with_order, false);
    if (verdict.answer == Answer::holds && options.certificate) {
      with_order.certificate = true;
      verdict = check_or_run_out_of_memory(reads, level, with_order, false);
    }
  }
  verdict.assumed = options.assumptions;
  if (verdict.answer != Answer::violated) return verdict;
  verdict.certificate.reset();
  if (verdict.reason.empty()) {
    verdict.reason = "no order of commits has the versions in the order that is assumed";
  }
  return verdict;
}

/// What an answer rests on besides the history.
Remark remark_about(std::span<const VersionAssumption> assumed, Answer answer) {
  const std::string names = names_of(assumed);
  return {Remark::Kind::assumption,
          answer == Answer::violated
              ? "This rests on what is assumed of the order of versions (" + names +
                    "), and has no certificate."
              : "The order of versions is taken to be as assumed (" + names + ")."};
}

std::string why_settled(const Verdict& verdict) {
  const std::string by = text_of(*verdict.settled_by);
  if (verdict.level.id != LevelId::recorded) {
    return by + " holds, and implies " + text_of(verdict.level);
  }
  return verdict.answer == Answer::violated
             ? by + " is violated, and every level that was recorded implies it"
             : by + " holds, and implies every level that was recorded";
}

}  // namespace

Verdict check(SharedReads& reads, Level level, const CheckOptions& options, bool is_last) {
  const History& history = reads.history();
  Verdict verdict = options.assumptions.empty()
                        ? check_or_run_out_of_memory(reads, level, options, is_last)
                        : check_with_assumptions(reads, level, options);
  ISOSCOPE_ENSURE(verdict.level == level);
  ISOSCOPE_ENSURE(verdict.evidence.empty() || verdict.answer == Answer::violated);
  ISOSCOPE_ENSURE(verdict.answer != Answer::unknown || !verdict.reason.empty());
  verdict.coverage = reads.coverage();
  verdict.clock_skew = options.clock_skew;
  verdict.indeterminate_cuts = indeterminate_cuts(history, options);
  if (const auto& its = verdict.certificate) {  // it answers what was asked
    ISOSCOPE_ENSURE(its->indeterminate_cuts == verdict.indeterminate_cuts);
    ISOSCOPE_ENSURE(its->clock_skew == 0 || its->clock_skew == verdict.clock_skew);
  }
  verdict.remarks = remarks_about(*verdict.coverage, level, verdict.indeterminate_cuts,
                                  verdict.answer == Answer::violated);
  if (verdict.settled_by) {
    const std::string why = why_settled(verdict);
    verdict.remarks.push_back(
        remark_of_implied(*verdict.settled_by, why, verdict.certificate.has_value()));
  }
  if (!verdict.assumed.empty()) {
    verdict.remarks.push_back(remark_about(verdict.assumed, verdict.answer));
  }
  if (verdict.answer == Answer::violated) {
    std::ranges::move(recorder_remarks(history, verdict.evidence),
                      std::back_inserter(verdict.remarks));
  }
  return verdict;
}

Verdict check(const History& history, Level level, const CheckOptions& options) {
  SharedReads reads(history);
  return check(reads, level, options, true);
}

}  // namespace isoscope
