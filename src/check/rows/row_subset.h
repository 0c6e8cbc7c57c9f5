#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "check/rows/row_index.h"
#include "isoscope/base/contract.h"

namespace isoscope {

/// Some rows of a RowIndex, which come and go, and those of them that a predicate selects.
///
/// The subset has a bit for each row. For each operand that predicates compare, it has another bit
/// at the row's place in the sorted order, so a range of the operand is a range of bits. So a
/// question costs what it finds and the range's length / 64; putting a row in or out costs a step
/// for each operand. For a predicate that is asked about again and again, the place of its range is
/// found out once.
class RowSubset {
 public:
  /// Empty. The index must outlive it and have all its rows.
  explicit RowSubset(RowIndex& index) : index_(index), all_(words(index.size()), 0) {}

  void insert(std::uint32_t row) { change(row, true); }
  void erase(std::uint32_t row) { change(row, false); }
  void clear();

  /// Where to look for what a predicate selects.
  struct Place {
    const RowIndex::Sorted* of = nullptr;  ///< null: among all rows
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool selects_all = false;  ///< that is there
  };
  Place place_of(const Predicate& predicate) const;

  /// Calls visit(row) for each row of the subset that the predicate selects, by its number.
  template <class Visit>
  void for_each_selected(const Predicate& predicate, const Place& place, const Visit& visit);

 private:
  using Bits = std::vector<std::uint64_t>;
  struct ByOperand {
    std::vector<std::uint32_t> place;  // by row; none: it has no such operand
    Bits bits;                         // by place
  };
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static std::size_t words(std::size_t bits) { return bits / 64 + 1; }
  static void set(Bits& bits, std::uint32_t at, bool to) {
    ISOSCOPE_REQUIRE(at / 64 < bits.size());
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    bits[at / 64] = to ? bits[at / 64] | bit : bits[at / 64] & ~bit;
  }
  template <class Visit>
  static void for_each_bit(const Bits& bits, std::size_t first, std::size_t last,
                           const Visit& visit);

  void change(std::uint32_t row, bool to);
  ByOperand& by_operand(const RowIndex::Sorted& sorted);

  RowIndex& index_;
  Bits all_;
  std::map<const RowIndex::Sorted*, ByOperand> operands_;
};

template <class Visit>
void RowSubset::for_each_bit(const Bits& bits, std::size_t first, std::size_t last,
                             const Visit& visit) {
  ISOSCOPE_REQUIRE(first <= last && last <= bits.size() * 64);
  for (std::size_t word = first / 64; word * 64 < last; ++word) {
    std::uint64_t left = bits[word];
    if (word == first / 64) left &= ~std::uint64_t{0} << (first % 64);
    if (last - word * 64 < 64) left &= (std::uint64_t{1} << (last % 64)) - 1;
    for (; left != 0; left &= left - 1) {
      visit(
          static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(left))));
    }
  }
}

template <class Visit>
void RowSubset::for_each_selected(const Predicate& predicate, const Place& place,
                                  const Visit& visit) {
  const auto look_at = [&](std::uint32_t row) {
    if (place.selects_all || index_.selects(predicate, index_.row(row))) visit(row);
  };
  if (place.of == nullptr) return for_each_bit(all_, place.first, place.last, look_at);
  for_each_bit(by_operand(*place.of).bits, place.first, place.last,
               [&](std::uint32_t at) { look_at((*place.of)[at].row); });
}

}  // namespace isoscope
