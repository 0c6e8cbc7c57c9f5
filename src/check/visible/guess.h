#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/problem/likely_times.h"
#include "check/visible/problem.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// All nodes in an order that contains the known edges: transactions, the likeliest first, and
/// points in time. A read with several candidates waits for the first of them, if that is possible.
/// The order is shorter if the known edges have a cycle.
///
/// Cost: edges and reads, and a heap of what is ready.
std::vector<std::uint32_t> likely_order(const Problem& problem, const Digraph& known,
                                        const strong::LikelyTimes& times);

}  // namespace isoscope::visible
