#include "history/format/jepsen/invocation_order.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace isoscope::format {

std::vector<Invocation> order_invocations(const History& history) {
  constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  // latest_end[i]: the latest end among the first i + 1 completions. An :info ends nothing.
  std::vector<std::int64_t> latest_end;
  std::int64_t latest = first;
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) != Outcome::indeterminate) {
      latest = std::max(latest, history.end_time(t).value_or(last));
    }
    latest_end.push_back(latest);
  }
  std::vector<Invocation> invocations;
  for (const SessionId session : history.sessions()) {
    std::size_t earliest = 0;
    for (const TransactionId t : history.session(session)) {
      const std::int64_t begin = history.begin_time(t).value_or(first);
      const auto concurrent = std::ranges::lower_bound(latest_end, begin);
      const auto place = static_cast<std::size_t>(concurrent - latest_end.begin());
      invocations.push_back({std::clamp(place, earliest, t.index()), begin, t});
      earliest = t.index() + 1;
    }
  }
  std::ranges::sort(invocations, {}, [](const Invocation& invocation) {
    return std::tuple(invocation.before, invocation.begin, invocation.transaction);
  });
  return invocations;
}

}  // namespace isoscope::format
