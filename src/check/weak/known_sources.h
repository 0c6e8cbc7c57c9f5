#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/written_values.h"
#include "check/strong/problem/chain_cover.h"
#include "isoscope/base/contract.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope::weak {

/// A transaction: 0 is the initial state, the others are numbered chain by chain. So T+1 follows T
/// in its session, or begins another chain.
using Txn = std::uint32_t;
/// The source of a read that may be from several transactions.
inline constexpr Txn open_source = UINT32_MAX;

/// What a transaction read of a key that it had not written before.
struct Read {
  KeyId key;
  Txn source = 0;
};

/// Says that a transaction comes before another one for a reason other than a read or its place in
/// a chain.
struct KnownEdge {
  Txn from = 0;
  Txn to = 0;
  KeyId key = {};  ///< of the order of versions: whose
};

/// Which indeterminate transactions are there.
enum class Indeterminate : std::uint8_t {
  certain,   ///< those that committed for certain: a committed one read from them
  possible,  ///< also those that may have committed; they are not certain()
};

/// A history as the weak levels look at it: who read from whom, and who wrote what.
///
/// Committed transactions take part, and of the indeterminate ones those that they certainly read
/// from, directly or through others. Leaving the rest out takes away nothing that anybody saw, but
/// a read with several candidates may be from one of the rest.
///
/// Unlike the strong levels, the weak ones look at every read of a key and at its place: between
/// two reads of one key a transaction may learn something.
class KnownSources {
 public:
  /// `takes_part`: by TransactionId, the transactions that may be in an execution. The history must
  /// outlive the object.
  KnownSources(const History& history, const KeyAccesses& accesses,
               const std::vector<std::uint8_t>& takes_part, bool session_order,
               const CheckOptions& options, Indeterminate which = Indeterminate::certain);
  /// The same for a history in which all is plain, without a first pass: there are only reads and
  /// writes of registers, their values say who wrote them, no outcome is unknown, and the first
  /// pass would find nothing. Nothing if something is not plain, or a limit was reached. No read is
  /// open then, so that choose() is never called and several threads may use the object.
  static std::unique_ptr<KnownSources> if_plain(const History& history, bool session_order,
                                                const CheckOptions& options);

  /// Why the answer cannot be `holds` even if nothing speaks against it; empty if it can.
  const std::string& doubt() const { return doubt_; }
  /// Whether there are reads of lists to which an element was appended more than once. They are not
  /// among the open reads, though their source is open.
  bool has_unclear_lists() const { return has_unclear_lists_; }
  /// Whether every read has a source that is known.
  bool all_are_known() const { return open_reads_.empty() && !has_unclear_lists_; }

  const History& history() const { return history_; }
  /// The number of transactions with the initial state.
  std::size_t size() const { return ids_.size(); }
  TransactionId id(Txn t) const { return ids_[t]; }
  /// The number of a transaction; open_source if it does not take part.
  Txn number(TransactionId t) const { return numbers_[t.index()]; }

  /// Whether the transaction committed for certain.
  bool certain(Txn t) const { return certain_[t] != 0; }

  std::size_t chain_count() const { return chain_starts_.size() - 1; }
  std::uint32_t chain(Txn t) const { return chains_[t]; }
  Txn first_of_chain(std::uint32_t chain) const { return chain_starts_[chain]; }
  Txn end_of_chain(std::uint32_t chain) const { return chain_starts_[chain + 1]; }
  bool follows_in_chain(Txn t) const { return t > chain_starts_[chains_[t]]; }
  /// Indeterminate transactions beside their session, each a chain of its own: they come after
  /// `from`, and nothing comes after them.
  std::span<const KnownEdge> leaves() const { return leaves_; }
  /// What lists show about the order of their appends, and what is assumed of that of versions.
  std::span<const KnownEdge> version_order() const { return version_order_; }
  /// The part of it that lists show.
  std::span<const KnownEdge> list_order() const {
    return std::span(version_order_).first(version_order_.size() - assumed_.size());
  }
  /// The assumption that this entry of version_order() is by; nothing if lists show it.
  std::optional<VersionAssumption> assumption_of(std::size_t entry) const {
    ISOSCOPE_REQUIRE(entry < version_order_.size());
    const std::size_t shown = version_order_.size() - assumed_.size();
    return entry < shown ? std::nullopt : std::optional(assumed_[entry - shown]);
  }
  /// What the lists say that an uncertain transaction read, if it committed: the order of appends,
  /// and which transactions committed, too.
  struct PossibleLists {
    Txn reader = 0;
    std::vector<KnownEdge> order = {};
    std::vector<Txn> appenders = {};
  };
  std::span<const PossibleLists> possible_lists() const { return possible_lists_; }

