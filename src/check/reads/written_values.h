#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "isoscope/base/contract.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// What each transaction left at each key, and which transactions left a value there. So one finds
/// the transactions that a read can be from.
///
/// Transactions have the numbers of certificates (number_of). Cost: linear but for values that were
/// written more than once, which are sorted.
class WrittenValues {
 public:
  struct Version {
    KeyId key;
    ValueId value;  ///< in the end; for a list, an element
    std::uint32_t writer = 0;
  };
  /// How a key is used. Those set aside are both written and appended to, or are lists in which an
  /// element may have been appended twice or was there initially: it does not say which transaction
  /// appended it.
  enum class Use : std::uint8_t { reg, list, aside };

  /// The history must outlive the object. What transactions with 0 in `takes_part` (by
  /// TransactionId) wrote does not count, nor what aborted ones wrote; empty: all others count.
  WrittenValues(const History& history, const KeyAccesses& accesses,
                std::span<const std::uint8_t> takes_part = {});

  Use use(KeyId key) const { return use_[key.index()]; }
  /// By writer, then by key. A list has one version for each element.
  std::span<const Version> all() const { return versions_; }
  const Version& version(std::uint32_t index) const {
    ISOSCOPE_REQUIRE(index < versions_.size());
    return versions_[index];
  }
  std::span<const Version> written_by(std::uint32_t writer) const {
    ISOSCOPE_REQUIRE(writer + 1 < starts_.size());
    return std::span(versions_).subspan(starts_[writer], starts_[writer + 1] - starts_[writer]);
  }
  /// The index of the first version that written_by lists.
  std::uint32_t first_version(std::uint32_t writer) const { return starts_[writer]; }
  /// The indices of the key's versions with the value, by writer. Valid while the object lives.
  std::span<const std::uint32_t> find(KeyId key, ValueId value) const;
  /// What a list holds before all transactions.
  ValueId initial_list(KeyId key) const;

  /// For callers that will soon ask find(): first where it looks, later for what it finds there.
  void prefetch_place(ValueId value) const;
  void prefetch_found(ValueId value) const;
  void prefetch_start(std::uint32_t writer) const;
  void prefetch_versions(std::uint32_t writer) const;

 private:
  void collect(std::span<const std::uint8_t> takes_part);
  void group();
  void set_unclear_lists_aside();

  const History& history_;
  std::vector<Use> use_;  // by key
  std::vector<Version> versions_;
  std::vector<std::uint32_t> starts_;        // by writer
  std::vector<std::uint32_t> only_version_;  // by value: its version's index, or none or several
  std::vector<std::uint32_t> repeated_;      // versions of repeated values, by value, key, writer
};

}  // namespace isoscope
