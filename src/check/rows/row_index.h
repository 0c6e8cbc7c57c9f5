#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// Many rows, and the few of them that a predicate selects.
///
/// Rows are sorted by an operand when a predicate first compares that operand with constants, by
/// itself or as a part of a conjunction; then only the rows in the predicate's range are evaluated.
/// If there are several ranges, the smallest is taken:
///
///   and(v >= 10, v < 12, w = 5)     the rows with v >= 10, those with v < 12 or those with w = 5:
///                                   whichever are fewest
///
/// Other predicates (or, not, modulo) are evaluated on every row, but for each predicate only once:
/// what it selects is remembered as long as that takes no more memory than the history.
class RowIndex {
 public:
  struct Row {
    KeyId key;
    ValueId value;
    TransactionId writer = {};  ///< for the caller
  };

  /// The history must outlive the object.
  explicit RowIndex(const History& history) : history_(history) {}

  /// All rows are added before the first question.
  void add(const Row& row) {
    ISOSCOPE_REQUIRE(sorted_.empty() && selected_.empty());
    rows_.push_back(row);
  }
  std::size_t size() const { return rows_.size(); }
  const Row& row(std::uint32_t index) const {
    ISOSCOPE_REQUIRE(index < rows_.size());
    return rows_[index];
  }
  bool selects(const Predicate& predicate, const Row& row) const;

  /// Calls visit(row) for each row that the predicate selects, until it returns false. Adds the
  /// rows looked at to `work`.
  template <class Visit>
  void for_each_selected(PredicateId predicate, std::uint64_t& work, const Visit& visit);

  struct Entry {
    ValueId operand;  ///< an integer or a string
    std::uint32_t row;
  };
  using Sorted = std::vector<Entry>;
  using Range = std::span<const Entry>;
  struct Ranges {
    const Sorted* of = nullptr;  ///< all rows that have the operand, sorted by it; stays valid
    std::vector<Range> ranges;
    std::size_t size = 0;
  };
  /// Has every row that the predicate selects; nothing if no comparison narrows it down.
  std::optional<Ranges> narrowed(const Predicate& predicate, std::uint64_t& work);

 private:
  const Sorted& sorted_by(const std::string& operand, std::uint64_t& work);
  Range matching(const Predicate& comparison, std::span<const Entry> sorted) const;
  /// The rows that the predicate selects, if they are few enough to be remembered.
  const std::vector<std::uint32_t>* remembered(PredicateId id, std::uint64_t& work);

  const History& history_;
  std::vector<Row> rows_;
  std::map<std::string, Sorted> sorted_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> selected_;  // by predicate
  std::size_t remembered_ = 0;
};

template <class Visit>
void RowIndex::for_each_selected(PredicateId id, std::uint64_t& work, const Visit& visit) {
  const Predicate& predicate = history_.predicate(id);
  if (const auto few = narrowed(predicate, work)) {
    for (const Range& range : few->ranges) {
      for (const Entry& entry : range) {
        ++work;
        if (selects(predicate, rows_[entry.row]) && !visit(rows_[entry.row])) return;
      }
    }
    return;
  }
  const bool selects_all = predicate.kind == Predicate::Kind::always;
  if (const auto* known = selects_all ? nullptr : remembered(id, work)) {
    for (const std::uint32_t row : *known) {
      ++work;
      if (!visit(rows_[row])) return;
    }
    return;
  }
  for (const Row& row : rows_) {
    ++work;
    if (selects(predicate, row) && !visit(row)) return;
  }
}

}  // namespace isoscope
