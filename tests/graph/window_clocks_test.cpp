#include "isoscope/graph/window_clocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "isoscope/base/random.h"
#include "isoscope/graph/vector_clocks.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// The closure of a graph, kept as edges come.
class Closure {
 public:
  explicit Closure(std::size_t nodes) : reaches_(nodes, std::vector<bool>(nodes, false)) {
    for (std::size_t node = 0; node < nodes; ++node) reaches_[node][node] = true;
  }
  void add(std::size_t from, std::size_t to) {
    for (std::size_t a = 0; a < reaches_.size(); ++a) {
      if (!reaches_[a][from]) continue;
      for (std::size_t b = 0; b < reaches_.size(); ++b) {
        if (reaches_[to][b]) reaches_[a][b] = true;
      }
    }
  }
  bool operator()(std::size_t from, std::size_t to) const { return reaches_[from][to]; }

 private:
  std::vector<std::vector<bool>> reaches_;
};

std::vector<std::uint32_t> some_order(Random& random, std::size_t nodes) {
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

TEST(WindowClocks, EveryNodeReachesItself) {
  const std::vector<std::uint32_t> order = {2, 0, 1};
  const WindowClocks clocks(order, 64);
  for (const std::uint32_t node : order) EXPECT_TRUE(clocks.reaches(node, node));
  EXPECT_FALSE(clocks.reaches(2, 0));
}

TEST(WindowClocks, NewsAreToldOnce) {
  const std::vector<std::uint32_t> order = {0, 1, 2};
  WindowClocks clocks(order, 64);
  EXPECT_TRUE(clocks.merge(0, 1));
  EXPECT_FALSE(clocks.merge(0, 1));
  EXPECT_TRUE(clocks.merge(1, 2));
  EXPECT_TRUE(clocks.reaches(0, 2));
  EXPECT_FALSE(clocks.reaches(2, 0));
}

TEST(WindowClocks, EdgesMayContradictTheOrder) {
  std::vector<std::uint32_t> order(200);
  std::iota(order.begin(), order.end(), 0u);
  WindowClocks clocks(order, 512);
  EXPECT_TRUE(clocks.merge(100, 10));
  EXPECT_TRUE(clocks.reaches(100, 10));
}

TEST(WindowClocks, WhatIsFarAwayIsNotTold) {
  std::vector<std::uint32_t> order(1000);
  std::iota(order.begin(), order.end(), 0u);
  WindowClocks clocks(order, 256);
  EXPECT_TRUE(clocks.tells(300, 400));
  EXPECT_FALSE(clocks.tells(100, 900));
  EXPECT_FALSE(clocks.tells(900, 100));
  EXPECT_FALSE(clocks.merge(100, 900));
  EXPECT_FALSE(clocks.reaches(100, 900));
}

// The clocks are used as by the engine: each node collects, in order, from what comes right before
// it. Then a row has everything within the window whose way does not leave the window, and nothing
// that is not true.
TEST(WindowClocks, AgreesWithTheClosure) {
  Random random(4);
  for (int round = 0; round < 20 * test_scale(); ++round) {
    const std::size_t nodes = 50 + random.below(300);
    const std::vector<std::uint32_t> order = some_order(random, nodes);
    const std::size_t bits = std::size_t{64} << random.below(4);
    WindowClocks clocks(order, bits);
    Closure closure(nodes);
    for (std::size_t place = 1; place < nodes; ++place) {
      for (std::size_t edge = random.below(3); edge > 0; --edge) {
        const std::size_t before = place - 1 - random.below(std::min<std::size_t>(place, 30));
        clocks.merge(order[before], order[place]);
        closure.add(order[before], order[place]);
      }
    }
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < nodes; ++b) {
        if (clocks.tells(a, b)) {
          ASSERT_EQ(clocks.reaches(a, b), closure(a, b));
        } else {
          ASSERT_FALSE(clocks.reaches(a, b));
        }
      }
    }
  }
}

TEST(VectorClocks, ChainsOfAllLengthsAreTold) {
  for (const std::size_t length : {10u, 32'767u, 32'768u, 65'535u, 65'536u, 70'000u}) {
    // One chain, and one node that the last but one of the chain reaches.
    VectorClocks clocks(length + 1, 2, length);
    const auto other = static_cast<std::uint32_t>(length);
    for (std::uint32_t node = 0; node < length; ++node) clocks.start(node, 0);
    clocks.start(other, 1);
    EXPECT_FALSE(clocks.reaches(0, other));
    EXPECT_TRUE(clocks.merge(other - 2, other));
    EXPECT_FALSE(clocks.merge(other - 2, other));
    EXPECT_TRUE(clocks.reaches(0, other)) << length;
    EXPECT_TRUE(clocks.reaches(other - 2, other)) << length;
    EXPECT_FALSE(clocks.reaches(other - 1, other)) << length;
    EXPECT_FALSE(clocks.reaches(other, other - 1)) << length;
  }
}

}  // namespace
}  // namespace isoscope
