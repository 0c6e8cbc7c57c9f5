#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/chain_cover.h"
#include "check/strong/problem/ids.h"
#include "check/strong/problem/likely_times.h"
#include "check/strong/problem/rules.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/id_vector.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/workers.h"
#include "isoscope/history/history.h"

namespace isoscope::strong {

/// A transaction, by its number: 0 is the initial state, the others are numbered by when they
/// probably happened, and ascending along each chain. So what happened at about the same time is
/// close together in all arrays.
using Txn = std::uint32_t;

/// What a transaction left at a key. Versions are numbered like their writers, so that those of
/// about the same time are close together: first the initial one of each key, by key, then those of
/// transaction 1, and so on.
struct Version {
  KeyId key;
  Txn writer = 0;
  ValueId value;
  ReadId first_reader = none;  ///< a read known to have returned this version
  // Its neighbours among the versions of the key and their writers, which is mostly all one has to
  // know of them. They are set from sort_versions() on.
  VersionId previous = none;
  VersionId next = none;
  Txn previous_writer = none;
  Txn next_writer = none;
};

/// What one transaction saw of a key before it wrote to it: the last writer of the key before the
/// reader must be one of the candidates.
struct Read {
  /// More than an Access can have.
  static constexpr std::uint32_t most_operations = 0x7FFFFFFF;

  Txn reader = 0;
  KeyId key;
  std::uint32_t operation : 31 = 0;  ///< of the reader
  /// There may be more or fewer candidates than one.
  std::uint32_t has_candidate_set : 1 = 0;
  VersionId source = none;     ///< the version returned, once only one can be
  VersionId candidate = none;  ///< the only one; its index is that of the set if there is one
};

/// The candidates of a read. They are kept apart from it, since most reads have only one candidate,
/// and there are many reads.
struct CandidateSet {
  std::uint32_t first = 0;              ///< in OrderProblem::candidates
  std::uint32_t left = 0;               ///< how many may still be the source
  std::uint32_t all = 0;                ///< those there were; the dropped ones stand behind
  std::uint32_t resolved_after = none;  ///< as many edges were known when the source became known
  /// Several reads share the candidates, and none of these is dropped. The reason is that the value
  /// has very many candidates, or that the read is of a row. The reader's own version may be among
  /// them.
  bool is_wide = false;
  /// Only the candidates fit, and they are ascending. The read is of a row that a predicate did not
  /// return (RowReads), or of a list with repeated elements.
  bool is_sorted = false;
  /// Only the candidates fit. The read is of a list with repeated elements.
  bool is_of_list = false;
};

/// Says that `earlier` appended to a list before `later`, with the read that shows it.
struct ListOrder {
  Txn earlier = 0;
  Txn later = 0;
  ReadId read;
};

/// A history as the strong levels look at it: which transaction wrote which version last, what was
/// read from others, and what is known about the order beforehand. Aborted transactions are not
/// there.
///
/// A transaction is *open* while nobody knows that it committed. It may be left out of an
/// execution, so nothing comes after it and its reads say nothing until it is known to have
/// committed.
class OrderProblem {
 public:
  Rules rules;

  // By transaction; [0] is the initial state.
  std::vector<TransactionId> ids;
  std::vector<ChainId> chains;  ///< 0: that of the initial state
  std::vector<std::uint8_t> open;
  std::vector<Txn> previous_in_chain;  ///< none: it is the first
  std::vector<Txn> next_in_session;    ///< none if the chain ends, or goes on for another reason
  /// Session order beside chains: the second begins after the first commits.
  std::vector<std::pair<Txn, Txn>> session_leaves;
  std::vector<std::uint32_t> read_starts;
  std::vector<std::uint32_t> write_starts;  ///< among the versions

