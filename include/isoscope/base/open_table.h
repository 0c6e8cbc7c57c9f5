#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isoscope {

/// A hash table from integers to `Content` that only grows, until it is emptied as a whole: open
/// addressing, at most half full, in one piece of memory. It keeps its memory when it is emptied,
/// and emptying it costs what it had room for.
///
/// `free_key` is a number that is no key. A table that is made without room must be reset() before
/// it is used.
template <class Key, Key free_key, class Content>
class OpenTable {
 public:
  OpenTable() = default;
  explicit OpenTable(std::size_t expected) { reset(expected); }

  /// Empty, with room for `expected` keys before it has to grow.
  void reset(std::size_t expected) {
    capacity_ = std::bit_ceil(std::max<std::size_t>(expected, 4) * 2);
    size_ = 0;
    if (slots_.size() < capacity_) slots_.resize(capacity_);
    std::fill_n(slots_.begin(), capacity_, Slot{});
  }

  std::size_t size() const { return size_; }

  /// Null if the key is not there. Valid until the next key is put in.
  Content* find(Key key) {
    Slot& slot = slots_[place_of(key)];
    return slot.key == free_key ? nullptr : &slot.content;
  }
  const Content* find(Key key) const {
    const Slot& slot = slots_[place_of(key)];
    return slot.key == free_key ? nullptr : &slot.content;
  }

  /// What the key has, made from `Content{}` on first use. Valid until the next key is put in.
  Content& operator[](Key key) {
    std::size_t place = place_of(key);
    if (slots_[place].key == free_key) {
      if ((size_ + 1) * 2 > capacity_) {
        grow();
        place = place_of(key);
      }
      ++size_;
      slots_[place].key = key;
    }
    return slots_[place].content;
  }

  /// Calls `visit` with every key, in no particular order, until it returns false. True if it never
  /// did.
  template <class Visit>
  bool all_keys(Visit visit) const {
    return std::all_of(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(capacity_),
                       [&](const Slot& slot) { return slot.key == free_key || visit(slot.key); });
  }

 private:
  struct Slot {
    Key key = free_key;
    [[no_unique_address]] Content content = {};
  };

  /// Where the key is, or the free place where it would be.
  std::size_t place_of(Key key) const {
    const std::size_t mask = capacity_ - 1;
    std::uint64_t mixed = key;
    if constexpr (sizeof(Key) > 4) mixed ^= mixed >> 32;
    mixed *= 0x9E3779B97F4A7C15;
    std::size_t place = (mixed ^ mixed >> 32) & mask;
    while (slots_[place].key != free_key && slots_[place].key != key) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Slot> old(capacity_ * 2);
    old.swap(slots_);
    old.resize(std::exchange(capacity_, capacity_ * 2));
    for (const Slot& slot : old) {
      if (slot.key != free_key) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace isoscope
