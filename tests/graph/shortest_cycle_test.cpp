#include "isoscope/graph/shortest_cycle.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/random_dag.h"

namespace isoscope {
namespace {

bool has_edge(const Digraph& graph, std::uint32_t from, std::uint32_t to) {
  const auto row = graph.successors(from);
  return std::find(row.begin(), row.end(), to) != row.end();
}

TEST(ShortestCycle, PrefersTheShorter) {
  const std::vector<DirectedEdge> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 2}};
  EXPECT_EQ(shortest_cycle(Digraph(4, edges)), (std::vector<std::uint32_t>{2, 3}));
}

TEST(ShortestCycle, ASelfLoopIsShortest) {
  const std::vector<DirectedEdge> edges{{0, 1}, {1, 0}, {2, 2}};
  EXPECT_EQ(shortest_cycle(Digraph(3, edges)), (std::vector<std::uint32_t>{2}));
}

TEST(ShortestCycle, NoneInADag) {
  const std::vector<DirectedEdge> edges{{0, 1}, {0, 2}, {1, 2}};
  EXPECT_TRUE(shortest_cycle(Digraph(3, edges)).empty());
  EXPECT_TRUE(shortest_cycle(Digraph(0, {})).empty());
}

TEST(ShortestCycle, AgreesWithAllDistances) {
  Random random(2);
  int with_cycle = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto node_count = static_cast<std::uint32_t>(2 + random.below(12));
    std::vector<DirectedEdge> edges(random.below(2 * node_count));
    for (DirectedEdge& edge : edges) {
      edge.from = static_cast<std::uint32_t>(random.below(node_count));
      edge.to =
          static_cast<std::uint32_t>((edge.from + 1 + random.below(node_count - 1)) % node_count);
    }
    const auto distance = all_distances(node_count, edges);
    int best = -1;
    for (std::uint32_t node = 0; node < node_count; ++node) {
      const int length = distance[node][node];
      best = length > 0 && (best < 0 || length < best) ? length : best;
    }
    const Digraph graph(node_count, edges);
    const auto cycle = shortest_cycle(graph);
    ASSERT_EQ(cycle.size(), static_cast<std::size_t>(std::max(best, 0)));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_TRUE(has_edge(graph, cycle[i], cycle[(i + 1) % cycle.size()]));
    }
    with_cycle += best > 0 ? 1 : 0;
    // With no effort allowed it may be longer, but it is there.
    EXPECT_EQ(shortest_cycle(graph, 0).empty(), cycle.empty());

    const auto from = static_cast<std::uint32_t>(random.below(node_count));
    const auto to = static_cast<std::uint32_t>(random.below(node_count));
    const auto path = shortest_path(graph, from, to);
    const int length = from == to ? 0 : distance[from][to];
    ASSERT_EQ(path.size(), static_cast<std::size_t>(length + 1));
    if (!path.empty()) {
      EXPECT_EQ(path.front(), from);
      EXPECT_EQ(path.back(), to);
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
      EXPECT_TRUE(has_edge(graph, path[i - 1], path[i]));
    }
  }
  EXPECT_GT(with_cycle, 500);
}

TEST(ShortestCycle, ManyNodesDoNotOverflowTheStack) {
  constexpr std::uint32_t node_count = 300'000;
  std::vector<DirectedEdge> edges;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    edges.push_back({node, (node + 1) % node_count});
  }
  EXPECT_EQ(shortest_cycle(Digraph(node_count, edges), 1'000'000).size(), node_count);
}

}  // namespace
}  // namespace isoscope
