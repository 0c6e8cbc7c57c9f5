#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/written_values.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/groups.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::direct {

/// A transaction's number as certificates have it: 0 is the initial state.
using Number = std::uint32_t;

/// What a committed transaction read of a key that it had not written before, where only one
/// transaction can have left that. If it read the key several times, the first read stands for all.
struct CertainRead {
  KeyId key;
  Number reader = 0;
  Number source = 0;
  std::uint32_t operation = 0;  ///< its place among the reader's, from 0
  std::uint32_t length = 0;     ///< of the list that was read, without own appends
  std::uint32_t version = 0;    ///< see CertainReads::updates_of
  bool after_own = false;       ///< the reader had appended to the list before
  bool is_update = false;       ///< the reader writes the key too
};

/// What can be said about a history's reads and writes without any reasoning: which reads have one
/// possible source, which transactions write what, and which overwrite what they have read.
///
///   a: T1 w(x,1) | b: T2 r(x,1) w(x,2) | c: T3 w(y,1) | d: T4 w(y,1) | e: T5 r(x,2) r(y,1)
///
/// T2's and T5's reads of x are certain. T5's read of y is not: it may be from T3 or from T4.
///
/// Left aside are keys that are both written and appended to, lists in which an element may have
/// been appended twice, and reads of lists that do not fit the longest one. Only item reads count:
/// a row that a predicate read returned is one, what it left out is not.
///
/// Requires that no write of the history is unreported. Cost: linear but for keys and values with
/// many versions. Everything is found by counting and placing. With sorting and searching, the work
/// after a refutation took longer than the check.
class CertainReads {
 public:
  /// Both must outlive the object.
  CertainReads(const History& history, const KeyAccesses& accesses);

  const History& history() const { return history_; }
  bool is_committed(Number t) const {
    ISOSCOPE_REQUIRE(t <= history_.transaction_count());
    return t != 0 && history_.outcome(TransactionId(t - 1)) == Outcome::committed;
  }

  /// The certain reads of a transaction, in the order of its operations.
  std::span<const CertainRead> of(Number reader) const {
    ISOSCOPE_REQUIRE(reader + 1 < read_starts_.size());
    return std::span(reads_).subspan(read_starts_[reader],
                                     read_starts_[reader + 1] - read_starts_[reader]);
  }
  /// The reader's certain read of the key, if there is one.
  const CertainRead* find(Number reader, KeyId key) const;
  const CertainRead& read(std::uint32_t index) const {
    ISOSCOPE_REQUIRE(index < reads_.size());
    return reads_[index];
  }
  /// A read by a transaction that writes the key too.
  struct Update {
    Number reader = 0;
    std::uint32_t read = 0;  ///< its index
  };
  /// The reads of a version by transactions that write the key too, by reader.
  std::span<const Update> updates_of(std::uint32_t version) const { return updates_.of(version); }
  /// The number of versions: those that transactions wrote, and behind them the initial version of
  /// each key.
  std::size_t version_count() const { return updates_.count(); }

  bool writes(Number t, KeyId key) const;
  bool write_a_common_key(Number a, Number b) const;
  using Version = WrittenValues::Version;
  /// What a transaction that did not abort wrote, by key. A list has one version for each element.
  std::span<const Version> written_by(Number t) const { return written_.written_by(t); }
  /// The number of the first version that written_by lists.
  std::uint32_t first_version(Number t) const { return written_.first_version(t); }
  /// The committed transactions that write the key, ascending.
  std::span<const Number> writers_of(KeyId key) const { return writers_.of(key.index()); }
  bool is_list(KeyId key) const { return written_.use(key) == WrittenValues::Use::list; }
  /// The transactions that appended after the read, in the order that the longest read of the list
  /// shows.
  std::span<const Number> appended_after(const CertainRead& list_read) const;
  /// Are the appends of `t`, which appends to the list, missing in what was read?
  bool misses(const CertainRead& list_read, Number t) const;

  /// What is known of the reads' sources lies far apart in memory. A scan over readers asks for it
  /// while it is still at an earlier reader: first where it lies, later for itself.
  void prefetch_places(Number reader) const;
  void prefetch_sources(Number reader) const;
  void prefetch_updates(Number reader) const;
  void prefetch_place(Number reader) const;
  void prefetch_reads(Number reader) const;

 private:
  struct List {
    KeyId key;
    std::vector<ValueId> prefixes = {};    ///< of the longest read, by length
    std::vector<Number> appenders = {};    ///< in its order
    std::vector<std::uint32_t> ends = {};  ///< how long the list is with the appends of each
    /// Each appender, by number, with its end.
    std::vector<std::pair<Number, std::uint32_t>> by_number = {};
  };

  void collect_writers();
  void find_longest_reads(const std::vector<CertainRead>& lists, const std::vector<ValueId>& read);
  void collect_reads();
  void collect_updates();
  /// What a transaction read of a key first, before its source is looked for. The length is the
  /// number of own appends before it.
  struct FirstRead {
    CertainRead read;
    ValueId value;
  };
  void keep(std::span<const FirstRead> first, std::vector<CertainRead>& lists,
            std::vector<ValueId>& lists_read);
  void keep(const CertainRead& read, ValueId value, std::vector<CertainRead>& lists,
            std::vector<ValueId>& lists_read);
  std::uint32_t first_version_of(Number writer, KeyId key) const;
  const List* list_of(KeyId key) const;
  const History& history_;
  WrittenValues written_;
  Groups<Number> writers_;  // by key
  std::vector<CertainRead> reads_;
  std::vector<std::uint32_t> read_starts_;
  Groups<Update> updates_;   // by version
  std::vector<List> lists_;  // sorted by key
};

}  // namespace isoscope::direct
