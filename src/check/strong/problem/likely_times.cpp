#include "check/strong/problem/likely_times.h"

#include <algorithm>
#include <optional>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

bool all_have_times(const History& history, const std::vector<std::uint8_t>& takes_part) {
  if (!history.has_times()) return false;
  for (const TransactionId t : history.transactions()) {
    if (takes_part[t.index()] != 0 && !(history.begin_time(t) && history.end_time(t))) return false;
  }
  return true;
}

/// Whether the file mostly comes back to a session after others. A file that goes session by
/// session never does.
bool are_interleaved(const History& history) {
  std::vector<std::uint8_t> seen(history.session_count(), 0);
  std::size_t followers = 0;  // that are not the first of their session
  std::size_t returns = 0;
  std::optional<SessionId> last;
  for (const TransactionId t : history.transactions()) {
    const SessionId session = history.session_of(t);
    if (seen[session.index()] != 0) {
      ++followers;
      if (session != *last) ++returns;
    }
    seen[session.index()] = 1;
    last = session;
  }
  return 2 * returns >= followers;
}

}  // namespace

LikelyTimes::LikelyTimes(const History& history, const std::vector<std::uint8_t>& takes_part,
                         bool clocks_guide)
    : times_(history.transaction_count()) {
  ISOSCOPE_REQUIRE(takes_part.size() == history.transaction_count());
  if (clocks_guide && all_have_times(history, takes_part)) {
    origin_ = Origin::clocks;
    take_clocks(history, takes_part);
  } else if (are_interleaved(history)) {
    origin_ = Origin::order_of_file;
    take_order_of_file();
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

void LikelyTimes::take_order_of_file() {
  for (std::size_t i = 0; i < times_.size(); ++i) times_[i] = {(2 * i) << 16, (2 * i + 1) << 16};
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
