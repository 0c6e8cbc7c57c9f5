#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "isoscope/base/open_table.h"

namespace isoscope {

/// A set of integers that only grows, such as the numbers of a log's transactions. It needs 16 to
/// 32 bytes for each integer.
class IntegerSet {
 public:
  /// False if it was there already.
  bool insert(std::uint64_t integer) {
    if (integer == 0) return !std::exchange(has_zero_, true);
    const std::size_t before = others_.size();
    others_[integer];
    return others_.size() != before;
  }

  bool contains(std::uint64_t integer) const {
    return integer == 0 ? has_zero_ : others_.find(integer) != nullptr;
  }

  /// All of the other's integers?
  bool includes(const IntegerSet& other) const {
    return (has_zero_ || !other.has_zero_) &&
           other.others_.all_keys([&](std::uint64_t integer) { return contains(integer); });
  }

  std::size_t size() const { return others_.size() + (has_zero_ ? 1 : 0); }

 private:
  struct Nothing {};

  OpenTable<std::uint64_t, 0, Nothing> others_{32};  // all except zero
  bool has_zero_ = false;
};

}  // namespace isoscope
