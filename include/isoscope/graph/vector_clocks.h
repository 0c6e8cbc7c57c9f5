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
/// n * chains * 2 bytes (4 if a chain has more than 65,535) instead of the n * n / 8 of a bit
/// matrix. Example: chains 1 2 3 and 4 5 6, with 2 -> 5. The row of 6 is (2, 3): the first two of
/// one chain reach it, and all three of the other.
class VectorClocks {
 public:
  /// Clocks of a graph without nodes.
  VectorClocks() = default;
  /// No chain has more nodes than `longest`.
  VectorClocks(std::size_t nodes, std::size_t chains, std::size_t longest)
      : chains_(chains), lengths_(chains, 0), places_(nodes) {
    if (is_short(longest)) {
      short_rows_.resize(nodes * chains, nothing<ShortRow>());
    } else {
      long_rows_.resize(nodes * chains, nothing<LongRow>());
    }
  }

  /// How many bytes such clocks take, to decide whether they can be afforded.
  static std::size_t memory(std::size_t nodes, std::size_t chains, std::size_t longest) {
    return nodes *
           (chains * (is_short(longest) ? sizeof(ShortRow) : sizeof(LongRow)) + sizeof(Place));
  }

  /// The node reaches itself. The nodes of a chain are started in its order.
  void start(std::uint32_t node, std::uint32_t chain) {
    const std::uint32_t position = ++lengths_[chain];
    places_[node] = {chain, position};
    if (long_rows_.empty()) {
      short_rows_[node * chains_ + chain] = entry<ShortRow>(position);
    } else {
      long_rows_[node * chains_ + chain] = entry<LongRow>(position);
    }
  }

  /// Is it known that `from` reaches `to`?
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    const Place place = places_[from];
    const std::size_t at = to * chains_ + place.chain;
    return long_rows_.empty() ? short_rows_[at] >= entry<ShortRow>(place.position)
                              : long_rows_[at] >= entry<LongRow>(place.position);
  }

  /// What reaches `from` also reaches `to`. True if that is news.
  bool merge(std::uint32_t from, std::uint32_t to) {
    return long_rows_.empty() ? merge_rows(short_rows_, from, to)
                              : merge_rows(long_rows_, from, to);
  }

  /// To be called when the caller will soon ask what reaches the node, or change that.
  void prefetch(std::uint32_t node) const {
    const std::size_t size = chains_ * (long_rows_.empty() ? sizeof(ShortRow) : sizeof(LongRow));
    const char* row = long_rows_.empty()
                          ? reinterpret_cast<const char*>(short_rows_.data() + node * chains_)
                          : reinterpret_cast<const char*>(long_rows_.data() + node * chains_);
    for (std::size_t at = 0; at < size; at += 64) isoscope::prefetch(row + at);
  }

  /// To be called when the caller will soon ask what the node reaches.
  void prefetch_place(std::uint32_t node) const { isoscope::prefetch(&places_[node]); }

 private:
  // The numbers are signed, because every processor has an instruction for the greater one of two
  // signed numbers. Positions are counted from the smallest number on. The smallest number itself
  // stands for no node of the chain.
  using ShortRow = std::int16_t;
  using LongRow = std::int32_t;
  template <class Row>
  static constexpr Row nothing() {
    return std::numeric_limits<Row>::min();
  }
  template <class Row>
  static Row entry(std::uint32_t position) {
    return static_cast<Row>(nothing<Row>() + static_cast<std::int64_t>(position));
  }

  struct Place {
    std::uint32_t chain = 0;
    std::uint32_t position = 0;  // in the chain, from 1 on
  };

  static bool is_short(std::size_t longest) {
    return longest <= std::numeric_limits<std::uint16_t>::max();
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
