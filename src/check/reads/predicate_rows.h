#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/reads/judging_round.h"
#include "check/reads/unreturned_rows.h"

namespace isoscope {

/// Judges predicate reads and writes, transaction by transaction: each returned row must be one the
/// predicate selects; and each row the transaction itself wrote before must be there if, and only
/// if, the predicate selects it.
///
///   w(x,5) rp(@value = 5, {})          misses the transaction's own row
///   rp(@value = 5, {y:6})              returned a row it does not select
///   w(x,5) wp(@value = 6, {x:7})       changed a row it does not select
///
/// What predicates say about the rows of others is for UnreturnedRows. That the rows returned have
/// the right values is a matter of the single keys (RegisterReads, ListReads).
///
/// Each predicate is held against each row its transaction wrote before.
class PredicateRows {
 public:
  /// The round must outlive the object.
  explicit PredicateRows(JudgingRound& round);
  PredicateRows(const PredicateRows&) = delete;
  PredicateRows& operator=(const PredicateRows&) = delete;

  /// Stops, with the reason, when a limit is reached; the round is then worthless.
  std::optional<StopReason> check(TransactionId t);

 private:
  struct OwnRow {
    KeyId key;
    ValueId value;
    std::uint32_t operation;
    bool appended;  // `value` is then some_list
  };

  void write(KeyId key, ValueId value, std::uint32_t operation, bool appended);
  bool selects(const PredicateAccess& access, KeyId key, ValueId value) const;
  void check_returned(OperationRef read, const PredicateAccess& access);
  void check_changed(OperationRef at, const PredicateAccess& access);
  void check_left_out(OperationRef at, const PredicateAccess& access);
  /// The row was not listed though the predicate selects it, or was though it does not.
  void wrong_own(OperationRef at, const OwnRow& row, ReadProblem problem);

  JudgingRound& round_;
  UnreturnedRows others_;
  std::vector<OwnRow> own_;
  std::vector<std::uint32_t> own_of_key_;  // index into own_ + 1
  // By key: the last predicate operation, numbered from 1, that returned or changed it.
  std::vector<std::uint32_t> listed_by_;
  std::uint32_t operations_ = 0;
};

}  // namespace isoscope
