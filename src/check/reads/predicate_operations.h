#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope {

/// A predicate operation whose rows were reported, and what it says of rows that it did not return.
///
/// It reads every row of its table. Those that a predicate read returned are ordinary reads. For
/// each other row that its transaction did not write before, it read a version that the predicate
/// does not select. For a row that a predicate write changed, it read a version that the predicate
/// selects.
struct PredicateOperation {
  std::uint32_t operation = 0;
  TableId table;
  PredicateId predicate;
  /// The keys that it listed, and those of the table that its transaction had written; ascending.
  std::vector<KeyId> excused = {};
  /// The keys that it changed and that its transaction had not written.
  std::vector<KeyId> changed = {};
};

/// The transaction's predicate operations, in program order.
std::vector<PredicateOperation> predicate_operations(const History& history, TransactionId t);

}  // namespace isoscope
