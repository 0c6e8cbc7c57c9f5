#include "check/strong/check_strong.h"

#include <new>

#include "check/strong/search/attempts.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// The transactions that may be in an execution.
std::vector<std::uint8_t> participants(const History& history, const RuledOut& ruled_out,
                                       const Verdict& verdict) {
  std::vector<std::uint8_t> takes_part(history.transaction_count(), 0);
  for (const TransactionId t : history.transactions()) {
    takes_part[t.index()] = history.outcome(t) != Outcome::aborted ? 1 : 0;
  }
  for (const TransactionId t : verdict.counted_aborted) {
    if (ruled_out.is_out(t)) takes_part[t.index()] = 0;
  }
  return takes_part;
}

Certificate& start_certificate(const Case& about, const Rules& rules, Verdict& verdict) {
  verdict.certificate.emplace();
  verdict.certificate->level = verdict.level;
  verdict.certificate->clock_skew = rules.real_time ? about.options.clock_skew : 0;
  verdict.certificate->indeterminate_cuts = indeterminate_cuts(about.history, about.options);
  return *verdict.certificate;
}

void tell_order(const Case& about, const Rules& rules, const Attempt& attempt, Verdict& verdict) {
  verdict.answer = Answer::holds;
  verdict.counted_committed.clear();
  verdict.counted_aborted.clear();
  verdict.ruled_out.clear();
  for (const TransactionId t : about.history.transactions()) {
    if (about.history.outcome(t) != Outcome::indeterminate) continue;
    (attempt.took_part(t) ? verdict.counted_committed : verdict.counted_aborted).push_back(t);
  }
  if (!about.options.certificate) return;
  Certificate& certificate = start_certificate(about, rules, verdict);
  certificate.holds = true;
  for (const TransactionId t : verdict.counted_committed) {
    certificate.committed.push_back(number_of(t));
  }
  certificate.order = attempt.order();
}

void tell_refutation(const Case& about, const Rules& rules, Attempt& attempt, Verdict& verdict) {
  verdict.answer = Answer::violated;
  start_certificate(about, rules, verdict).steps = attempt.refutation();
}

/// Advice for users whose check gave up: what would leave less to search, or more time for it.
std::string what_may_help(const Case& about, const Rules& rules, StopReason reason) {
  if (reason == StopReason::requested) return "";
  std::string help = reason == StopReason::time ? "a longer --time-limit" : "more --memory-limit";
  if (!about.history.has_times()) {
    help += ", or a history with the times of begins and ends";
  } else if (rules.real_time && about.options.clock_skew > 0) {
    help += ", or a smaller --clock-skew";
  } else if (!rules.real_time && !about.options.clocks_guide) {
    help += ", or --time hint, which also looks for an order by clients' clocks";
  } else if (!rules.real_time) {
    help += ", or --time trust, which asks for real time, too, and so leaves less to choose";
  }
  return "; what may help: " + help;
}

void decide(const Case& about, const Rules& rules, std::uint64_t most_conflicts, Verdict& verdict) {
  const CheckOptions& options = about.options;
  const Workers workers(
      about.history.transaction_count() < options.parallel_from ? 1 : options.threads);
  Attempts attempts(about, {rules, verdict.level.session_order, {}}, most_conflicts, workers);
  const auto stopped = [&](StopReason reason) {
    verdict.stopped = reason;
    verdict.reason = attempts.established() + "; stopped: " + std::string(name_of(reason)) +
                     what_may_help(about, rules, reason);
  };
  try {
    Attempt* decided = attempts.run();
    if (decided == nullptr) {
      verdict.reason = attempts.established() + "; given up as too hard";
      if (attempts.stop_reason()) stopped(*attempts.stop_reason());
    } else if (decided->state() == Attempt::State::holds) {
      tell_order(about, rules, *decided, verdict);
    } else {
      tell_refutation(about, rules, *decided, verdict);
    }
  } catch (const std::bad_alloc&) {
    // What was established until then still counts.
    options.limits.get().memory_was_refused();
    verdict.answer = Answer::unknown;
    verdict.certificate.reset();
    stopped(StopReason::memory);
  }
  if (options.statistics != nullptr) attempts.add_to(*options.statistics);
}

}  // namespace

void check_strong(const History& history, const KeyAccesses& accesses, const Rules& rules,
                  const CheckOptions& options, Verdict& verdict, std::uint64_t most_conflicts) {
  ISOSCOPE_REQUIRE(verdict.answer == Answer::unknown && rules.level == verdict.level.id);
  RuledOut ruled_out(history, accesses, verdict.ruled_out);
  std::vector<std::uint8_t> takes_part = participants(history, ruled_out, verdict);
  verdict.reason = unsupported_reason(history, accesses, takes_part);
  if (!verdict.reason.empty()) return;
  LikelyTimes likely(history, takes_part, options.clocks_guide);
  decide(
      {history, accesses, options, std::move(takes_part), std::move(ruled_out), std::move(likely)},
      rules, most_conflicts, verdict);
}

}  // namespace isoscope::strong
