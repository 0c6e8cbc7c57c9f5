#include "report/proof/direct_order.h"

#include <algorithm>
#include <set>

#include "report/proof/session_order.h"

namespace isoscope::report {

namespace {

constexpr std::size_t most_transactions = 48;
/// A refutation with no more steps than this has no detours.
constexpr std::size_t short_refutation = 20;

std::set<TransactionId> spoken_of(const Certificate& certificate) {
  std::set<TransactionId> found;
  const auto mention = [&](std::uint32_t number) {
    if (number != 0) found.insert(TransactionId(number - 1));
  };
  for (const ProofStep& step : certificate.steps) {
    for (const std::uint32_t number :
         {step.read.transaction, step.writer, step.other, step.third}) {
      mention(number);
    }
    for (const Event& event : step.events) mention(event.transaction);
    if (found.size() > most_transactions) break;
  }
  return found;
}

bool in_real_time(const History& history, const Certificate& certificate, TransactionId a,
                  TransactionId b) {
  if (!without_real_time(certificate.level.id)) return false;
  if (history.outcome(a) == Outcome::indeterminate) return false;
  const auto end = history.end_time(a);
  const auto begin = history.begin_time(b);
  return end && begin &&
         *end<*begin&& static_cast<std::uint64_t>(*begin) -
              static_cast<std::uint64_t>(*end)> static_cast<std::uint64_t>(certificate.clock_skew);
}

}  // namespace

Certificate with_direct_order(const History& history, const Certificate& certificate) {
  Certificate result = certificate;
  if (certificate.steps.size() <= short_refutation) return result;
  const std::set<TransactionId> transactions = spoken_of(certificate);
  if (transactions.size() > most_transactions) return result;
  std::vector<ProofStep> added;
  const bool one_event = has_one_event(certificate.level.id);
  for (const TransactionId a : transactions) {
    for (const TransactionId b : transactions) {
      if (a == b || history.outcome(a) == Outcome::aborted ||
          history.outcome(b) == Outcome::aborted) {
        continue;
      }
      if (!in_session_order(history, certificate, a, b) &&
          !in_real_time(history, certificate, a, b)) {
        continue;
      }
      ProofStep step{.kind = ProofStep::Kind::order,
                     .events = {Event::commit(number_of(a)), Event{number_of(b), one_event}}};
      if (std::ranges::find(certificate.steps, step) == certificate.steps.end()) {
        added.push_back(std::move(step));
      }
    }
  }
  result.steps.insert(result.steps.begin(), added.begin(), added.end());
  return result;
}

}  // namespace isoscope::report
