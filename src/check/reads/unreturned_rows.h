#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/reads/judging_round.h"
#include "check/reads/presumed_outcome.h"
#include "check/rows/row_index.h"
#include "isoscope/base/contract.h"

namespace isoscope {

/// Judges what predicates say about rows that their own transactions did not write before.
///
/// A predicate looks at every key of its table. A row that it left out must have a version that it
/// does not select, and a row that a predicate write changed must have one that it does:
///
///   initial none x=1 | T1 rp(true, {})              nobody ever deleted x: a missed row
///   initial none x=1 | T1 wp(@value = 9, {x:1})     nobody ever wrote 9: a thin-air read
///
/// Versions are the initial one and the final writes of other transactions that count as committed.
/// (The rows that a predicate read returned are reads of their keys: RegisterReads, ListReads.)
///
/// Not every key is looked at. One that is absent at first, or that somebody else deletes, can
/// always be left out. Any other key can be missed only if the predicate selects its initial row;
/// an index finds these keys. So a predicate read costs what its range of the initial rows holds:
/// mostly the rows it returned, and those that were changed so that it does not select them. Those
/// take a look at their versions, up to the first that the predicate does not select.
class UnreturnedRows {
 public:
  /// The maximum number of missed rows that are reported for one predicate operation. There may be
  /// as many as the table has, and the first few say it all.
  static constexpr std::size_t most_reported = 8;

  /// The round must outlive the object.
  explicit UnreturnedRows(JudgingRound& round);
  UnreturnedRows(const UnreturnedRows&) = delete;
  UnreturnedRows& operator=(const UnreturnedRows&) = delete;

  /// `at` changed the row, which its transaction had not written before.
  void check_changed(OperationRef at, const PredicateAccess& access, KeyId key);

  /// All keys of the table that the operation `at` left out, but for those of which is_known(key)
  /// is true: the ones it listed, and the ones its transaction wrote before.
  template <class IsKnown>
  void check_left_out(OperationRef at, const PredicateAccess& access, const IsKnown& is_known);

 private:
  struct Version {
    ValueId value;
    TransactionId writer;
  };
  struct Versions {
    bool collected = false;
    std::uint32_t first = 0;  // in versions_
    std::uint32_t last = 0;
  };
  struct Deletion {
    TransactionId writer;
    KeyId key;
  };
  /// How many missed rows an operation may still report: rows whose loss no level allows, and other
  /// rows.
  struct Budget {
    std::size_t certain = most_reported;
    std::size_t other = most_reported;
  };

  ValueId initial_row(KeyId key) const;
  std::span<const Version> versions_of(KeyId key);
  bool selects(const PredicateAccess& access, KeyId key, ValueId value);
  bool has_selected_version(OperationRef at, const PredicateAccess& access, KeyId key);
  bool has_unselected_version(OperationRef at, const PredicateAccess& access, KeyId key);
  bool is_undecided(OperationRef at, KeyId key, ReadFinding kind);
  bool left_out(OperationRef at, const PredicateAccess& access, KeyId key, Budget& budget);
  BadRead explained(OperationRef at, const PredicateAccess& access, KeyId key, bool selected);
  std::span<const Deletion> only_deleted_by(TransactionId t) const;

  JudgingRound& round_;
  std::vector<RowIndex> initial_;    // by table: rows that nobody deletes
  std::vector<Deletion> deletions_;  // of rows that nobody else deletes, by writer
  std::vector<Versions> of_key_;
  std::vector<Version> versions_;
  std::unordered_map<std::uint32_t, RowIndex> indexed_;  // versions of keys that have many
};

template <class IsKnown>
void UnreturnedRows::check_left_out(OperationRef at, const PredicateAccess& access,
                                    const IsKnown& is_known) {
  ISOSCOPE_REQUIRE(access.table.index() < initial_.size());
  Budget budget;
  const auto look = [&](KeyId key) { return is_known(key) || left_out(at, access, key, budget); };
  initial_[access.table.index()].for_each_selected(
      access.predicate, round_.work, [&](const RowIndex::Row& row) { return look(row.key); });
  for (const Deletion& deletion : only_deleted_by(at.transaction)) {
    const KeyId key = deletion.key;
    if (round_.history.key_table(key) == access.table && selects(access, key, initial_row(key)))
      look(key);
  }
}

}  // namespace isoscope
