#pragma once

#include <cstdint>
#include <optional>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/history/history.h"

namespace isoscope::report {

// What transactions write: by item operations, or the rows that a predicate write changed.
// Transactions have the numbers of certificates.

/// Calls visit(place, key, value) for all writes of a transaction in their order; `place` is the
/// operation's. A value of nil is a deletion.
template <class Visit>
void each_write(const History& history, TransactionId t, Visit&& visit) {
  const auto operations = history.operations(t);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.is_item_write()) {
      visit(i, operation.key(), operation.value());
    } else if (operation.kind() == OperationKind::predicate_write) {
      for (const RowVersion& row : history.predicate_access(operation).rows) {
        visit(i, row.key, row.value);
      }
    }
  }
}

struct FinalWrite {
  OperationRef at;
  OperationKind kind = OperationKind::write;
  ValueId value = ValuePool::nil;  ///< written or appended; nil: deleted

  bool is_append() const { return kind == OperationKind::append; }
};

/// The last write of the key, if there is one.
std::optional<FinalWrite> final_write(const History& history, std::uint32_t writer, KeyId key);

/// The first key that both write.
std::optional<KeyId> common_key(const History& history, std::uint32_t a, std::uint32_t b);

}  // namespace isoscope::report
