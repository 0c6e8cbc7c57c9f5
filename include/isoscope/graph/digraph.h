#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/workers.h"

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
  /// For edges that do not stand in one place: `for_each(visit)` calls visit(from, to) for each of
  /// them, in the same order whenever it is called, which may be twice at once.
  template <class ForEach>
    requires(!std::convertible_to<const ForEach&, std::span<const DirectedEdge>>)
  Digraph(std::size_t node_count, const ForEach& for_each, const Workers& workers = Workers()) {
    ISOSCOPE_REQUIRE(node_count < std::numeric_limits<std::uint32_t>::max());
    const auto for_each_reversed = [&](const auto& visit) {
      for_each([&](std::uint32_t from, std::uint32_t to) { visit(to, from); });
    };
    workers.run(2, [&](std::size_t part) {
      if (part == 0) {
        make_rows(node_count, for_each, first_successor_, successors_);
      } else {
        make_rows(node_count, for_each_reversed, first_predecessor_, predecessors_);
      }
    });
  }

  std::size_t node_count() const { return first_successor_.size() - 1; }
  std::size_t edge_count() const { return successors_.size(); }

  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return row(first_successor_, successors_, node);
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t node) const {
    return row(first_predecessor_, predecessors_, node);
  }

 private:
  /// Sorts the edges by their first end, counting first, and keeps the other end of each.
  template <class ForEach>
  static void make_rows(std::size_t node_count, const ForEach& for_each,
                        std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& all) {
    // While rows are filled the entry behind a node's is where its next one goes.
    first.assign(node_count + 2, 0);
    for_each([&](std::uint32_t by, std::uint32_t) {
      ISOSCOPE_REQUIRE(by < node_count);
      ++first[by + 2];
    });
    for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
    all.resize(first.back());
    for_each([&](std::uint32_t by, std::uint32_t other) { all[first[by + 1]++] = other; });
    first.pop_back();
  }

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

/// Returns all nodes, each before its successors; nodes of the same distance from the first ones
/// stand together. Returns nothing if the graph has a cycle, or if one of the `limits` was reached.
///
/// Cost: edges + nodes.
std::optional<std::vector<std::uint32_t>> topological_order(const Digraph& graph,
                                                            const Limits& limits = Limits::none());

}  // namespace isoscope
