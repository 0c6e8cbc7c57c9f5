#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/history/history.h"
#include "shrink/write_index.h"

namespace isoscope::shrinking {

/// What one operation of a history still says in a part of it.
struct KeptOperation {
  std::uint32_t place = 0;  ///< among the transaction's operations
  /// For a predicate operation: the keys that it still says were found, changed or left out;
  /// ascending.
  std::vector<KeyId> looked = {};
  /// For a predicate write: the keys that it still writes; ascending.
  std::vector<KeyId> written = {};

  bool operator==(const KeptOperation&) const = default;
};

struct KeptTransaction {
  TransactionId id;
  std::vector<KeptOperation> operations;  ///< by place

  bool operator==(const KeptTransaction&) const = default;
};

/// Which transactions of a history are kept, in their order, and what of each. A transaction
/// without operations still has its place in the session and in time.
using Part = std::vector<KeptTransaction>;

/// What can be left out at once: a transaction, one of its operations, or what a predicate
/// operation says about one key.
struct Unit {
  TransactionId transaction;
  std::optional<std::uint32_t> place = {};
  std::optional<KeyId> key = {};
  /// For a row that a predicate write changed: the write of the row stays, only the look at it
  /// goes.
  bool only_look = false;
};

/// All of a history, but for reads of aborted transactions, which say nothing. Where there are
/// very many predicate operations and keys they are taken to speak only of the rows that they
/// returned or changed.
Part whole_part(const History& history);

Part without(const Part& part, std::span<const Unit> units);
/// What is in both parts.
Part common(const Part& a, const Part& b);

bool keeps(const History& history, const Part& part, WriteAt write);

std::size_t operation_count(const Part& part);

}  // namespace isoscope::shrinking
