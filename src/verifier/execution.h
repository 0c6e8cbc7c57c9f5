#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"
#include "verifier/event_places.h"
#include "verifier/levels.h"
#include "verifier/reads.h"
#include "verifier/sessions.h"
#include "verifier/writes.h"

namespace isoscope::verifier {

/// The execution that a certificate describes by an order, of commits or of versions, and the
/// sources of reads. Whether it is one at the level is another question.
class Execution {
 public:
  Execution(const History& history, const Certificate& certificate);

  /// To be called once, before anything is asked.
  Status make();

  /// Whether each update was applied to the version right before its transaction's own.
  Status check_bases() const;

  struct SourcedRead {
    ReadNumber number;
    TransactionId reader;
    KeyId key;
    std::uint32_t source = 0;
    bool is_item = true;
  };
  /// In the order of transactions and operations.
  std::span<const SourcedRead> reads() const { return reads_; }
  std::span<const SourcedRead> reads_of(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() + 1 < read_starts_.size());  // make() comes first
    return std::span(reads_).subspan(read_starts_[t.index()],
                                     read_starts_[t.index() + 1] - read_starts_[t.index()]);
  }
  /// The writers of the key in the order of their versions.
  std::span<const TransactionId> versions(KeyId key) const {
    ISOSCOPE_REQUIRE(key.index() < versions_.size());
    return versions_[key.index()];
  }
  /// The place of a transaction's version, from 1; 0 for the initial one.
  std::uint32_t rank(std::uint32_t t, KeyId key) const;
  /// The committed transaction that comes last before this one in its session.
  std::optional<TransactionId> session_before(TransactionId t) const {
    return session_before_[t.index()];
  }

  const Rules rules;
  const History& history;
  const Sessions sessions;
  const Writes writes;
  EventPlaces places;

 private:
  Status place_versions();
  void add_version(TransactionId t, const Writes::Write& write);
  Status find_sources();
  Result<std::uint32_t> source_of(const Read& read);
  bool may_be_from(const Read& read, std::uint32_t writer) const;
  bool list_fits(const Read& read, std::uint32_t source);

  const Certificate& certificate_;
  Reads all_reads_;
  std::vector<ReadSource> listed_;  // sorted
  std::size_t listed_used_ = 0;
  std::vector<SourcedRead> reads_;
  std::vector<std::size_t> read_starts_ = {0};
  std::vector<std::vector<TransactionId>> versions_;        // by key
  std::vector<std::uint32_t> ranks_;                        // by write
  std::vector<std::vector<std::optional<ValueId>>> lists_;  // by key and rank: what is known
  std::vector<std::optional<TransactionId>> session_before_;
};

}  // namespace isoscope::verifier
