#include <algorithm>
#include <utility>

#include "check/versions/user_pairs.h"

namespace isoscope::versions {

void pairs_of_stamps(const History& history, std::span<const KeyUser> users,
                     const std::function<void(VersionNumber, VersionNumber)>& tell) {
  std::vector<std::pair<std::int64_t, VersionNumber>> stamped;
  for (const KeyUser& user : users) {
    const auto stamp = history.commit_stamp(user.transaction);
    if (user.left && stamp) stamped.emplace_back(*stamp, *user.left);
  }
  std::ranges::sort(stamped);
  // Equal stamps say nothing about each other, and both come after all of the stamp before.
  for (std::size_t first = 0, previous = 0; first < stamped.size();) {
    std::size_t end = first;
    while (end < stamped.size() && stamped[end].first == stamped[first].first) ++end;
    for (std::size_t earlier = previous; earlier < first; ++earlier) {
      for (std::size_t later = first; later < end; ++later) {
        tell(stamped[earlier].second, stamped[later].second);
      }
    }
    previous = std::exchange(first, end);
  }
}

}  // namespace isoscope::versions
