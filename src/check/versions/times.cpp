#include <algorithm>
#include <limits>

#include "check/versions/user_pairs.h"
#include "isoscope/base/contract.h"

namespace isoscope::versions {

namespace {

struct Timed {
  const KeyUser* user = nullptr;
  std::int64_t time = 0;
  std::int64_t begin = 0;
};

}  // namespace

// The users are looked at by their begins, beside those that have ended. One that ended before
// another one of these began is needed no more: what it says follows from that one.
void pairs_of_times(const History& history, std::span<const KeyUser> users, std::int64_t skew,
                    const TellPair& tell) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  ISOSCOPE_REQUIRE(skew >= 0);  // or users that overlap would be ordered
  std::vector<Timed> begins;
  std::vector<Timed> ends;
  for (const KeyUser& user : users) {
    const auto begin = history.begin_time(user.transaction);
    const auto end = history.end_time(user.transaction);
    if (begin) begins.push_back({&user, *begin, *begin});
    const bool ends_ever = end && !user.is_open && *end <= INT64_MAX - skew;
    // Without a begin nothing is known to come before it.
    if (ends_ever) ends.push_back({&user, *end + skew, begin.value_or(none)});
  }
  std::ranges::sort(begins, {}, &Timed::time);
  std::ranges::sort(ends, {}, &Timed::time);
  std::vector<Timed> recent;
  std::int64_t latest_begin = none;
  auto ended = ends.begin();
  for (const Timed& later : begins) {
    for (; ended != ends.end() && ended->time < later.time; ++ended) {
      recent.push_back(*ended);
      latest_begin = std::max(latest_begin, ended->begin);
    }
    std::erase_if(recent, [&](const Timed& one) { return one.time < latest_begin; });
    for (const Timed& earlier : recent) {
      if (earlier.user != later.user) tell(*earlier.user, *later.user);
    }
  }
}

}  // namespace isoscope::versions
