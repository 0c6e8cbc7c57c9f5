#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isoscope/draw/layered_layout.h"

namespace isoscope {

/// A layered graph in the making: the steps of layered_layout() work on it one after the other.
///
/// A slot is a place in a layer: a node, or the point where an edge passes a layer in between.
/// Links join slots of neighbouring layers, from the upper to the lower one.
///
/// Invariants, after make_slots(): layers[l] holds exactly the slots of layer l, from left to
/// right; every link leads from a layer to the next; slots [0, nodes) are the nodes.
struct LayeredGraph {
  struct Slot {
    std::size_t layer = 0;
    int width = 0;
    bool is_node = false;
    std::vector<std::size_t> up;    ///< slots of the layer above it is linked to
    std::vector<std::size_t> down;  ///< and of the layer below
  };

  std::vector<Slot> slots;
  std::vector<std::vector<std::size_t>> layers;
  /// For each edge the slots it passes, from top to bottom. Empty for a self-loop.
  std::vector<std::vector<std::size_t>> chains;
  std::vector<bool> points_up;  ///< edges whose chain runs against them
};

/// Step 1: turns edges around until there is no cycle, finds the layers, and links the slots.
LayeredGraph make_slots(std::span<const DrawnSize> nodes, std::span<const DrawnEdge> edges);

/// Step 2: orders each layer so that few links cross.
void reduce_crossings(LayeredGraph& graph);
/// How many pairs of links cross.
std::size_t crossings(const LayeredGraph& graph);

/// Step 3: a column for the middle of every slot, respecting the order and the gaps.
std::vector<int> place_columns(const LayeredGraph& graph, const LayeredLayoutOptions& options);

}  // namespace isoscope
