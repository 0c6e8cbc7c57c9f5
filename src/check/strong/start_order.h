#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/known_graph.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

/// When each event probably happened, as far as one can tell beforehand: by the client's clock if
/// all transactions have times, else by its place in its session relative to the session's length
/// (sessions progress at about the same rate).
std::vector<std::uint64_t> likely_times(const History& history, const Problem& problem);

/// The known graph with all its edges: those along chains and from the initial state, too.
Digraph whole_graph(const Problem& problem, const KnownGraph& known);

}  // namespace isoscope::strong
