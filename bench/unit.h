#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

#include "isoscope/base/random.h"

namespace isoscope {

/// Everything is measured this many times, and the best time counts.
constexpr int best_of = 5;

template <class Work>
double seconds_of(clockid_t clock, const Work& work) {
  const auto now = [clock] {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

/// Processor time, not the clock on the wall: on an idle machine both are the same here, because
/// files were just written and are in memory, and on a busy one only the former still means
/// something.
template <class Work>
double seconds_of(const Work& work) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID, work);
}

/// The same for this thread only. In a process whose processor time is limited the clock of the
/// process moves in steps of some milliseconds; this one does not.
template <class Work>
double thread_seconds_of(const Work& work) {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID, work);
}

/// The unit in which times are reported, so that figures of different machines can be compared:
/// what std::sort takes for this number of random 64-bit integers.
inline double seconds_of_a_unit(std::size_t integer_count) {
  double best = 1e9;
  for (int run = 0; run < best_of; ++run) {
    Random random(static_cast<std::uint64_t>(run));
    std::vector<std::uint64_t> integers(integer_count);
    for (std::uint64_t& integer : integers) integer = random.next();
    best = std::min(best, seconds_of([&] { std::ranges::sort(integers); }));
    if (!std::ranges::is_sorted(integers)) return 1e-9;
  }
  return best;
}

}  // namespace isoscope
