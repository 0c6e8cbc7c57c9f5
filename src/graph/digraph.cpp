#include "isoscope/graph/digraph.h"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

/// Sorts the edges by one end, counting first, and keeps the other end of each.
void make_rows(std::size_t node_count, std::span<const DirectedEdge> edges,
               std::uint32_t DirectedEdge::*by, std::uint32_t DirectedEdge::*other,
               std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& all) {
  first.assign(node_count + 1, 0);
  for (const DirectedEdge& edge : edges) {
    ++first[edge.*by];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& entry : first) {
    end += entry;
    entry = end;
  }
  // Now each entry is its row's end. Filling rows from the back moves it to the row's start.
  all.resize(edges.size());
  for (std::size_t i = edges.size(); i-- > 0;) {
    all[--first[edges[i].*by]] = edges[i].*other;
  }
}

}  // namespace

Digraph::Digraph(std::size_t node_count, std::span<const DirectedEdge> edges) {
  ISOSCOPE_REQUIRE(node_count < std::numeric_limits<std::uint32_t>::max());
  ISOSCOPE_REQUIRE(edges.size() < std::numeric_limits<std::uint32_t>::max());
  for (const DirectedEdge& edge : edges) {
    ISOSCOPE_REQUIRE(edge.from < node_count && edge.to < node_count);
  }
  make_rows(node_count, edges, &DirectedEdge::from, &DirectedEdge::to, first_successor_,
            successors_);
  make_rows(node_count, edges, &DirectedEdge::to, &DirectedEdge::from, first_predecessor_,
            predecessors_);
}

std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            std::span<const std::uint64_t> priority,
                                                            const Limits* limits) {
  ISOSCOPE_REQUIRE(priority.size() == graph.node_count());
  const auto node_count = static_cast<std::uint32_t>(graph.node_count());
  using Ready = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  std::vector<std::uint32_t> waiting_for(node_count);
  for (std::uint32_t node = 0; node < node_count; ++node) {
    waiting_for[node] = static_cast<std::uint32_t>(graph.predecessors(node).size());
    if (waiting_for[node] == 0) {
      ready.emplace(priority[node], node);
    }
  }
  std::vector<std::uint32_t> order;
  order.reserve(node_count);
  while (!ready.empty()) {
    if (limits != nullptr && limits->reached()) return std::nullopt;
    const std::uint32_t node = ready.top().second;
    ready.pop();
    order.push_back(node);
    for (const std::uint32_t next : graph.successors(node)) {
      if (--waiting_for[next] == 0) {
        ready.emplace(priority[next], next);
      }
    }
  }
  if (order.size() < node_count) {
    return std::nullopt;
  }
  return order;
}

}  // namespace isoscope
