#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/known_graph.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

/// When each event probably happened.
std::vector<std::uint64_t> likely_order(const LikelyTimes& likely, const Problem& problem);

/// The known graph with all its edges: those along chains and from the initial state, too.
Digraph whole_graph(const Problem& problem, const KnownGraph& known);

}  // namespace isoscope::strong
