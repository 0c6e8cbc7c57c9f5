#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// Collects a part: reads that are wanted, with whatever they need, and writes.
class PartBuilder {
 public:
  explicit PartBuilder(const PartMaker& maker) : maker_(maker) {}

  void transaction(TransactionId t) { kept_.try_emplace(t); }
  void read(TransactionId t, std::uint32_t place, KeyId key);
  void write(WriteAt write);
  /// The writes of these keys by the transaction.
  void writes(TransactionId t, const std::set<KeyId>& keys);

  bool has(TransactionId t) const { return kept_.contains(t); }

  /// Nothing at all if it has become too much.
  Part finish() &&;

 private:
  struct Keys {
    std::set<KeyId> looked;
    std::set<KeyId> written;
  };

  bool has(WriteAt write) const;
  /// A predicate operation whose transaction goes on to write a key cannot be narrowed to others:
  /// it says what it saw of that key, too. False if all of them do.
  bool complete_looks();
  std::set<KeyId> keys_written(TransactionId t, std::uint32_t place, const Keys& kept) const;

  const PartMaker& maker_;
  std::map<TransactionId, std::map<std::uint32_t, Keys>> kept_;
  std::vector<std::vector<WriteAt>> one_of_;
  std::vector<std::vector<WriteAt>> together_;
  std::size_t work_ = 0;
};

}  // namespace isoscope::shrinking