  IdVector<ReadId, Read> reads;  ///< by reader; behind them those that RowReads adds
  /// What one needs to know to go through the reads of a version. It is kept apart from the rest,
  /// so that caches hold more of it.
  struct Reader {
    Txn reader = 0;
    ReadId next = none;  ///< another read of the version
  };
  IdVector<ReadId, Reader> readers;
  std::vector<CandidateSet> candidate_sets;
  std::vector<VersionId> candidates;
  IdVector<VersionId, Version> versions;
  std::vector<std::uint32_t> version_starts;  ///< by key, in by_key
  /// Versions by key, the initial one first, the others in the likely order of commits; from
  /// sort_versions() on.
  std::vector<VersionId> by_key;
  std::vector<ListOrder> list_orders;
  /// Writers of one key whose versions are assumed to come in this order. The first one of a pair
  /// committed for certain.
  std::vector<std::pair<Txn, Txn>> assumed_orders;
  /// Open transactions whose elements a committed reader saw in a list, with that read.
  struct Member {
    Txn writer;
    ReadId read;
  };
  std::vector<Member> members;
  /// The reads of lists to which elements were appended more than once, and what they returned
  /// without the reader's own appends: it does not tell the order of appends (ListStates).
  struct ListRead {
    ReadId read;
    ValueId list;
    std::uint32_t size;  ///< how many elements
  };
  std::vector<ListRead> list_reads;
  /// How many elements each version of these lists adds. The initial version adds its own.
  std::unordered_map<VersionId, std::uint32_t> list_appends;
  /// Why an indeterminate transaction is known to have committed: a read that returned what it
  /// left, or a list read that has its elements.
  struct CommitReason {
    ReadId read = none;
    bool by_list = false;
  };
  std::unordered_map<Txn, CommitReason> commit_reasons;
  std::uint32_t chain_count = 1;
  std::vector<Txn> number;  ///< by TransactionId; none if it is not there

  // Real time: points in time, one after the other in a chain of their own behind the events.
  std::vector<std::int64_t> times;
  /// By transaction: the last point before or at its begin, and the first one after its end; none
  /// if there is none, or it is not known.
  std::vector<std::uint32_t> begins_at;
  std::vector<std::uint32_t> ends_before;

  std::size_t size() const { return ids.size(); }
  std::size_t key_count() const { return version_starts.size() - 1; }
  IdRange<KeyTag> keys() const { return IdRange<KeyTag>(key_count()); }
  std::span<const VersionId> all_versions_of(KeyId key) const {
    const std::uint32_t first = version_starts[key.index()];
    return std::span(by_key).subspan(first, version_starts[key.index() + 1] - first);
  }
  /// The versions of the key without the initial one.
  std::span<const VersionId> versions_of(KeyId key) const {
    return all_versions_of(key).subspan(1);
  }
  static VersionId initial_version(KeyId key) { return VersionId(key.index()); }
  IdRange<ReadTag> reads_of(Txn t) const {
    return {ReadId(read_starts[t]), ReadId(read_starts[t + 1])};
  }
  /// Whether RowReads added the read.
  bool is_of_row(ReadId read) const { return read.value >= read_starts.back(); }
  /// Whether nothing may have overwritten what was read before the reader read it.
  bool is_current(ReadId read) const { return rules.rows_are_current || !is_of_row(read); }
  IdRange<VersionTag> writes_of(Txn t) const {
    return {VersionId(write_starts[t]), VersionId(write_starts[t + 1])};
  }
  /// The candidates of a read that has a set of them.
  const CandidateSet& set_of(const Read& read) const {
    ISOSCOPE_REQUIRE(read.has_candidate_set != 0);
    return candidate_sets[read.candidate.index()];
  }
  CandidateSet& set_of(const Read& read) {
    ISOSCOPE_REQUIRE(read.has_candidate_set != 0);
    return candidate_sets[read.candidate.index()];
  }
  std::span<const VersionId> candidates_of(const Read& read) const {
    if (read.has_candidate_set == 0) return {&read.candidate, 1};
    return std::span(candidates).subspan(set_of(read).first, set_of(read).left);
  }
  /// Whether the read may have returned the version, which is of its key.
  bool fits(const Read& read, VersionId version) const {
    if (read.source != none) return read.source == version;
    if (read.has_candidate_set == 0) return read.candidate == version;
    if (versions[version].writer == read.reader) return false;
    const CandidateSet& set = set_of(read);
    const auto all = all_candidates_of(read);
    if (set.is_sorted) return std::ranges::binary_search(all, version);
    if (set.is_of_list) return std::ranges::find(all, version) != all.end();
    // Whatever was dropped, what has the value fits.
    return versions[version].value == versions[candidates[set.first]].value;
  }
  std::span<const VersionId> all_candidates_of(const Read& read) const {
    if (read.has_candidate_set == 0) return {&read.candidate, 1};
    return std::span(candidates).subspan(set_of(read).first, set_of(read).all);
  }
  bool is_wide(const Read& read) const {
    return read.has_candidate_set != 0 && set_of(read).is_wide;
  }

