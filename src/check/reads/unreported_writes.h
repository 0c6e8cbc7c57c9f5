#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/presumed_outcome.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// The writes of a history whose values nobody reported, and what they excuse: a read that no
/// reported write explains may have seen one of them. Mostly there are none, and every question is
/// one comparison.
///
/// A predicate write that did not report its rows may have written anything to any key of its
/// table.
class UnreportedWrites {
 public:
  /// Both must outlive the object.
  UnreportedWrites(const History& history, std::vector<UnreportedWrite> writes);

  /// To be called when presumed outcomes have changed.
  void update(const std::vector<PresumedOutcome>& presumed);

  bool none() const { return writes_.empty(); }
  /// May a transaction other than `reader`, one that counts as committed, have written the key?
  bool by_other(KeyId key, TransactionId reader) const;
  /// May `t` itself have written the key between two of its operations (both excluded)?
  bool by_self(KeyId key, TransactionId t, std::int64_t after, std::int64_t before) const;
  /// May an aborted transaction have written the key?
  bool by_aborted(KeyId key) const;

 private:
  struct Target {
    bool whole_table = false;
    std::uint32_t id = 0;
    std::size_t first = 0;  // its writes, in writes_
    std::size_t last = 0;
    TwoTransactions committed;
    bool aborted = false;  // one of an aborted transaction is among them
  };

  const Target* find(bool whole_table, std::uint32_t id) const;
  /// The key's own target and its table's: each may be null.
  std::array<const Target*, 2> targets(KeyId key) const;

  const History& history_;
  std::vector<UnreportedWrite> writes_;  // sorted by target, transaction, operation
  std::vector<Target> targets_;
};

}  // namespace isoscope
