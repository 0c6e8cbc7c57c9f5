#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/strong/problem/order_problem.h"

namespace isoscope::strong {

/// The variables of choices that are about two things each, such as two versions.
///
/// Open addressing, at most half full. Hard histories have millions of choices. With a node for
/// each, freeing them took a fifth of the time of the search.
class ChoiceTable {
 public:
  /// The place of the pair's variable, which holds `none` if the pair is new. It is valid until the
  /// next call.
  template <class First, class Second>
  std::uint32_t& at(Id<First> first, Id<Second> second) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[place_of(pair_of(first, second))];
    if (slot.pair == free) {
      slot.pair = pair_of(first, second);
      ++used_;
    }
    return slot.variable;
  }

  template <class First, class Second>
  std::optional<std::uint32_t> find(Id<First> first, Id<Second> second) const {
    const Slot& slot = slots_[place_of(pair_of(first, second))];
    return slot.pair == free ? std::nullopt : std::optional(slot.variable);
  }

 private:
  static constexpr std::uint64_t free = ~std::uint64_t{0};  // no two things have this number
  struct Slot {
    std::uint64_t pair = free;
    std::uint32_t variable = none;
  };

  template <class First, class Second>
  static std::uint64_t pair_of(Id<First> first, Id<Second> second) {
    return std::uint64_t{first.value} << 32 | second.value;
  }

  /// Where the pair is, or where it would be.
  std::size_t place_of(std::uint64_t pair) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t product = (pair ^ pair >> 32) * 0x9E3779B97F4A7C15;
    std::size_t place = (product ^ product >> 32) & mask;
    while (slots_[place].pair != free && slots_[place].pair != pair) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.pair != free) slots_[place_of(slot.pair)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::size_t used_ = 0;
};

}  // namespace isoscope::strong
