#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/history/value.h"

namespace isoscope {

/// A hash map from values to `T` that is filled and emptied once per key of a history: it keeps its
/// memory, and emptying it costs what was in it. Open addressing, at most half full.
template <class T>
class ValueTable {
 public:
  /// Empty, with room for `expected` values before it has to grow.
  void reset(std::size_t expected) {
    capacity_ = std::bit_ceil(std::max<std::size_t>(expected, 4) * 2);
    size_ = 0;
    if (slots_.size() < capacity_) slots_.resize(capacity_);
    std::fill_n(slots_.begin(), capacity_, Slot{});
  }

  T* find(ValueId value) {
    Slot& slot = slot_of(value);
    return slot.key == 0 ? nullptr : &slot.content;
  }

  /// The value's entry, made from `T{}` on first use; valid until the next call.
  T& operator[](ValueId value) {
    Slot* slot = &slot_of(value);
    if (slot->key == 0) {
      if ((size_ + 1) * 2 > capacity_) {
        grow();
        slot = &slot_of(value);
      }
      ++size_;
      slot->key = value.value + 1;
    }
    return slot->content;
  }

 private:
  struct Slot {
    std::uint32_t key = 0;  // the value's id + 1; 0 is free
    T content = {};
  };

  Slot& slot_of(ValueId value) {
    const std::size_t mask = capacity_ - 1;
    std::uint64_t hash = (std::uint64_t{value.value} + 1) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
    std::size_t at = hash & mask;
    while (slots_[at].key != 0 && slots_[at].key != value.value + 1) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(capacity_));
    reset(capacity_);
    for (const Slot& slot : old) {
      if (slot.key == 0) continue;
      slot_of(ValueId(slot.key - 1)) = slot;
      ++size_;
    }
  }

  std::vector<Slot> slots_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace isoscope
