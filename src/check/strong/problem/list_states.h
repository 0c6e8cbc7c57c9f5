#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/strong/problem/list_blocks.h"
#include "check/strong/problem/order_problem.h"
#include "isoscope/base/limits.h"

namespace isoscope::strong {

/// What lists were in an order of events, where elements were appended more than once, so that a
/// list that was read does not tell which transactions appended it.
///
/// A read of such a list has candidates: those whose appends are its end. That is not all it says:
/// before the candidate's appends there must be the rest of the list. So orders are replayed, and
/// what is there is compared with what was read.
///
/// Each list that was read is followed back from the version that the reader sees, until one that
/// is known to have left just that: a thousand reads of a growing list cost what its longest does.
class ListStates {
 public:
  /// Both must outlive the object.
  ListStates(const History& history, const KeyAccesses& accesses, const OrderProblem& problem);

  /// No list was read of which this has to be asked.
  bool empty() const { return reads_.empty(); }

  /// Lets the events happen in the given order, and adds the reads that see one of their candidates
  /// but another list: those that see none are replay()'s. False if one of the `limits`
  /// was reached before the end.
  bool find_wrong_reads(std::span<const std::uint32_t> order,
                        const std::vector<std::uint8_t>& takes_part, const Limits& limits,
                        std::vector<ReadId>& wrong);

  // In the order that was looked at last:
  /// The version before this one.
  VersionId previous(VersionId version) const { return previous_[version]; }
  /// What a read that was found wrong saw.
  VersionId seen_by(ReadId read) const { return seen_.at(read); }

  /// Cuts the list from its start, each time taking the first transaction in the order that fits
  /// and was not used. So it finds which transaction may have left each part of the list that ends
  /// with a transaction. Parts that are known already stay as they are. It may come to an end
  /// early, since it never goes back.
  void cut(KeyId key, ValueId list, std::unordered_map<ValueId, VersionId>& writers) const;

  /// What a read returned, without the reader's own appends.
  ValueId list(ReadId read) const { return lists_.at(read); }
  const ListBlocks& blocks(KeyId key) const { return blocks_.at(key); }
  std::uint32_t size(ValueId list) const {
    return static_cast<std::uint32_t>(history_.values().list_size(list));
  }

 private:
  bool is_right(VersionId version, ValueId list) const;

  const History& history_;
  const OrderProblem& p_;
  std::vector<ReadId> reads_;          // ascending, and so by reader
  std::vector<std::uint32_t> starts_;  // by transaction
  std::unordered_map<ReadId, ValueId> lists_;
  std::unordered_map<KeyId, ListBlocks> blocks_;
  IdVector<KeyId, VersionId> last_;
  IdVector<VersionId, VersionId> previous_;
  IdVector<VersionId, std::optional<ValueId>> known_;  // the list it left in this order
  std::unordered_map<ReadId, VersionId> seen_;
};

}  // namespace isoscope::strong
