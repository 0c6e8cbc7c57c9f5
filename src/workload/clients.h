#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/workload/workload.h"

namespace isoscope {

/// What each session of a workload has for itself: random numbers, and numbers that nobody else
/// gets.
class Clients {
 public:
  explicit Clients(const WorkloadPlan& plan) {
    Random seeds(plan.seed);
    sessions_.reserve(plan.sessions);
    for (std::size_t s = 0; s < plan.sessions; ++s) sessions_.push_back({Random(seeds.next()), 0});
  }

  /// The random numbers of the session's next transaction. Each transaction has its own, so what
  /// it does is the same however many numbers the one before drew before it was aborted.
  Random next_random(std::size_t session) { return Random(sessions_[session].seeds.next()); }

  /// A positive number, never the same twice: session s of n gets s+1, n+s+1, 2n+s+1, ... in this
  /// order, whatever the others do.
  std::int64_t fresh(std::size_t session) {
    const std::uint64_t turn = sessions_[session].used++;
    return static_cast<std::int64_t>(turn * sessions_.size() + session + 1);
  }

 private:
  struct Session {
    Random seeds;
    std::uint64_t used = 0;
  };

  std::vector<Session> sessions_;
};

}  // namespace isoscope
