#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/visible/problem.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// What is known of the order where each key's versions have one of their own: transactions, and
/// then versions (OrderNodes). Lists show some of it, and sessions where the guarantee says so.
/// Transactions are in an order only where the past of a writer counts.
Digraph known_versions(const Problem& problem, const weak::Guarantee& guarantee);

/// All nodes in an order that contains the known edges, otherwise like the given order of
/// transactions. It is shorter if the known edges have a cycle.
std::vector<std::uint32_t> order_versions(const Problem& problem, const Digraph& known,
                                          std::span<const std::uint32_t> transactions);

}  // namespace isoscope::visible
