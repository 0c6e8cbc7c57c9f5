#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// Real time as edges: T comes before U if it ended, the clock skew added, before U began. The
/// begins are points in time, one after the other. So a transaction has two edges, and not one for
/// each of those that came later.
struct TimePoints {
  std::size_t count = 0;  ///< nodes behind the transactions
  std::vector<KnownEdge> edges = {};
};

/// `keeps_real_time`: whether a transaction comes after those that ended before it began.
TimePoints time_points(
    const KnownSources& sources, std::int64_t clock_skew,
    const std::function<bool(Txn)>& keeps_real_time = [](Txn) { return true; });

}  // namespace isoscope::weak
