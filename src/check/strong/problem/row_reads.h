#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/rows/row_index.h"
#include "check/rows/row_subset.h"
#include "check/strong/problem/order_problem.h"

namespace isoscope::strong {

/// What predicates say about rows that they did not return.
///
/// A predicate operation reads every row of its table. Those that a predicate read returned are
/// ordinary reads. For each other row that its transaction did not write before, it read a version
/// that the predicate does not select. For a row that a predicate write changed, it read a version
/// that the predicate selects. So there is a read for every row and predicate operation. Nearly all
/// of them fit in any likely order, so a read is made, with its candidates, only when an order got
/// it wrong.
///
///   T1 w(x,1) | T2 w(x,5) | T3 rp(@value = 5, {})      T3 and x: the candidates are nil and T1's
///
/// At repeatable read such a row need not be as it was when the transaction read: it is wrong only
/// if none of its candidates comes before the reader.
///
/// Orders are replayed on the whole tables: the versions that are there at a time are a subset of
/// all versions, and a predicate is asked which of them it selects.
class RowReads {
 public:
  /// The problem must outlive the object; reads are added to it.
  RowReads(const History& history, const KeyAccesses& accesses, OrderProblem& problem);

  /// No predicate says anything.
  bool empty() const { return operations_.empty(); }

  /// Lets the events happen in the given order, and adds the reads of rows that are wrong then:
  /// numbers of reads of the problem. See replay(). False if one of the `limits` was reached
  /// before the end.
  bool add_wrong_reads(std::span<const std::uint32_t> order,
                       const std::vector<std::uint8_t>& takes_part, const Limits& limits,
                       std::vector<ReadId>& wrong);

  /// How many rows all predicates looked at, without those they returned.
  std::uint64_t row_count() const;
  std::size_t made() const { return reads_.size(); }

 private:
  struct Predicated {  // a predicate operation
    Txn reader;
    std::uint32_t operation;
    TableId table;
    PredicateId predicate;
    std::uint32_t first_excused;  // in excused_: keys that it listed or its transaction had written
    std::uint32_t first_changed;  // in changed_
    RowSubset::Place place;
  };
  /// A read of a row, to find it again.
  struct RowRead {
    std::uint32_t predicated;
    KeyId key;
    bool operator==(const RowRead&) const = default;
  };
  struct Hash {
    std::size_t operator()(const RowRead& read) const {
      return std::hash<std::uint64_t>()(std::uint64_t{read.predicated} << 32 | read.key.value);
    }
  };

  void collect(Txn t);
  void add_versions(const KeyAccesses& accesses);
  std::optional<ValueId> row_of(VersionId version, KeyUse use) const;
  std::span<const KeyId> excused(std::uint32_t predicated) const;
  std::span<const KeyId> changed(std::uint32_t predicated) const;
  bool selects(const Predicated& operation, VersionId version) const;
  ReadId read_of(std::uint32_t predicated, KeyId key, bool selected);
  struct Candidates {
    std::uint32_t first;  // in the problem's
    std::uint32_t count;
  };
  Candidates candidates(const Predicated& operation, KeyId key, bool selected);

  const History& history_;
  OrderProblem& p_;
  std::vector<Predicated> operations_;  // by reader
  std::vector<std::uint32_t> starts_;   // by transaction
  std::vector<KeyId> excused_;
  std::vector<KeyId> changed_;
  std::vector<RowIndex> versions_;                      // by table: all versions that are rows
  std::vector<std::vector<VersionId>> version_of_row_;  // by table and place there
  IdVector<VersionId, std::uint32_t> row_of_version_;   // its place; none: it is no row
  std::vector<RowSubset> present_;                      // by table
  std::unordered_map<RowRead, ReadId, Hash> reads_;
  std::unordered_map<std::uint64_t, Candidates> selected_;  // by key and predicate
  std::unordered_map<std::uint64_t, Candidates> unselected_;
};

}  // namespace isoscope::strong
