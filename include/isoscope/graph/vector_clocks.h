#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isoscope {

/// Which nodes of a growing graph reach which, for a graph whose nodes are covered by chains.
///
/// A chain is a sequence of nodes, numbered one after the other, each of which reaches the next. So
/// of all the nodes of a chain that reach v only the last one has to be known: a row of as many
/// numbers as there are chains, n * chains * 4 bytes instead of the n * n / 8 of a bit matrix.
/// Example: chains 1 2 3 and 4 5 6, with 2 -> 5. The row of 6 is (2, 6): 1 and 2 reach it, 3 does
/// not.
///
/// Nodes may be outside all chains: what they reach is then not recorded, but what reaches them is.
/// Node 0 is meant to be before all others, and stands for "none" in a row.
class VectorClocks {
 public:
  static constexpr std::uint32_t no_chain = 0xFFFFFFFF;

  VectorClocks(std::size_t nodes, std::size_t chains) : chains_(chains), rows_(nodes * chains, 0) {}

  /// What a pair of those numbers takes, to decide whether it can be afforded.
  static std::size_t memory(std::size_t nodes, std::size_t chains) {
    return nodes * chains * sizeof(std::int32_t);
  }

  /// The last node of the chain that is known to reach `node`; 0 if there is none.
  std::uint32_t last(std::uint32_t node, std::uint32_t chain) const {
    return static_cast<std::uint32_t>(rows_[node * chains_ + chain]);
  }
  const std::int32_t* row(std::uint32_t node) const { return &rows_[node * chains_]; }

  /// A node reaches itself.
  void start(std::uint32_t node, std::uint32_t chain) {
    if (chain != no_chain) rows_[node * chains_ + chain] = static_cast<std::int32_t>(node);
  }

  /// What reaches `from` also reaches `to`. True if that is news.
  bool merge(std::uint32_t from, std::uint32_t to) {
    const std::int32_t* source = &rows_[from * chains_];
    std::int32_t* target = &rows_[to * chains_];
    std::int32_t news = 0;
    for (std::size_t i = 0; i < chains_; ++i) {
      news |= static_cast<std::int32_t>(source[i] > target[i]);
      target[i] = std::max(source[i], target[i]);
    }
    return news != 0;
  }

  std::size_t chain_count() const { return chains_; }

 private:
  std::size_t chains_;
  std::vector<std::int32_t> rows_;
};

}  // namespace isoscope
