#pragma once

#include <span>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// An order of transactions that contains sessions, reads-from and the given edges. Sessions
/// advance in turns, so that what happened together stands together. A read with several candidates
/// waits for the first of them.
///
/// Every transaction that can be in such an order is in it, and the largest such set is unique. So
/// if one is missing there is no order of all. Nodes behind the transactions (points in time) take
/// part in the edges, not in the result. Cost: linear in reads, candidates and edges.
std::vector<Txn> order_like_time(const KnownSources& sources, std::span<const KnownEdge> edges,
                                 std::size_t points = 0);

}  // namespace isoscope::weak
