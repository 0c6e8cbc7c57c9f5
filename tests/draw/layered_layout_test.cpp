#include "isoscope/draw/layered_layout.h"

#include <gtest/gtest.h>

#include <random>

#include "draw/layered_graph.h"
#include "test_scale.h"

namespace isoscope {
namespace {

bool overlap(const DrawnBox& a, const DrawnBox& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

std::vector<DrawnSize> boxes(std::size_t count) { return std::vector<DrawnSize>(count, {80, 30}); }

TEST(LayeredLayout, NothingGivesNothing) {
  const LayeredLayout layout = layered_layout({}, {});
  EXPECT_TRUE(layout.boxes.empty());
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

TEST(LayeredLayout, OneNode) {
  const LayeredLayout layout = layered_layout(boxes(1), {});
  ASSERT_EQ(layout.boxes.size(), 1u);
  EXPECT_EQ(layout.boxes[0], (DrawnBox{0, 0, 80, 30}));
  EXPECT_EQ(layout.width, 80);
  EXPECT_EQ(layout.height, 30);
}

TEST(LayeredLayout, EdgesOfADiamondPointDownAndDoNotCross) {
  const std::vector<DrawnEdge> edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const LayeredLayout layout = layered_layout(boxes(4), edges);
  EXPECT_EQ(layout.boxes[1].y, layout.boxes[2].y);
  EXPECT_LT(layout.boxes[0].y, layout.boxes[1].y);
  EXPECT_LT(layout.boxes[1].y, layout.boxes[3].y);
  EXPECT_EQ(layout.boxes[0].x, layout.boxes[3].x);  // in the middle
  LayeredGraph graph = make_slots(boxes(4), edges);
  reduce_crossings(graph);
  EXPECT_EQ(crossings(graph), 0u);
}

TEST(LayeredLayout, ALongEdgePassesBesideTheBoxes) {
  const std::vector<DrawnEdge> edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  const LayeredLayout layout = layered_layout(boxes(4), edges);
  ASSERT_EQ(layout.routes[3].size(), 8u);  // four pairs of points
  for (const DrawnPoint& point : layout.routes[3]) {
    for (const std::size_t between : {1u, 2u}) {
      const DrawnBox& box = layout.boxes[between];
      EXPECT_TRUE(point.x < box.x || point.x > box.x + box.width || point.y < box.y ||
                  point.y > box.y + box.height);
    }
  }
  EXPECT_EQ(layout.routes[3][2].x, layout.routes[3][4].x);  // straight down
}

TEST(LayeredLayout, CrossingsThatCanBeAvoidedAre) {
  // In the order given, the two edges cross.
  LayeredGraph graph = make_slots(boxes(4), std::vector<DrawnEdge>{{0, 3}, {1, 2}});
  EXPECT_EQ(crossings(graph), 1u);
  reduce_crossings(graph);
  EXPECT_EQ(crossings(graph), 0u);
}

TEST(LayeredLayout, CyclesLoopsAndParallelEdgesAreAccepted) {
  const std::vector<DrawnEdge> edges = {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {0, 1}};
  const LayeredLayout layout = layered_layout(boxes(3), edges);
  EXPECT_LT(layout.boxes[0].y, layout.boxes[1].y);
  EXPECT_LT(layout.boxes[1].y, layout.boxes[2].y);
  ASSERT_EQ(layout.routes.size(), 5u);
  EXPECT_GT(layout.routes[2].front().y, layout.routes[2].back().y);  // back up
  EXPECT_TRUE(layout.routes[3].empty());
  EXPECT_FALSE(layout.routes[4].empty());
}

TEST(LayeredLayout, NodesMoveToWhereTheirEdgesAreShortest) {
  // 3 could stand at the top, but is next to what it points to.
  const std::vector<DrawnEdge> edges = {{0, 1}, {1, 2}, {3, 2}};
  const LayeredLayout layout = layered_layout(boxes(4), edges);
  EXPECT_EQ(layout.boxes[3].y, layout.boxes[1].y);
}

TEST(LayeredLayout, RandomGraphsKeepTheRules) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int i = 0; i < 60 * test_scale(); ++i) {
    const std::size_t count = 1 + below(25);
    std::vector<DrawnSize> sizes;
    for (std::size_t n = 0; n < count; ++n) {
      sizes.push_back({static_cast<int>(10 + below(150)), static_cast<int>(10 + below(40))});
    }
    std::vector<DrawnEdge> edges;
    for (std::size_t e = below(3 * count); e > 0; --e)
      edges.push_back({below(count), below(count)});
    const LayeredLayout layout = layered_layout(sizes, edges);
    ASSERT_EQ(layout.boxes.size(), count);
    ASSERT_EQ(layout.routes.size(), edges.size());
    for (std::size_t a = 0; a < count; ++a) {
      const DrawnBox& box = layout.boxes[a];
      EXPECT_EQ(box.width, sizes[a].width);
      EXPECT_EQ(box.height, sizes[a].height);
      EXPECT_GE(box.x, 0);
      EXPECT_GE(box.y, 0);
      EXPECT_LE(box.x + box.width, layout.width + 1);
      EXPECT_LE(box.y + box.height, layout.height);
      for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(overlap(box, layout.boxes[b]));
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].from == edges[e].to) continue;
      const DrawnBox& from = layout.boxes[edges[e].from];
      const DrawnBox& to = layout.boxes[edges[e].to];
      const auto& route = layout.routes[e];
      ASSERT_GE(route.size(), 4u);
      EXPECT_EQ(route.size() % 2, 0u);
      const bool down = from.y < to.y;
      EXPECT_EQ(route.front().y, down ? from.y + from.height : from.y);
      EXPECT_EQ(route.back().y, down ? to.y : to.y + to.height);
      EXPECT_GE(route.front().x, from.x);
      EXPECT_LE(route.front().x, from.x + from.width);
      EXPECT_GE(route.back().x, to.x);
      EXPECT_LE(route.back().x, to.x + to.width);
    }
    // The same again gives the same.
    const LayeredLayout again = layered_layout(sizes, edges);
    EXPECT_EQ(again.boxes, layout.boxes);
    EXPECT_EQ(again.routes, layout.routes);
  }
}

}  // namespace
}  // namespace isoscope
