#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope {

/// Transactions by age: one that began earlier has the smaller number.
using Age = std::uint64_t;

/// Shared and exclusive locks on keys, and on tables: a scan shares a table with other scans, a
/// writer with other writers, so that no row can appear in a scanned table.
///
/// A transaction that meets a lock waits if it is older than all holders in its way, and dies
/// otherwise. Waiting leads from older to younger only, so there is no deadlock (Rosenkrantz,
/// Stearns, Lewis: System level concurrency control for distributed database systems, TODS 1978).
/// There are no queues: a transaction that waits asks again.
class Locks {
 public:
  enum class Decision : std::uint8_t { granted, wait, die };

  Decision read(Age who, KeyId key);
  /// With `past_readers`, other readers are not in the way: a mistake.
  Decision write(Age who, KeyId key, bool past_readers = false);
  Decision scan(Age who, TableId table);
  Decision write_into(Age who, TableId table);

  /// Would read() be granted? Takes nothing.
  Decision may_read(Age who, KeyId key) const;
  /// The transaction that holds the key exclusively; `nobody` if there is none.
  Age writer(KeyId key) const;
  bool reads(Age who, KeyId key) const;

  /// Everything that the transaction holds on these. Asking for more than it holds does no harm.
  void release(Age who, KeyId key);
  void release(Age who, TableId table);

  static constexpr Age nobody = UINT64_MAX;

 private:
  // Two groups of holders that exclude each other: readers and the writer of a key, scanners and
  // writers of a table.
  struct Lock {
    std::vector<Age> shared;     // readers, scanners
    std::vector<Age> exclusive;  // the writer of a key; the writers of a table
  };

  Lock& lock(KeyId key);
  Lock& lock(TableId table);

  std::vector<Lock> keys_;
  std::vector<Lock> tables_;
};

}  // namespace isoscope
