#include "check/rows/row_subset.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

void RowSubset::change(std::uint32_t row, bool to) {
  ISOSCOPE_REQUIRE(row < index_.size());
  set(all_, row, to);
  for (auto& [sorted, operand] : operands_) {
    if (operand.place[row] != none) set(operand.bits, operand.place[row], to);
  }
}

void RowSubset::clear() {
  std::ranges::fill(all_, 0);
  for (auto& [sorted, operand] : operands_) std::ranges::fill(operand.bits, 0);
}

/// One range, or several with what is between them.
RowSubset::Place RowSubset::place_of(const Predicate& predicate) const {
  std::uint64_t work = 0;
  const auto few = index_.narrowed(predicate, work);
  if (!few) return {.last = static_cast<std::uint32_t>(index_.size())};
  Place place{.of = few->of};
  for (const RowIndex::Range& range : few->ranges) {
    if (range.empty()) continue;
    const auto first = static_cast<std::uint32_t>(range.data() - few->of->data());
    const auto last = first + static_cast<std::uint32_t>(range.size());
    place.first = place.last == 0 ? first : std::min(place.first, first);
    place.last = std::max(place.last, last);
  }
  ISOSCOPE_ENSURE(place.first <= place.last && place.last <= few->of->size());
  place.selects_all = predicate.kind != Predicate::Kind::conjunction && few->ranges.size() <= 1;
  return place;
}

RowSubset::ByOperand& RowSubset::by_operand(const RowIndex::Sorted& sorted) {
  ISOSCOPE_REQUIRE(sorted.size() <= index_.size());
  const auto [found, is_new] = operands_.try_emplace(&sorted);
  ByOperand& operand = found->second;
  if (!is_new) return operand;
  operand.place.assign(index_.size(), none);
  operand.bits.assign(words(sorted.size()), 0);
  for (std::uint32_t place = 0; place < sorted.size(); ++place) {
    operand.place[sorted[place].row] = place;
  }
  for_each_bit(all_, 0, index_.size(), [&](std::uint32_t row) {
    if (operand.place[row] != none) set(operand.bits, operand.place[row], true);
  });
  return operand;
}

}  // namespace isoscope
