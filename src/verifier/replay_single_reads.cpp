#include <algorithm>

#include "isoscope/base/contract.h"
#include "verifier/event_places.h"
#include "verifier/levels.h"
#include "verifier/reads.h"
#include "verifier/replay.h"

// Valid reads and cut isolation: each read is judged by itself, so the transactions that are taken
// as committed say it all.

namespace isoscope::verifier {

Status check_single_reads(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(rules_of(certificate.level).shape == Shape::single_reads);
  if (!certificate.order.empty() || !certificate.sources.empty()) {
    return Error{"at this level there is no order"};
  }
  const Rules& rules = rules_of(certificate.level);
  EventPlaces places(history, certificate);
  ISOSCOPE_TRY_STATUS(places.choose());
  const Writes writes(history);
  Reads reads(history, writes);
  const auto is_taken = [&](std::uint32_t t) { return places.is_taken(TransactionId(t - 1)); };
  const auto judge = [&](const Read& read) -> Status {
    if (rules.repeats && read.differs) return Error{"the read differs from an earlier one"};
    const bool fits = std::ranges::any_of(read.candidates, [&](std::uint32_t t) {
      return t == 0 || (is_taken(t) && writes.is_reported(TransactionId(t - 1), read.key));
    });
    if (!fits) return Error{"nobody that committed left what was read"};
    if (!read.list || std::ranges::count(read.candidates, 0u) != 0) return Done{};
    if (read.appenders.empty()) {
      return Error{"an element may have been appended twice: not supported"};
    }
    if (!std::ranges::all_of(read.appenders, is_taken)) {
      return Error{"the list has appends of a transaction that is not taken as committed"};
    }
    return Done{};
  };
  for (const TransactionId t : history.transactions()) {
    if (places.is_taken(t)) ISOSCOPE_TRY_STATUS(reads.for_each(t, judge));
  }
  return Done{};
}

}  // namespace isoscope::verifier
