#include "check/strong/likely_times.h"

#include <algorithm>

namespace isoscope::strong {

namespace {

bool all_have_times(const History& history, const std::vector<std::uint8_t>& takes_part) {
  if (!history.has_times()) return false;
  for (const TransactionId t : history.transactions()) {
    if (takes_part[t.index()] != 0 && !(history.begin_time(t) && history.end_time(t))) return false;
  }
  return true;
}

}  // namespace

LikelyTimes::LikelyTimes(const History& history, const std::vector<std::uint8_t>& takes_part,
                         bool clocks_guide)
    : are_clocks_(clocks_guide && all_have_times(history, takes_part)),
      times_(history.transaction_count()) {
  if (are_clocks_) {
    take_clocks(history, takes_part);
  } else {
    take_places(history);
  }
}

void LikelyTimes::take_clocks(const History& history, const std::vector<std::uint8_t>& takes_part) {
  for (const TransactionId t : history.transactions()) {
    if (takes_part[t.index()] == 0) continue;
    const std::uint64_t begin = as_unsigned(*history.begin_time(t));
    times_[t.index()] = {begin, std::max(begin, as_unsigned(*history.end_time(t)))};
  }
}

void LikelyTimes::take_places(const History& history) {
  for (const SessionId session : history.sessions()) {
    const auto transactions = history.session(session);
    const std::uint64_t length = transactions.size();
    for (std::size_t i = 0; i < length; ++i) {
      times_[transactions[i].index()] = {((2 * i + 1) << 32) / (2 * length),
                                         ((2 * i + 2) << 32) / (2 * length)};
    }
  }
}

}  // namespace isoscope::strong
