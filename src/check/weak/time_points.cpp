#include "check/weak/time_points.h"

#include <algorithm>
#include <limits>

#include "isoscope/base/contract.h"

namespace isoscope::weak {

TimePoints time_points(const KnownSources& sources, std::int64_t clock_skew,
                       const std::function<bool(Txn)>& keeps_real_time) {
  ISOSCOPE_REQUIRE(clock_skew >= 0);  // or transactions that overlap would be ordered
  const History& history = sources.history();
  std::vector<std::int64_t> begins;
  for (Txn t = 1; t < sources.size(); ++t) {
    if (const auto begin = history.begin_time(sources.id(t))) begins.push_back(*begin);
  }
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  const auto node_at = [&](auto place) {
    return static_cast<Txn>(sources.size() + static_cast<std::size_t>(place - begins.begin()));
  };
  TimePoints points{.count = begins.size()};
  for (std::size_t i = 1; i < begins.size(); ++i) {
    const auto node = static_cast<Txn>(sources.size() + i);
    points.edges.push_back({node - 1, node});
  }
  for (Txn t = 1; t < sources.size(); ++t) {
    const TransactionId id = sources.id(t);
    if (const auto begin = history.begin_time(id); begin && keeps_real_time(t)) {
      points.edges.push_back({node_at(std::ranges::lower_bound(begins, *begin)), t});
    }
    const auto end = history.end_time(id);
    // Nothing comes after an indeterminate transaction. What would be later than all times there
    // are is before nothing.
    if (!end || history.outcome(id) == Outcome::indeterminate) continue;
    if (*end > std::numeric_limits<std::int64_t>::max() - clock_skew) continue;
    const auto later = std::ranges::upper_bound(begins, *end + clock_skew);
    if (later != begins.end()) points.edges.push_back({t, node_at(later)});
  }
  return points;
}

}  // namespace isoscope::weak
