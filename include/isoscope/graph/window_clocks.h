#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/prefetch.h"

namespace isoscope {

/// Which nodes of a growing graph reach which, for nodes that are close to each other in an order
/// that mostly agrees with the graph.
///
/// The row of a node has a bit for each node near its place in the order, most of them before it,
/// for edges that are found later may contradict the order. What is further away is not recorded.
/// Example: with 1,024 bits a row says of the 768 places before a node, and of the 256 from its own
/// on, which of them reach it.
///
/// VectorClocks tell everything, at a cost that grows with the number of chains. A window does not
/// care how many chains there are: it serves where thousands of short ones cover the graph, and
/// where what matters happens at about the same time. Cost: `bits` / 8 bytes for each node, and as
/// much to be read and written for each merge.
class WindowClocks {
 public:
  /// Clocks of a graph without nodes.
  WindowClocks() = default;
  /// `order` has every node once; the number of bits is rounded up to whole words of 64.
  WindowClocks(std::span<const std::uint32_t> order, std::size_t bits)
      : words_(std::max<std::size_t>((bits + 63) / 64, 1)),
        words_before_(static_cast<std::int64_t>(words_ - (words_ + 3) / 4)),
        places_(order.size()),
        rows_(order.size() * words_, 0) {
    for (std::uint32_t place = 0; place < order.size(); ++place) {
      places_[order[place]] = place;
      row(place)[words_before_] |= bit(place);
    }
  }

  /// How many bytes such clocks take, to decide whether they can be afforded.
  static std::size_t memory(std::size_t nodes, std::size_t bits) {
    return nodes * ((bits + 63) / 64 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
  }

  /// Whether reaches() can tell: otherwise they are too far apart.
  bool tells(std::uint32_t from, std::uint32_t to) const {
    const std::int64_t word = word_of(places_[from], places_[to]);
    return word >= 0 && word < static_cast<std::int64_t>(words_);
  }

  /// Is it known that `from` reaches `to`? Every node reaches itself.
  bool reaches(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t place = places_[from];
    const std::int64_t word = word_of(place, places_[to]);
    if (word < 0 || word >= static_cast<std::int64_t>(words_)) return false;
    return (row(places_[to])[word] & bit(place)) != 0;
  }

  /// What reaches `from` also reaches `to`, as far as it is near both. True if that is news.
  bool merge(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t* source = row(places_[from]);
    std::uint64_t* target = row(places_[to]);
    // By how many words the window of `to` is ahead.
    const std::int64_t ahead =
        static_cast<std::int64_t>(places_[to] / 64) - static_cast<std::int64_t>(places_[from] / 64);
    const auto words = static_cast<std::int64_t>(words_);
    if (ahead >= words || -ahead >= words) return false;
    const std::int64_t count = words - std::max(ahead, -ahead);
    source += std::max<std::int64_t>(ahead, 0);
    target += std::max<std::int64_t>(-ahead, 0);
    std::uint64_t news = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      news |= source[i] & ~target[i];
      target[i] |= source[i];
    }
    return news != 0;
  }

  /// To be called when the caller will soon ask what reaches the node, or change that.
  void prefetch(std::uint32_t node) const {
    const auto* first = reinterpret_cast<const char*>(row(places_[node]));
    for (std::size_t at = 0; at < words_ * sizeof(std::uint64_t); at += 64) {
      isoscope::prefetch(first + at);
    }
  }

  /// To be called when the caller will soon ask what the node reaches.
  void prefetch_place(std::uint32_t node) const { isoscope::prefetch(&places_[node]); }

 private:
  /// In the row of the node at `to`, the word that has the bit of the node at `from`.
  std::int64_t word_of(std::uint32_t from, std::uint32_t to) const {
    return static_cast<std::int64_t>(from / 64) - static_cast<std::int64_t>(to / 64) +
           words_before_;
  }
  static std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << (place % 64); }
  std::uint64_t* row(std::uint32_t place) { return rows_.data() + place * words_; }
  const std::uint64_t* row(std::uint32_t place) const { return rows_.data() + place * words_; }

  std::size_t words_ = 0;  // of a row
  std::int64_t words_before_ = 0;
  std::vector<std::uint32_t> places_;  // by node
  std::vector<std::uint64_t> rows_;    // by place
};

}  // namespace isoscope
