#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

/// Whether paths lead from some nodes to others in a graph that is given in an order which all its
/// edges follow.
///
/// The questions are answered for blocks of 512 nodes at a time: each later node has a bit for each
/// node of the block from which a path leads to it. Cost: for each block that is asked about, all
/// edges behind it, 64 bytes each. Memory: 64 bytes for each node.
class Reachability {
 public:
  using Node = std::uint32_t;

  /// A new last node, with edges from these.
  Node add(std::span<const Node> before);
  /// A set of nodes, of which it is asked whether one can be reached. Returns its number.
  std::size_t add_set(std::span<const Node> nodes);
  /// There must be no path, not even an empty one, from the node to one of the set.
  void forbid(Node from, std::size_t set) {
    ISOSCOPE_REQUIRE(from + 1 < starts_.size() && set + 1 < set_starts_.size());
    questions_.push_back({from, set});
  }

  /// A set that can be reached though it must not.
  std::optional<std::size_t> find_forbidden();

 private:
  struct Question {
    Node from = 0;
    std::size_t set = 0;
  };
  static constexpr std::size_t block_size = 512;
  using Row = std::array<std::uint64_t, block_size / 64>;

  std::optional<std::size_t> look(std::span<const Question> of_block, Node first);

  std::vector<std::size_t> starts_ = {0};
  std::vector<Node> before_;  // of all nodes, one after the other
  std::vector<std::size_t> set_starts_ = {0};
  std::vector<Node> sets_;
  std::vector<Question> questions_;
  std::vector<Row> rows_;
};

}  // namespace isoscope::verifier
