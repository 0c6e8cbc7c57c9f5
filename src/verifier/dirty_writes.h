#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoscope/base/result.h"
#include "verifier/reads.h"

namespace isoscope::verifier {

/// What a read says at read uncommitted, where it may be of anything that was ever written.
struct DirtyRead {
  /// No execution has such a read.
  bool is_impossible = false;
  /// The read is of no list, and somebody else is known to have written what was read.
  bool is_certain = false;
  /// What is in a list: for each element the transaction that appended it, 0 if it was there
  /// initially, and the place among what is there initially, or among the transaction's appends to
  /// the key.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> elements = {};
  /// How many elements each of the transactions that append to the list appends, by transaction.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> appends = {};

  /// Does the list say that `a` appended before `b`, if both committed?
  bool shows_before(std::uint32_t a, std::uint32_t b) const;
};

/// All that was ever written, aborted transactions and overwritten values included.
class DirtyWrites {
 public:
  /// The history must outlive the object.
  explicit DirtyWrites(const History& history);

  /// What a read of what others left says. An Error if it says nothing, or if it is not known which
  /// transaction appended an element.
  Result<DirtyRead> says(const Read& read) const;

 private:
  struct Write {
    KeyId key;
    ValueId value;
    TransactionId writer;
    std::uint32_t place = 0;  // lists: among the writer's appends to the key, from 0
    auto operator<=>(const Write&) const = default;
  };

  Result<DirtyRead> says_of_list(const Read& read, std::span<const Write> writes) const;
  bool is_impossible(const DirtyRead& list, std::uint32_t reader, std::size_t initial) const;

  const History& history_;
  const std::vector<KeyUse> uses_;
  std::vector<Write> writes_;  // sorted
};

}  // namespace isoscope::verifier
