#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "isoscope/base/prefetch.h"

namespace isoscope {

/// Which nodes of a growing graph reach which, for a graph whose nodes are covered by chains.
///
/// A chain is a sequence of nodes, each of which reaches the next. So of all the nodes of a chain
/// that reach v only the last one has to be known: a row of as many positions as there are chains,
/// n * chains * 2 bytes (4 if a chain is long) instead of the n * n / 8 of a bit matrix.
/// Example: chains 1 2 3 and 4 5 6, with 2 -> 5. The row of 6 is (2, 3): the first two of one chain
/// reach it, and all three of the other.
///
/// Nodes may be outside all chains: what they reach is then not recorded, but what reaches them is.
class VectorClocks {
 public:
  static constexpr std::uint32_t no_chain = 0xFFFFFFFF;

  /// Of no nodes.
  VectorClocks() = default;
  /// No chain has more nodes than `longest`.
  VectorClocks(std::size_t nodes, std::size_t chains, std::size_t longest)
      : chains_(chains), lengths_(chains, 0), places_(nodes) {
    if (is_short(longest)) {
      short_rows_.resize(nodes * chains, 0);
    } else {
      long_rows_.resize(nodes * chains, 0);
    }
  }

  /// What that takes, to decide whether it can be afforded.
  static std::size_t memory(std::size_t nodes, std::size_t chains, std::size_t longest) {
    return nodes *
           (chains * (is_short(longest) ? sizeof(ShortRow) : sizeof(LongRow)) + sizeof(Place));
  }

  /// The node reaches itself. The nodes of a chain are started in its order.
  void start(std::uint32_t node, std::uint32_t chain) {
    if (chain == no_chain) return;
    const std::uint32_t position = ++lengths_[chain];
    places_[node] = {chain, position};
    if (long_rows_.empty()) {
      short_rows_[node * chains_ + chain] = static_cast<ShortRow>(position);
    } else {
      long_rows_[node * chains_ + chain] = static_cast<LongRow>(position);
    }
  }

  /// Is it known that `from` reaches `to`?
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    const Place place = places_[from];
    if (place.chain == no_chain) return false;
    const std::size_t at = to * chains_ + place.chain;
    const auto last =
        static_cast<std::uint32_t>(long_rows_.empty() ? short_rows_[at] : long_rows_[at]);
    return last >= place.position;
  }

  /// What reaches `from` also reaches `to`. True if that is news.
  bool merge(std::uint32_t from, std::uint32_t to) {
    return long_rows_.empty() ? merge_rows(short_rows_, from, to)
                              : merge_rows(long_rows_, from, to);
  }

  /// It will soon be asked what reaches the node, or changed.
  void prefetch(std::uint32_t node) const {
    const std::size_t size = chains_ * (long_rows_.empty() ? sizeof(ShortRow) : sizeof(LongRow));
    const char* row = long_rows_.empty()
                          ? reinterpret_cast<const char*>(short_rows_.data() + node * chains_)
                          : reinterpret_cast<const char*>(long_rows_.data() + node * chains_);
    for (std::size_t at = 0; at < size; at += 64) isoscope::prefetch(row + at);
  }

  /// It will soon be asked what the node reaches.
  void prefetch_place(std::uint32_t node) const { isoscope::prefetch(&places_[node]); }

  std::size_t chain_count() const { return chains_; }
  /// Of a node that was started; no_chain otherwise.
  std::uint32_t chain_of(std::uint32_t node) const { return places_[node].chain; }

 private:
  // Signed, as processors have an instruction for the greater one of those in any case.
  using ShortRow = std::int16_t;
  using LongRow = std::int32_t;

  struct Place {
    std::uint32_t chain = no_chain;
    std::uint32_t position = 0;  // in the chain, from 1 on
  };

  static bool is_short(std::size_t longest) {
    return longest <= static_cast<std::size_t>(std::numeric_limits<ShortRow>::max());
  }

  template <class Row>
  bool merge_rows(std::vector<Row>& rows, std::uint32_t from, std::uint32_t to) {
    const Row* source = &rows[from * chains_];
    Row* target = &rows[to * chains_];
    Row news = 0;
    for (std::size_t i = 0; i < chains_; ++i) {
      const Row greater = std::max(source[i], target[i]);
      news = static_cast<Row>(news | (greater ^ target[i]));
      target[i] = greater;
    }
    return news != 0;
  }

  std::size_t chains_ = 0;
  std::vector<std::uint32_t> lengths_;  // by chain, of what was started
  std::vector<Place> places_;           // by node
  std::vector<ShortRow> short_rows_;    // one of the two
  std::vector<LongRow> long_rows_;
};

}  // namespace isoscope
