#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isoscope {

/// A set of integers that only grows, such as the numbers of a log's transactions.
///
/// Open addressing, at most half full: 16 to 32 bytes an integer, in one piece of memory.
class IntegerSet {
 public:
  /// False if it was there already.
  bool insert(std::uint64_t integer) {
    if (integer == 0) return !std::exchange(has_zero_, true);
    std::uint64_t& slot = slots_[slot_of(integer)];
    if (slot == integer) return false;
    slot = integer;
    if (++used_ * 2 > slots_.size()) grow();
    return true;
  }

  bool contains(std::uint64_t integer) const {
    return integer == 0 ? has_zero_ : slots_[slot_of(integer)] == integer;
  }

  /// All of the other's integers?
  bool includes(const IntegerSet& other) const {
    const auto is_here = [&](std::uint64_t integer) { return integer == 0 || contains(integer); };
    return (has_zero_ || !other.has_zero_) && std::ranges::all_of(other.slots_, is_here);
  }

  std::size_t size() const { return used_ + (has_zero_ ? 1 : 0); }

 private:
  /// Where the integer is, or the free place where it would be.
  std::size_t slot_of(std::uint64_t integer) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t product = integer * 0x9E3779B97F4A7C15;
    std::size_t slot = (product ^ product >> 32) & mask;
    while (slots_[slot] != 0 && slots_[slot] != integer) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2, 0);
    old.swap(slots_);
    for (const std::uint64_t integer : old) {
      if (integer != 0) slots_[slot_of(integer)] = integer;
    }
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(64, 0);  // 0 is free
  std::size_t used_ = 0;
  bool has_zero_ = false;
};

}  // namespace isoscope
