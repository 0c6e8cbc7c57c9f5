#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/accesses.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::direct {

/// A transaction's number as certificates have it: 0 is the initial state.
using Number = std::uint32_t;

/// What a committed transaction read of a key that it had not written before, where only one
/// transaction can have left that. Of several reads of a key the first stands for all.
struct CertainRead {
  KeyId key;
  Number reader = 0;
  Number source = 0;
  std::uint32_t operation = 0;  ///< its place among the reader's, from 0
  std::uint32_t length = 0;     ///< of the list that was read, without own appends
  bool after_own = false;       ///< the reader had appended to the list before
};

/// What can be said about a history's reads and writes without any reasoning: which reads have one
/// possible source, who writes what, who overwrites what it has read.
///
///   a: T1 w(x,1) | b: T2 r(x,1) w(x,2) | c: T3 w(y,1) | d: T4 w(y,1) | e: T5 r(x,2) r(y,1)
///
/// T2's and T5's reads of x are certain. T5's read of y is not: it may be from T3 or from T4.
///
/// Left aside are keys that are both written and appended to, lists in which an element may have
/// been appended twice, and reads of lists that do not fit the longest one. Item reads only: a row
/// that a predicate read returned is one, what it left out is not.
///
/// Requires that no write of the history is unreported. Cost: that of sorting the writes.
class CertainReads {
 public:
  /// Both must outlive the object.
  CertainReads(const History& history, const KeyAccesses& accesses);

  const History& history() const { return history_; }
  bool is_committed(Number t) const {
    return t != 0 && history_.outcome(TransactionId(t - 1)) == Outcome::committed;
  }

  /// By key.
  std::span<const CertainRead> of(Number reader) const {
    return std::span(reads_).subspan(read_starts_[reader],
                                     read_starts_[reader + 1] - read_starts_[reader]);
  }
  const CertainRead* find(Number reader, KeyId key) const;
  /// A read of the reader that is from this source, if there is one.
  const CertainRead* first_from(Number reader, Number source) const;
  /// All reads of one version, by reader.
  std::span<const std::uint32_t> of_version(KeyId key, Number source) const;
  const CertainRead& read(std::uint32_t index) const { return reads_[index]; }
  /// Calls visit(span of indices) for every version that was read.
  template <class Visit>
  void each_version(const Visit& visit) const {
    for (std::size_t first = 0; first < by_version_.size();) {
      std::size_t last = first + 1;
      while (last < by_version_.size() && same_version(by_version_[first], by_version_[last])) {
        ++last;
      }
      visit(std::span(by_version_).subspan(first, last - first));
      first = last;
    }
  }

  bool writes(Number t, KeyId key) const;
  bool write_a_common_key(Number a, Number b) const;
  /// The keys, ascending; of transactions that did not abort.
  std::span<const KeyId> written_by(Number t) const {
    return std::span(written_).subspan(write_starts_[t], write_starts_[t + 1] - write_starts_[t]);
  }
  /// Those that did not abort, ascending.
  std::span<const Number> writers_of(KeyId key) const {
    return std::span(writers_).subspan(
        writer_starts_[key.index()], writer_starts_[key.index() + 1] - writer_starts_[key.index()]);
  }
  bool is_list(KeyId key) const { return use_[key.index()] == Use::list; }
  /// Who appended after that, in the order that the longest read of the list shows.
  std::span<const Number> appended_after(const CertainRead& list_read) const;
  /// Are the appends of `t`, which appends to the list, missing in what was read?
  bool misses(const CertainRead& list_read, Number t) const;

 private:
  enum class Use : std::uint8_t { reg, list, aside };
  struct Version {
    KeyId key;
    ValueId value;  ///< in the end; of a list an element
    Number writer = 0;
    auto operator<=>(const Version&) const = default;
  };
  struct List {
    KeyId key;
    std::vector<ValueId> prefixes = {};    ///< of the longest read, by length
    std::vector<Number> appenders = {};    ///< in its order
    std::vector<std::uint32_t> ends = {};  ///< how long the list is with the appends of each
    /// Each appender, by number, with its end.
    std::vector<std::pair<Number, std::uint32_t>> by_number = {};
  };

  void collect_writes();
  void set_repeated_lists_aside();
  void find_longest_reads(const std::vector<CertainRead>& lists, const std::vector<ValueId>& read);
  void collect_reads();
  void keep(const CertainRead& read, ValueId value, std::vector<CertainRead>& lists,
            std::vector<ValueId>& lists_read);
  std::span<const Version> versions(KeyId key, ValueId value) const;
  ValueId initial_list(KeyId key) const;
  const List* list_of(KeyId key) const;
  bool same_version(std::uint32_t a, std::uint32_t b) const {
    return reads_[a].key == reads_[b].key && reads_[a].source == reads_[b].source;
  }

  const History& history_;
  std::vector<Use> use_;           // by key
  std::vector<Version> versions_;  // sorted
  // Where those of each key start: to search all of them for one took most of a scan's time.
  std::vector<std::size_t> version_starts_;
  std::vector<KeyId> written_;
  std::vector<std::size_t> write_starts_;
  std::vector<Number> writers_;
  std::vector<std::size_t> writer_starts_;
  std::vector<CertainRead> reads_;
  std::vector<std::size_t> read_starts_;
  std::vector<std::uint32_t> by_version_;       // indices, sorted by key, source, reader
  std::vector<std::size_t> by_version_starts_;  // by key
  std::vector<List> lists_;                     // sorted by key
};

}  // namespace isoscope::direct