  std::span<const Read> reads() const { return reads_; }
  std::span<const Read> reads_of(Txn t) const {
    return std::span(reads_).subspan(read_starts_[t], read_starts_[t + 1] - read_starts_[t]);
  }
  std::uint32_t first_read(Txn t) const { return read_starts_[t]; }
  /// Whether the operation of the first read comes before that of the second one, in the same
  /// transaction. The rows of one predicate read are not before one another.
  bool is_earlier(const Read& first, const Read& second) const {
    if (operations_.empty()) return &first < &second;
    return operations_[&first - reads_.data()] < operations_[&second - reads_.data()];
  }
  /// The place of the read's operation in its transaction. Plain sources do not have it.
  std::uint32_t operation(std::uint32_t read) const {
    ISOSCOPE_REQUIRE(operations_.size() == reads_.size());
    return operations_[read];
  }
  /// The reader of a read, by the read's index.
  Txn reader_of(std::uint32_t read) const;
  /// The keys that a transaction writes, ascending.
  std::span<const KeyId> written_by(Txn t) const {
    return std::span(written_).subspan(write_starts_[t], write_starts_[t + 1] - write_starts_[t]);
  }
  std::uint32_t first_write(Txn t) const { return write_starts_[t]; }
  /// The same of all transactions, one after the other.
  std::span<const KeyId> written() const { return written_; }
  std::size_t write_count() const { return written_.size(); }
  bool writes(Txn t, KeyId key) const;

  /// A read with several candidates, by transaction number; the initial state may be one. Reads of
  /// one value share them, so the reader itself may be among them, and is none.
  struct OpenRead {
    std::uint32_t read = 0;
    std::uint32_t first = 0;  ///< in candidates()
    std::uint32_t count = 0;
  };
  std::span<const OpenRead> open_reads() const { return open_reads_; }
  std::span<const Txn> candidates(const OpenRead& read) const {
    ISOSCOPE_REQUIRE(read.first + read.count <= candidates_.size());
    return std::span(candidates_).subspan(read.first, read.count);
  }
  /// Whether an indeterminate transaction may be the source of an open read, but need not have
  /// committed. It is not among the candidates.
  bool has_other_candidates() const { return has_other_candidates_; }
  /// Calls visit(t, chain, is_leaf) for all transactions, session by session. A leaf comes right
  /// behind the transaction that it follows, and `chain` is that transaction's.
  template <class Visit>
  void for_each_in_sessions(const Visit& visit) const {
    auto leaf = leaves_.begin();
    const Txn end = leaves_.empty() ? static_cast<Txn>(size()) : first_leaf_;
    for (Txn t = 1; t < end; ++t) {
      visit(t, chains_[t], false);
      for (; leaf != leaves_.end() && leaf->from == t; ++leaf) visit(leaf->to, chains_[t], true);
    }
  }
  /// Decides which candidate an open read is from.
  void choose(const OpenRead& read, Txn source) {
    ISOSCOPE_REQUIRE(read.read < reads_.size() && source < size());
    reads_[read.read].source = source;
  }

 private:
  friend class KnownSourcesBuilder;
  friend class PlainSourcesBuilder;

  explicit KnownSources(const History& history) : history_(history) {}
  void number_transactions(const strong::ChainCover& cover);

  const History& history_;
  std::string doubt_;
  std::vector<TransactionId> ids_;
  std::vector<Txn> numbers_;
  std::vector<std::uint32_t> chains_;
  std::vector<Txn> chain_starts_;
  std::vector<KnownEdge> leaves_;  // by `from`
  Txn first_leaf_ = 0;             // all behind it are leaves
  std::vector<std::uint8_t> certain_;
  std::vector<KnownEdge> version_order_;
  std::vector<VersionAssumption> assumed_;  // of its last entries
  std::vector<PossibleLists> possible_lists_;
  std::vector<std::uint32_t> read_starts_;
  std::vector<Read> reads_;
  std::vector<std::uint32_t> operations_;  // by read; empty if all is plain: each has its own
  std::vector<std::uint32_t> write_starts_;
  std::vector<KeyId> written_;
  std::vector<OpenRead> open_reads_;
  std::vector<Txn> candidates_;
  bool has_other_candidates_ = false;
  bool has_unclear_lists_ = false;
};

}  // namespace isoscope::weak
