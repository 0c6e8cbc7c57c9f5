#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// A set of rows of equally many numbers, in the order in which they were added, with a path for
/// each. All rows are in one array, because a search makes millions of them.
class FrontierRows {
 public:
  explicit FrontierRows(std::size_t width) : width_(width), index_(16, 0) {}

  std::size_t width() const { return width_; }
  std::size_t size() const { return paths_.size(); }
  bool empty() const { return paths_.empty(); }
  std::span<const std::uint32_t> operator[](std::size_t row) const {
    ISOSCOPE_REQUIRE(row < size());
    return std::span(numbers_).subspan(row * width_, width_);
  }
  std::uint32_t path(std::size_t row) const { return paths_[row]; }
  std::span<std::uint32_t> paths() { return paths_; }

  /// Whether the row was added; else it is there already, with the path it had.
  bool contains(std::span<const std::uint32_t> row) const { return index_[slot_of(row)] != 0; }
  bool add(std::span<const std::uint32_t> row, std::uint32_t path) {
    ISOSCOPE_REQUIRE(row.size() == width_);
    if (2 * (size() + 1) > index_.size()) grow();
    std::uint32_t& entry = index_[slot_of(row)];
    if (entry != 0) return false;
    numbers_.insert(numbers_.end(), row.begin(), row.end());
    paths_.push_back(path);
    entry = static_cast<std::uint32_t>(size());
    return true;
  }

 private:
  static std::uint64_t hash_of(std::span<const std::uint32_t> row) {
    std::uint64_t hash = row.size();
    for (const std::uint32_t number : row) {
      hash = (hash ^ number) * 0x9E3779B97F4A7C15;
      hash ^= hash >> 29;
    }
    return hash;
  }
  /// Where the row is in the index, or the free place where it would be.
  std::size_t slot_of(std::span<const std::uint32_t> row) const {
    std::size_t slot = hash_of(row) & (index_.size() - 1);
    while (index_[slot] != 0 && !std::ranges::equal((*this)[index_[slot] - 1], row)) {
      slot = (slot + 1) & (index_.size() - 1);
    }
    return slot;
  }
  void grow() {
    index_.assign(4 * index_.size(), 0);
    for (std::uint32_t row = 0; row < size(); ++row) index_[slot_of((*this)[row])] = row + 1;
  }

  std::size_t width_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> paths_;
  std::vector<std::uint32_t> index_;  // 0: free, else a row + 1
};

}  // namespace isoscope::strong
