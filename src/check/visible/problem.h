#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/visible/rows.h"
#include "check/weak/known_sources.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

/// No transaction, no read and so on.
inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// A read of a key that its transaction had not written before, with its candidates: the
/// transactions that may have left what it returned.
struct Read {
  Txn reader = 0;
  KeyId key;
  std::uint32_t operation = 0;  ///< all rows of one predicate operation have one place
  bool item = true;             ///< false: of a row that a predicate did not return
  bool base = false;            ///< of what an update was applied to
  Txn only = none;              ///< the only candidate, if there is one
  std::uint32_t set = none;     ///< otherwise the set of candidates
};

/// A history as this engine looks at it: KnownSources, where reads have candidates, and rows that
/// predicates did not return are reads as far as they were asked for.
///
/// An uncertain transaction takes part only if it is chosen. Nothing comes after it in its session.
class Problem {
 public:
  /// The sources must outlive the object.
  explicit Problem(const weak::KnownSources& sources);

  const weak::KnownSources& sources() const { return sources_; }
  const History& history() const { return sources_.history(); }
  std::size_t size() const { return sources_.size(); }

  /// Those of KnownSources by their number there, then those that were added.
  std::span<const Read> reads() const { return reads_; }
  const Read& read(std::uint32_t read) const { return reads_[read]; }
  /// Lists to which an element was appended more than once are not looked at.
  bool is_ignored(const Read& read) const { return read.only == none && read.set == none; }
  /// Whether it is a choice what the read is from.
  bool is_open(const Read& read) const {
    return read.set != none || !sources_.certain(read.reader);
  }
  /// Replaces `into` by the reads of a transaction, in program order.
  void reads_of(Txn t, std::vector<std::uint32_t>& into) const;
  bool has_reads_of_rows() const { return !added_.empty(); }
  /// Adds a read of a row, and returns its number.
  std::uint32_t add_read(const Read& read);

  struct CandidateSet {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool is_of_value = false;  ///< see value_set()
  };
  const CandidateSet& set(std::uint32_t set) const {
    ISOSCOPE_REQUIRE(set < sets_.size());
    return sets_[set];
  }
  std::size_t set_count() const { return sets_.size(); }
  /// Where several reads share a set, the reader itself may be in it, and is no candidate.
  std::span<const Txn> candidates(std::uint32_t set) const {
    ISOSCOPE_REQUIRE(set < sets_.size());
    return std::span(candidates_).subspan(sets_[set].first, sets_[set].count);
  }
  std::span<const Txn> candidates(const Read& read) const {
    return read.set == none ? std::span(&read.only, 1) : candidates(read.set);
  }
  /// Adds a set, ascending, for reads of rows.
  std::uint32_t add_set(std::span<const Txn> candidates);

  /// Leaves fewer candidates, ascending, to a read that has several, until widen().
  void narrow(std::uint32_t read, std::span<const Txn> left);
  void widen();
  bool is_narrowed() const { return !narrowed_.empty(); }
  /// Whether the read has several candidates while nothing is narrowed.
  bool has_several(std::uint32_t read) const {
    return reads_[read].set != none || narrowed_.contains(read);
  }

  // Versions are numbered by writer, then by key.
  std::size_t version_count() const { return sources_.write_count(); }
  /// The number of what t left at the key, which it writes.
  std::uint32_t version(Txn t, KeyId key) const;
  std::pair<Txn, KeyId> writer_and_key(std::uint32_t version) const;
  /// The set of candidates of reads of what the version holds, if several transactions wrote that.
  std::uint32_t value_set(std::uint32_t version) const { return value_sets_[version]; }
  /// The first operation that wrote it.
  std::uint32_t written_at(std::uint32_t version) const { return written_at_[version]; }
  bool is_update(Txn t) const { return !sources_.written_by(t).empty(); }

  /// The transaction before it in its session; 0 if there is none.
  Txn previous(Txn t) const { return previous_[t]; }
  /// The transactions right behind it in its session: the next one, and uncertain ones beside it.
  template <class Visit>
  void for_each_next(Txn t, const Visit& visit) const {
    if (t + 1 < size() && previous_[t + 1] == t) visit(t + 1);
    const auto its = std::ranges::equal_range(sources_.leaves(), t, {}, &weak::KnownEdge::from);
    for (const weak::KnownEdge& leaf : its) {
      if (leaf.to != t + 1) visit(leaf.to);
    }
  }
  /// Whether the first comes before the second in one session.
  bool in_session(Txn first, Txn second) const {
    const bool is_leaf = !sources_.follows_in_chain(second) && previous_[second] != 0;
    const Txn last = is_leaf ? previous_[second] : second;
    if (first == 0 || sources_.chain(first) != sources_.chain(last)) return false;
    return first < last || (is_leaf && first == last);
  }

 private:
  void find_places();

  const weak::KnownSources& sources_;
  std::vector<Read> reads_;
  std::vector<std::vector<std::uint32_t>> added_;     // by reader, once one was added
  std::unordered_map<std::uint32_t, Read> narrowed_;  // by read: what it was
  std::map<std::vector<Txn>, std::uint32_t> narrowed_sets_;
  std::vector<CandidateSet> sets_;
  std::vector<Txn> candidates_;
  std::vector<std::uint32_t> value_sets_;  // by version
  std::vector<std::uint32_t> written_at_;  // by version
  std::vector<Txn> previous_;
};

}  // namespace isoscope::visible
