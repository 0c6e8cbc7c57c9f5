#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "isoscope/history/history.h"
#include "shrink/write_index.h"

namespace isoscope::shrinking {

/// What the clients' clocks say about which transactions can have written what was read, at the
/// levels where a snapshot has all that ended before its transaction began: strong snapshot
/// isolation and strict serializability. At these levels a source is ruled out
///
/// - if it began after the reader ended, or
/// - if it ended before some other writer of the key began that itself ended before the reader
///   began: what the source left was overwritten by then.
///
/// "Before" is as in isoscope/check/check.h: by more than the clock skew, and nothing comes after a
/// transaction of unknown outcome. Cost: a sort of a key's writers when it is first asked about.
class SourceTimes {
 public:
  /// Both must outlive the object.
  SourceTimes(const History& history, const WriteIndex& index, std::int64_t clock_skew)
      : history_(history), index_(index), clock_skew_(static_cast<std::uint64_t>(clock_skew)) {}

  bool rules_out(TransactionId source, TransactionId reader, KeyId key) const;
  /// The same for the initial value.
  bool rules_out_initial(TransactionId reader, KeyId key) const;
  /// Did the first end before the other began?
  bool is_before(TransactionId first, TransactionId second) const;

 private:
  /// The latest begin among the writers that ended no later than `last_end`.
  struct Writers {
    std::int64_t last_end = 0;
    std::int64_t latest_begin = 0;
  };

  bool is_later(std::int64_t begin, std::int64_t end) const;
  const std::vector<Writers>& writers_of(KeyId key) const;
  /// The latest begin of a writer of the key that ended before the reader began.
  std::optional<std::int64_t> overwritten_at(TransactionId reader, KeyId key) const;

  const History& history_;
  const WriteIndex& index_;
  std::uint64_t clock_skew_;
  mutable std::unordered_map<std::uint32_t, std::vector<Writers>> writers_;  // by key; by end
};

}  // namespace isoscope::shrinking
