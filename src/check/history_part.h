#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope {

/// Which transactions of a history to keep, and which of their operations.
class PartOfHistory {
 public:
  /// All or nothing of it.
  PartOfHistory(const History& history, bool all);

  bool has(TransactionId t) const { return transactions_[t.index()] != 0; }
  bool has(TransactionId t, std::size_t operation) const {
    return operations_[starts_[t.index()] + operation] != 0;
  }
  void keep(TransactionId t, bool kept) { transactions_[t.index()] = kept ? 1 : 0; }
  void keep(TransactionId t, std::size_t operation, bool kept) {
    operations_[starts_[t.index()] + operation] = kept ? 1 : 0;
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint8_t> transactions_;
  std::vector<std::uint8_t> operations_;
};

/// The history with no more than that. Names, outcomes, times and initial values stay. An element
/// none of whose appends to a key is kept is left out of the lists read there as well, so that
/// these do not speak of what nobody did.
History part_of(const History& history, const PartOfHistory& part);

}  // namespace isoscope
