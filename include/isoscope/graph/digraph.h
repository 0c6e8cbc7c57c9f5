#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/base/limits.h"

namespace isoscope {

struct DirectedEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  auto operator<=>(const DirectedEdge&) const = default;
};

/// A directed graph that does not change: nodes 0 .. node_count-1 and the edges given when it was
/// made. Parallel edges and self-loops are kept. Successors and predecessors come in the order in
/// which their edges were given.
///
/// Cost: 8 bytes per node and 8 per edge (4 in each direction); made in linear time.
class Digraph {
 public:
  Digraph(std::size_t node_count, std::span<const DirectedEdge> edges);

  std::size_t node_count() const { return first_successor_.size() - 1; }
  std::size_t edge_count() const { return successors_.size(); }

  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return row(first_successor_, successors_, node);
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t node) const {
    return row(first_predecessor_, predecessors_, node);
  }

 private:
  static std::span<const std::uint32_t> row(const std::vector<std::uint32_t>& first,
                                            const std::vector<std::uint32_t>& all,
                                            std::uint32_t node) {
    return {all.data() + first[node], all.data() + first[node + 1]};
  }

  std::vector<std::uint32_t> first_successor_;    ///< per node, and one past the last
  std::vector<std::uint32_t> first_predecessor_;  ///< the same
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> predecessors_;
};

/// All nodes, each before its successors; among those that are ready the one of lowest priority
/// first (ties: the lowest node). Nothing if the graph has a cycle, or if one of the `limits` was
/// reached, which may be null. `priority` has one entry per node.
///
/// Cost: edges + nodes * log(nodes ready at once).
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            std::span<const std::uint64_t> priority,
                                                            const Limits* limits = nullptr);

}  // namespace isoscope
