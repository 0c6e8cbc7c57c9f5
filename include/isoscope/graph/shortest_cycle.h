#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/graph/digraph.h"

namespace isoscope {

/// Unless told otherwise, shortest_cycle looks at about this many edges: under a second.
inline constexpr std::uint64_t usual_cycle_effort = 100'000'000;

/// The nodes of a cycle with the fewest edges, from its lowest node on (the last has an edge to the
/// first). The result is empty if there is no cycle. A self-loop is a cycle of one node.
///
/// Method: a breadth-first search from every node that lies in a strongly connected component of
/// more than one, no further than the best cycle found so far is long; nodes that had their turn
/// are left out of later searches. Cost: in the worst case nodes * edges of the components, so it
/// stops once it has looked at `effort` edges and returns the best cycle so far. A graph with a
/// cycle always gives one: the first search in a component is not interrupted.
std::vector<std::uint32_t> shortest_cycle(const Digraph& graph,
                                          std::uint64_t effort = usual_cycle_effort);

/// The nodes of a path with the fewest edges, both ends included; {from} if they are the same,
/// empty if there is none. Cost: linear in the part of the graph that is as near to `from` as `to`
/// is, and one word per node.
std::vector<std::uint32_t> shortest_path(const Digraph& graph, std::uint32_t from,
                                         std::uint32_t to);

}  // namespace isoscope
