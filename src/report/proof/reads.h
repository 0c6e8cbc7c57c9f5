#pragma once

#include <cstdint>
#include <optional>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::report {

/// What the reads that a certificate speaks of saw.
///
/// A predicate operation reads every row of its table. A row that a predicate read returned is read
/// as by key. About a row that it did not return, or that a predicate write changed or left alone,
/// only one thing is known: whether the predicate selects what was there.
///
///   rp(v >= 10, {x:{v:12}})     it read x as {v:12}, and some y for which v >= 10 is not true
class Reads {
 public:
  /// The history must outlive the object. Cost: one pass over it.
  explicit Reads(const History& history) : history_(history), keys_(history) {}

  const History& history() const { return history_; }
  const Operation& operation(ReadNumber read) const {
    return history_.operations(TransactionId(read.transaction - 1))[read.operation - 1];
  }
  KeyId key(ReadNumber read) const;
  /// Nothing if only the predicate's choice is known.
  std::optional<ValueId> value(ReadNumber read) const;
  /// What a read of a list, or of its first elements, returned without the reader's own earlier
  /// appends.
  ValueId list(ReadNumber read) const;
  /// Item reads are those whose value is known.
  bool is_item(ReadNumber read) const { return value(read).has_value(); }

  // The following are for predicate operations.
  const Predicate& predicate(ReadNumber read) const;
  /// The row as it was returned or as the predicate write left it. Nothing: it was not selected.
  std::optional<ValueId> row(ReadNumber read) const;
  /// Can this version be what the read saw, as far as the predicate's choice tells?
  bool may_have_seen(ReadNumber read, ValueId version) const;

 private:
  const History& history_;
  KeyNumbers keys_;
};

inline OperationRef ref_of(ReadNumber read) {
  return {TransactionId(read.transaction - 1), read.operation - 1};
}

}  // namespace isoscope::report
