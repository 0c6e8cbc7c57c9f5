#include "isoscope/graph/digraph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/random_dag.h"

namespace isoscope {
namespace {

TEST(Digraph, RowsKeepTheOrderGiven) {
  const std::vector<DirectedEdge> edges{{2, 1}, {0, 2}, {2, 0}, {2, 1}, {1, 1}};
  const Digraph graph(4, edges);
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_EQ(graph.edge_count(), 5U);
  const auto row = [](std::span<const std::uint32_t> nodes) {
    return std::vector(nodes.begin(), nodes.end());
  };
  EXPECT_EQ(row(graph.successors(2)), (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(row(graph.successors(3)), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(row(graph.predecessors(1)), (std::vector<std::uint32_t>{2, 2, 1}));
  EXPECT_EQ(row(graph.predecessors(0)), (std::vector<std::uint32_t>{2}));
}

TEST(Digraph, CanBeEmpty) {
  const Digraph graph(0, std::vector<DirectedEdge>{});
  EXPECT_EQ(graph.node_count(), 0U);
  EXPECT_TRUE(topological_order(graph).value().empty());
}

TEST(TopologicalOrder, TakesThoseOfOneDistanceTogether) {
  const std::vector<DirectedEdge> edges{{3, 0}, {0, 1}, {2, 4}};
  EXPECT_EQ(topological_order(Digraph(5, edges)), (std::vector<std::uint32_t>{2, 3, 4, 0, 1}));
}

TEST(TopologicalOrder, SeesCycles) {
  const std::vector<DirectedEdge> circle{{0, 1}, {1, 2}, {2, 1}};
  EXPECT_EQ(topological_order(Digraph(3, circle)), std::nullopt);
  const std::vector<DirectedEdge> loop{{1, 1}};
  EXPECT_EQ(topological_order(Digraph(3, loop)), std::nullopt);
}

TEST(TopologicalOrder, FitsRandomGraphs) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const auto node_count = static_cast<std::uint32_t>(1 + random.below(30));
    const RandomDag dag = random_dag(random, node_count, random.below(60));
    const auto order = topological_order(Digraph(node_count, dag.edges)).value();
    std::vector<std::size_t> place(node_count, node_count);
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
    }
    EXPECT_EQ(std::count(place.begin(), place.end(), node_count), 0);
    for (const DirectedEdge& edge : dag.edges) {
      EXPECT_LT(place[edge.from], place[edge.to]);
    }
  }
}

}  // namespace
}  // namespace isoscope
