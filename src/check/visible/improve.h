#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/problem/likely_times.h"
#include "check/visible/replay.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// A likely order in which few reads are wrong, topological for what is known of the order; shorter
/// than all nodes if that is a circle.
///
/// Clients learn late that their transactions committed, some later than others. So the order of
/// their ends is wrong for pairs of transactions that were under way at the same time, and reads
/// show where. The likely order is replayed. For each read that is wrong the pair of its way that
/// is the easiest to swap is noted, and the next guess heeds that, as long as fewer reads are wrong
/// each time, and more than `few_enough`.
std::vector<std::uint32_t> improved_order(const Problem& problem, RowReads& rows,
                                          const RowOf& row_of, const Digraph& known,
                                          const strong::LikelyTimes& times, std::size_t few_enough,
                                          const Limits& limits);

}  // namespace isoscope::visible
