#include "check/direct/known_order.h"

#include "isoscope/base/contract.h"

namespace isoscope::direct {

KnownOrder::KnownOrder(const History& history, Level level, const CheckOptions& options)
    : history_(history),
      has_sessions_(level.session_order),
      has_time_(without_real_time(level.id).has_value()),
      clock_skew_(options.clock_skew),
      places_(history.transaction_count() + 1) {
  ISOSCOPE_REQUIRE(clock_skew_ >= 0);
  if (!has_sessions_) return;
  const bool cuts = indeterminate_cuts(history, options);
  std::uint32_t part = 0;
  for (const SessionId session : history.sessions()) {
    ++part;
    std::uint32_t place = 0;
    for (const TransactionId t : history.session(session)) {
      places_[number_of(t)] = {part, ++place};
      if (cuts && history.outcome(t) == Outcome::indeterminate) ++part;
    }
  }
}

bool KnownOrder::in_time(Number a, Number b) const {
  ISOSCOPE_REQUIRE(a < places_.size() && b < places_.size());
  if (!has_time_ || a == 0 || b == 0) return false;
  if (history_.outcome(TransactionId(a - 1)) == Outcome::indeterminate) return false;
  const auto end = history_.end_time(TransactionId(a - 1));
  const auto begin = history_.begin_time(TransactionId(b - 1));
  // Without overflow: begin - end > skew.
  return end && begin &&
         *end<*begin&& static_cast<std::uint64_t>(*begin) -
              static_cast<std::uint64_t>(*end)> static_cast<std::uint64_t>(clock_skew_);
}

}  // namespace isoscope::direct
