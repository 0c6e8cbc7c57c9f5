#pragma once

#include <span>
#include <vector>

#include "check/reads/judging_round.h"
#include "check/reads/value_table.h"

namespace isoscope {

/// Judges the reads of one register (or row) at a time.
///
/// Inside a transaction, a read after an own write must return that write's value, and reads before
/// it must all return the same. Such an external read is explained by the initial value or by the
/// final write of another transaction that counts as committed; where values repeat, any one will
/// do.
///
/// For each written value, up to two transactions are kept whose final write it is (two, because
/// the reader itself does not count). Only when a key has a bad read are all its writes sorted by
/// value, to say what kind of bad read it is and name the writes involved.
class RegisterReads {
 public:
  /// The round must outlive the object.
  explicit RegisterReads(JudgingRound& round) : round_(round) {}
  RegisterReads(const RegisterReads&) = delete;
  RegisterReads& operator=(const RegisterReads&) = delete;

  void check(KeyId key);

 private:
  /// How a write of the value a bad read returned can be involved. Sorted like this.
  enum class Part : std::uint8_t {
    aborted,
    assumed_overwritten,  ///< by the same transaction, which is indeterminate: it may have aborted
    committed_overwritten,  ///< by the same transaction
    final,
  };
  struct Writer {
    ValueId value;
    Part part;
    OperationRef at;

    auto operator<=>(const Writer&) const = default;
  };

  void collect_sources();
  void check_run(std::span<const Access> run);
  void contradicts_own(const Access& read, const Access& own);
  void unexplained(const Access& read);

  void index_writers();
  std::span<const Writer> writers(ValueId value, Part part) const;
  /// These look at a part's writers of one value. The first finds the reader's own writes, the
  /// second asks whether there are others, and the third names those.
  static std::span<const Writer> own_among(TransactionId reader, std::span<const Writer> writers);
  static bool has_others(const Access& read, std::span<const Writer> writers);
  static void involve_others(BadRead& finding, std::span<const Writer> writers);
  const Writer* own_later_write(const Access& read) const;

  JudgingRound& round_;
  KeyId key_;
  std::span<const Access> accesses_;
  ValueTable<TwoTransactions> sources_;
  std::vector<Writer> writers_;  // of key_, sorted
  bool writers_indexed_ = false;
};

}  // namespace isoscope
