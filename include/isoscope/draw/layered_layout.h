#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isoscope {

struct DrawnSize {
  int width = 0;
  int height = 0;
};

struct DrawnPoint {
  int x = 0;
  int y = 0;

  bool operator==(const DrawnPoint&) const = default;
};

struct DrawnBox {
  int x = 0;  ///< left
  int y = 0;  ///< top
  int width = 0;
  int height = 0;

  bool operator==(const DrawnBox&) const = default;
};

struct DrawnEdge {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct LayeredLayoutOptions {
  int layer_gap = 44;  ///< between the lowest box of a layer and the highest of the next
  int node_gap = 22;   ///< between two boxes of a layer
  int edge_gap = 14;   ///< around an edge that passes between boxes
};

/// Where everything is; the top left corner is (0, 0), y grows downwards.
struct LayeredLayout {
  int width = 0;
  int height = 0;
  std::vector<DrawnBox> boxes;  ///< one per node
  /// One per edge, from the border of its first box to the border of its last: the points it
  /// passes, in pairs. Between the two points of a pair it runs straight down (or up); from one
  /// pair to the next it crosses from one layer to another.
  std::vector<std::vector<DrawnPoint>> routes;
};

/// Places the nodes of a directed graph in layers so that edges point downwards (those that would
/// close a cycle point up) and few of them cross. Self-loops are not drawn; parallel edges are.
///
/// Method: Sugiyama's. Layers by longest path, then nodes move within their slack to where their
/// edges are shortest; crossings are reduced by barycentres and by swaps of neighbours, from a few
/// fixed starting orders, ties going to what stood first; columns by least squares under the given
/// distances. Whole numbers throughout, so the result is the same on every machine.
///
/// Cost: meant for up to a few hundred nodes; about (edges of a layer)^2 for each sweep and layer.
LayeredLayout layered_layout(std::span<const DrawnSize> nodes, std::span<const DrawnEdge> edges,
                             const LayeredLayoutOptions& options = {});

}  // namespace isoscope
