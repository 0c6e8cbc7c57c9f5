#pragma once

#include <span>

#include "isoscope/history/history.h"

namespace isoscope {

/// What a client asks a database to do inside a transaction: one operation of a history before its
/// answer is known.
struct Request {
  OperationKind kind = OperationKind::read;
  KeyId key = KeyId(0);        ///< of an item operation
  TableId table = TableId(0);  ///< of a predicate operation
  PredicateId predicate{0};    ///< of a predicate operation
  /// What is written, inserted or appended. For a predicate write it is what each selected row
  /// becomes: nil deletes it, and a row replaces only the columns that it names.
  ValueId value = ValuePool::nil;
};

/// The database's answer.
struct Reply {
  ValueId value = ValuePool::nil;  ///< of a read
  /// For a predicate operation: the rows that were returned, or those that were changed with what
  /// they became. Valid until the next request.
  std::span<const RowVersion> rows = {};
};

}  // namespace isoscope
