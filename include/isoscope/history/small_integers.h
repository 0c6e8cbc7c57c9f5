#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope {

/// A table of numbers, one for each small integer: a look-up takes one look instead of a hash.
///
/// The table is as wide as the integers are dense. Its owner counts the integers. When one comes
/// that is beyond the table, and at least an eighth of all integers up to the next power of two are
/// there, the table is to be widened to that power:
///
///   1, 2, 3, ... or random ones below 10,000     all of them, sooner or later
///   random ones below 1,000,000,000              none, however many there are
///
/// So the table costs at most 32 bytes for each integer that was counted, and a few hundred bytes
/// more.
class SmallIntegers {
 public:
  bool covers(std::uint64_t integer) const { return integer < numbers_.size(); }
  /// What was set for the integer; 0 when nothing was, or when it is not covered.
  std::uint32_t at(std::uint64_t integer) const { return covers(integer) ? numbers_[integer] : 0; }
  /// The integer must be covered.
  void set(std::uint64_t integer, std::uint32_t number) {
    ISOSCOPE_REQUIRE(covers(integer));
    numbers_[integer] = number;
  }

  /// One more integer, each to be counted once. True when it is not covered and should be:
  /// widen_for() it.
  bool count(std::uint64_t integer) {
    if (covers(integer)) {
      ++covered_;
      return false;
    }
    const auto width = static_cast<std::size_t>(std::bit_width(integer));
    if (width > max_width) return false;
    ++beyond_[width];
    ++all_beyond_;
    const std::size_t enough = width <= 6 ? 0 : (std::size_t{1} << width) / 8;
    return covered_ + all_beyond_ >= enough && covered_ + beyond_up_to(width) >= enough;
  }
  void widen_for(std::uint64_t integer) {
    const auto width = static_cast<std::size_t>(std::bit_width(integer));
    const std::size_t more = beyond_up_to(width);
    covered_ += more;
    all_beyond_ -= more;
    std::fill_n(beyond_.begin(), width + 1, 0);
    numbers_.resize(std::size_t{1} << width, 0);
  }

  void prefetch(std::uint64_t integer) const { isoscope::prefetch(&numbers_[integer]); }
  std::size_t memory() const { return numbers_.capacity() * sizeof(std::uint32_t); }

 private:
  static constexpr std::size_t max_width = 31;
  std::size_t beyond_up_to(std::size_t width) const {
    std::size_t sum = 0;
    for (std::size_t w = 0; w <= width; ++w) sum += beyond_[w];
    return sum;
  }

  std::vector<std::uint32_t> numbers_;
  // How many of the counted integers are covered; how many are not, by their width in bits and in
  // all.
  std::size_t covered_ = 0;
  std::array<std::uint32_t, max_width + 1> beyond_{};
  std::size_t all_beyond_ = 0;
};

}  // namespace isoscope
