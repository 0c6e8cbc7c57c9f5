#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "check/visible/problem.h"
#include "check/visible/rows.h"

namespace isoscope::visible {

/// What each reader's level demands.
using RowOf = std::function<const Row&(Txn)>;

/// Why transactions at this level are not mixed with others at another one; empty if they can be.
std::string_view why_not_mixed(LevelId level);

/// The rows of the readers where each transaction has its own level. A row is a function of the
/// reader, so the engine is the same: one order of all commits, ways through all transactions, and
/// each read is looked at as its own transaction's level has it.
///
///   a: T1 at serializable r(x<-initial) w(y) | b: T2 at read-committed r(y<-initial) w(x)
///           no violation: T1 is before T2 in the order, and nothing is visible to T2
class RowsOfReaders {
 public:
  /// Requires that every transaction that takes part has a level that can be mixed. The problem
  /// must outlive the object.
  explicit RowsOfReaders(const Problem& problem);

  RowOf row_of() const {
    return [this](Txn t) -> const Row& { return rows_[number_[t]]; };
  }
  /// Whether the transaction comes after all that ended before it began.
  bool keeps_real_time(Txn t) const { return keeps_real_time_[number_[t]] != 0; }
  bool any_keeps_real_time() const;
  /// Whether a history at the level is at the levels of all readers.
  bool are_implied_by(LevelId level) const;

 private:
  std::vector<LevelId> levels_;
  std::vector<Row> rows_;
  std::vector<std::uint8_t> keeps_real_time_;  // by row
  std::vector<std::uint8_t> number_;           // of the row, by transaction
};

}  // namespace isoscope::visible
