#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/sweep.h"

namespace isoscope {

/// Judges predicate reads inside their own transactions: each returned row must be one the
/// predicate selects, and each row the transaction itself wrote before must be there if the
/// predicate selects it.
///
///   w(x,5) r([=,@value,5],{})      misses the transaction's own row
///   r([=,@value,5],{y:6})          returned a row it does not select
///
/// That the rows returned have the right values is a matter of the single keys (RegisterReads,
/// ListReads); that other transactions' rows are there or not is a matter of levels.
///
/// Each predicate read is held against each row its transaction wrote before.
class PredicateRows {
 public:
  /// The sweep must outlive the object.
  explicit PredicateRows(Sweep& sweep);
  PredicateRows(const PredicateRows&) = delete;
  PredicateRows& operator=(const PredicateRows&) = delete;

  /// Stops, with the reason, when a limit is reached; the sweep is then worthless.
  std::optional<StopReason> check(TransactionId t);

 private:
  struct OwnRow {
    KeyId key;
    ValueId value;
    std::uint32_t operation;
    bool appended;  // `value` then stands for whatever list it is: predicates do not look inside
  };

  void write(KeyId key, ValueId value, std::uint32_t operation, bool appended);
  void check_read(OperationRef read, const PredicateAccess& access);
  void check_missing(OperationRef read, const PredicateAccess& access, const OwnRow& row);

  Sweep& sweep_;
  std::vector<OwnRow> own_;
  std::vector<std::uint32_t> own_of_key_;  // index into own_ + 1
  std::vector<std::uint32_t>
      returned_by_;  // by key: the last predicate read, numbered from 1, that returned it
  std::uint32_t reads_ = 0;
};

}  // namespace isoscope
