#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/graph/digraph.h"

namespace isoscope {

/// The strongly connected components of a graph: two nodes are in one if each can be reached from
/// the other. They are found by Tarjan's algorithm (Depth-first search and linear graph algorithms,
/// 1972), with an explicit stack, for a path can be as long as the graph. Cost: edges + nodes.
class Components {
 public:
  explicit Components(const Digraph& graph);

  std::size_t count() const { return sizes_.size(); }
  std::uint32_t of(std::uint32_t node) const { return component_[node]; }
  std::uint32_t size_at(std::uint32_t node) const { return sizes_[component_[node]]; }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;  ///< which successor is to be looked at next
  };

  void enter(std::uint32_t node);
  void explore(const Digraph& graph, std::uint32_t start);
  void close(std::uint32_t root);

  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> visit_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t visits_ = 0;
};

}  // namespace isoscope
