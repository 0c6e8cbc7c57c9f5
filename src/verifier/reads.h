#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"
#include "verifier/writes.h"

namespace isoscope::verifier {

/// What one read says: an item read, or what a predicate operation says about one key.
struct Read {
  ReadNumber number;
  TransactionId reader;
  KeyId key;
  /// No execution can have this read. Up to here the transaction read something other than what it
  /// wrote last itself; or it has a predicate that its own row, or the row that was returned, does
  /// not fit.
  bool contradicts_itself = false;
  /// Up to here two item reads of what others had left returned different values.
  bool differs = false;
  /// The read is of the key, or of a row that a predicate returned: not of what a predicate left
  /// out or changed.
  bool is_item = true;
  /// Why nothing is said about other transactions, if so; then there are no candidates either.
  const char* silent = nullptr;
  /// Nothing was reported, so that nothing is said at all.
  bool is_blank = false;
  /// What others appended is not known, so what the read says is not, either.
  bool is_unclear = false;
  /// What was read: a value of a register, or a version that the predicate selects, or does not.
  ValueId value = {};
  const Predicate* predicate = nullptr;
  bool selected = false;
  /// The transactions whose version may have been returned, 0 for the initial one.
  std::vector<std::uint32_t> candidates = {};
  /// Those whose appends make the list that was read, in the list's order, where no element was
  /// appended twice.
  std::vector<std::uint32_t> appenders = {};
  /// An element is in the list more often than others can have appended it.
  bool has_too_often = false;
  /// For a list: what was read, or its first elements, without the reader's own appends.
  std::optional<ValueId> list = {};
};

/// Finds what reads say.
class Reads {
 public:
  Reads(const History& history, const Writes& writes)
      : history_(history), writes_(writes), key_numbers_(history) {}

  /// Valid until the next call. An Error when there is no such read, its transaction aborted, or
  /// what was read is not known.
  Result<const Read*> find(ReadNumber number);

  /// Calls visit for every read of the transaction that says something about others, in the order
  /// of operations. An Error if one of its reads contradicts it, or is not clear; or what visit
  /// says.
  Status for_each(TransactionId t, const std::function<Status(const Read&)>& visit);

 private:
  std::vector<ReadNumber> numbers_at(TransactionId t, std::uint32_t operation) const;
  Result<Read> interpret(ReadNumber number) const;
  void find_candidates(Read& read, ValueId value) const;
  void find_candidates(Read& read, const Predicate& predicate, bool selected) const;
  void take_apart(Read& read, bool after_own_append) const;
  void find_last_appenders(Read& read, std::span<const ValueId> elements,
                           std::size_t initial) const;
  bool has_too_often(const Read& read, std::span<const ValueId> elements,
                     std::span<const ValueId> initial) const;

  const History& history_;
  const Writes& writes_;
  const KeyNumbers key_numbers_;
  std::optional<Read> last_;  // steps about one read tend to follow each other
};

}  // namespace isoscope::verifier