  // Events are numbered like transactions, two of them to each where begin and commit differ.
  std::uint32_t begin(Txn t) const { return rules.begin_is_commit ? t : 2 * t; }
  std::uint32_t commit(Txn t) const { return rules.begin_is_commit ? t : 2 * t + 1; }
  /// From this event on the transaction keeps others from writing the keys that it writes: other
  /// writers of these commit before it, or begin to hold them after its commit.
  std::uint32_t held_from(Txn t) const { return rules.writers_conflict ? begin(t) : commit(t); }
  Txn transaction_of(std::uint32_t event) const {
    return rules.begin_is_commit ? event : event / 2;
  }
  bool is_time(std::uint32_t event) const { return event >= event_count(); }
  std::uint32_t event_count() const {
    return static_cast<std::uint32_t>(rules.begin_is_commit ? size() : 2 * size());
  }
  std::uint32_t time_event(std::uint32_t point) const {
    ISOSCOPE_REQUIRE(point < times.size());
    return event_count() + point;
  }
  /// Events and points in time.
  std::size_t node_count() const { return event_count() + times.size(); }
  ChainId time_chain() const { return ChainId(chain_count); }
  ChainId chain_of(std::uint32_t event) const {
    return is_time(event) ? time_chain() : chains[transaction_of(event)];
  }
  /// How many events the longest chain has.
  std::size_t longest_chain() const;
  std::size_t all_chains() const { return chain_count + (times.empty() ? 0u : 1u); }
};

struct ProblemInput {
  const History& history;
  const KeyAccesses& accesses;
  const std::vector<std::uint8_t>& takes_part;  ///< by transaction: committed, or may have
  const LikelyTimes& likely;
  Rules rules;
  std::int64_t clock_skew = 0;
  const Limits& limits = Limits::none();
  Workers workers = Workers();
  /// For these transactions, by TransactionId, only reads of one key are looked at: the first pass
  /// has found that they did not commit because of it, and their other reads may be impossible.
  const std::unordered_map<std::uint32_t, KeyId>* only_reads = nullptr;

  /// By TransactionId: if it is not null, reads of other transactions than these are not looked at.
  const std::vector<std::uint8_t>* readers = nullptr;

  bool looks_at_reads(TransactionId t, KeyId key) const {
    if (readers != nullptr && (*readers)[t.index()] == 0) return false;
    if (only_reads == nullptr) return true;
    const auto only = only_reads->find(t.value);
    return only == only_reads->end() || only->second == key;
  }
};

/// The first pass must have found all reads in order. Fills `into`, or returns why it stopped.
std::optional<StopReason> build_problem(const ProblemInput& input, const ChainCover& cover,
                                        OrderProblem& into);

/// Puts the versions of each key in the order of their writers' commits, given that of all events.
/// Code that looks at a version then knows its neighbours in time. The work is not done to the end
/// if a limit was reached. Linear: versions are handed out to their keys as
/// they come.
void sort_versions(OrderProblem& problem, std::span<const std::uint32_t> order,
                   const Limits& limits);

/// Why the strong levels cannot be decided for this history, if so; empty otherwise.
std::string unsupported_reason(const History& history, const KeyAccesses& accesses,
                               const std::vector<std::uint8_t>& takes_part);

}  // namespace isoscope::strong
