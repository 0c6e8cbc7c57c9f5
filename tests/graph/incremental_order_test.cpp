#include "isoscope/graph/incremental_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/random_dag.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using LabelledEdge = IncrementalOrder::LabelledEdge;

/// Labelled edges and length of the best way, by Bellman and Ford; nothing if there is none.
std::optional<std::pair<int, int>> cheapest_way(std::uint32_t node_count,
                                                const std::vector<DirectedEdge>& base,
                                                const std::vector<LabelledEdge>& labelled,
                                                std::uint32_t from, std::uint32_t to) {
  constexpr int far = 1'000'000;
  std::vector<std::pair<int, int>> cost(node_count, {far, far});
  cost[from] = {0, 0};
  for (std::uint32_t round = 0; round < node_count; ++round) {
    for (const DirectedEdge& edge : base) {
      const auto [labels, length] = cost[edge.from];
      cost[edge.to] = std::min(cost[edge.to], {labels, length + 1});
    }
    for (const LabelledEdge& edge : labelled) {
      const auto [labels, length] = cost[edge.from];
      cost[edge.to] = std::min(cost[edge.to], {labels + 1, length + 1});
    }
  }
  if (cost[to].first >= far) {
    return std::nullopt;
  }
  return cost[to];
}

/// An order and what should be in it.
class Trial {
 public:
  Trial(Random& random, std::uint32_t node_count, std::size_t base_edges)
      : random_(random),
        node_count_(node_count),
        dag_(random_dag(random, node_count, base_edges)),
        base_(node_count, dag_.edges),
        order_(base_, dag_.order) {}

  void add_one() {
    const LabelledEdge edge{static_cast<std::uint32_t>(random_.below(node_count_)),
                            static_cast<std::uint32_t>(random_.below(node_count_)), next_label_++};
    const auto way = cheapest_way(node_count_, dag_.edges, edges_, edge.to, edge.from);
    const std::size_t mark = order_.mark();
    const bool added = order_.add({edge.from, edge.to}, edge.label);
    ASSERT_EQ(added, !way.has_value());
    if (added) {
      edges_.push_back(edge);
      ++added_;
    } else {
      ++refused_;
      EXPECT_EQ(order_.mark(), mark);
      expect_cycle(edge, *way);
    }
  }

  void undo_some() {
    const std::size_t mark = random_.below(edges_.size() + 1);
    order_.undo_to(mark);
    edges_.resize(mark);
  }

  void expect_fits() const {
    EXPECT_EQ(order_.mark(), edges_.size());
    std::vector<bool> taken(node_count_, false);
    for (std::uint32_t node = 0; node < node_count_; ++node) {
      ASSERT_LT(order_.rank(node), node_count_);
      EXPECT_FALSE(taken[order_.rank(node)]);
      taken[order_.rank(node)] = true;
    }
    for (const DirectedEdge& edge : dag_.edges) {
      EXPECT_LT(order_.rank(edge.from), order_.rank(edge.to));
    }
    for (const LabelledEdge& edge : edges_) {
      EXPECT_LT(order_.rank(edge.from), order_.rank(edge.to));
    }
  }

  int added() const { return added_; }
  int refused() const { return refused_; }

 private:
  void expect_cycle(const LabelledEdge& refused, std::pair<int, int> way) const {
    const auto cycle = order_.cycle();
    ASSERT_EQ(cycle.size(), static_cast<std::size_t>(way.second + 1));
    EXPECT_EQ(cycle.front(), refused);
    int labelled = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
      if (i == 0) {
        continue;
      }
      if (cycle[i].label == IncrementalOrder::no_label) {
        const DirectedEdge edge{cycle[i].from, cycle[i].to};
        EXPECT_NE(std::find(dag_.edges.begin(), dag_.edges.end(), edge), dag_.edges.end());
      } else {
        EXPECT_NE(std::find(edges_.begin(), edges_.end(), cycle[i]), edges_.end());
        ++labelled;
      }
    }
    EXPECT_EQ(labelled, way.first);
  }

  Random& random_;
  const std::uint32_t node_count_;
  const RandomDag dag_;
  const Digraph base_;
  IncrementalOrder order_;
  std::vector<LabelledEdge> edges_;
  std::uint32_t next_label_ = 0;
  int added_ = 0;
  int refused_ = 0;
};

TEST(IncrementalOrder, TheExampleOfTheHeader) {
  const std::vector<DirectedEdge> edges{{0, 1}};
  const Digraph base(3, edges);
  const std::vector<std::uint32_t> nodes{0, 1, 2};
  IncrementalOrder order(base, nodes);
  EXPECT_TRUE(order.add({2, 0}, 7));
  EXPECT_EQ(order.rank(2), 0U);
  EXPECT_EQ(order.rank(0), 1U);
  EXPECT_EQ(order.rank(1), 2U);
  EXPECT_FALSE(order.add({1, 2}, 8));
  const auto cycle = order.cycle();
  EXPECT_EQ(std::vector(cycle.begin(), cycle.end()),
            (std::vector<LabelledEdge>{{1, 2, 8}, {2, 0, 7}, {0, 1, IncrementalOrder::no_label}}));
  order.undo_to(0);
  EXPECT_TRUE(order.add({1, 2}, 8));
  EXPECT_EQ(order.mark(), 1U);
}

TEST(IncrementalOrder, ASelfLoopIsItsOwnCycle) {
  const Digraph base(1, {});
  const std::vector<std::uint32_t> nodes{0};
  IncrementalOrder order(base, nodes);
  EXPECT_FALSE(order.add({0, 0}, 3));
  ASSERT_EQ(order.cycle().size(), 1U);
  EXPECT_EQ(order.cycle().front(), (LabelledEdge{0, 0, 3}));
  EXPECT_EQ(order.mark(), 0U);
}

TEST(IncrementalOrder, AgreesWithRecomputation) {
  Random random(3);
  int added = 0;
  int refused = 0;
  for (int round = 0; round < 300 * test_scale(); ++round) {
    const auto node_count = static_cast<std::uint32_t>(2 + random.below(20));
    Trial trial(random, node_count, random.below(2 * node_count));
    for (int step = 0; step < 60; ++step) {
      if (random.chance(8)) {
        trial.undo_some();
      } else {
        trial.add_one();
      }
      trial.expect_fits();
      if (testing::Test::HasFailure()) {
        FAIL() << "round " << round << ", step " << step;
      }
    }
    added += trial.added();
    refused += trial.refused();
  }
  EXPECT_GT(added, 3000);
  EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace isoscope
