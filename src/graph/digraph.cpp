#include "isoscope/graph/digraph.h"

namespace isoscope {

Digraph::Digraph(std::size_t node_count, std::span<const DirectedEdge> edges)
    : Digraph(node_count, [edges](const auto& visit) {
        for (const DirectedEdge& edge : edges) visit(edge.from, edge.to);
      }) {}

std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            const Limits& limits) {
  const auto node_count = static_cast<std::uint32_t>(graph.node_count());
  std::vector<std::uint32_t> waiting_for(node_count);
  std::vector<std::uint32_t> order;
  order.reserve(node_count);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    waiting_for[node] = static_cast<std::uint32_t>(graph.predecessors(node).size());
    if (waiting_for[node] == 0) order.push_back(node);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (limits.reached()) return std::nullopt;
    for (const std::uint32_t next : graph.successors(order[i])) {
      if (--waiting_for[next] == 0) order.push_back(next);
    }
  }
  if (order.size() < node_count) return std::nullopt;
  return order;
}

}  // namespace isoscope
