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
  /// A row of a predicate that is not worth saying more than what is asked for here.
  void read_if_sayable(TransactionId t, std::uint32_t place, KeyId key);
  /// Adds all of a part, which must be sound.
  void add(const Part& part);
  void write(WriteAt write);
  /// The writes of these keys by the transaction.
  void writes(TransactionId t, const std::set<KeyId>& keys);

  bool has(TransactionId t) const { return kept_.contains(t); }

  /// Whether the part has become too much. Then nothing is left of it in the end, so nothing need
  /// be added.
  bool is_too_much() const;

  /// The part; it is empty if it has become too much.
  Part finish() &&;

 private:
  struct Keys {
    std::set<KeyId> looked;
    std::set<KeyId> written;
    bool must_stay = false;
  };

  bool has(WriteAt write) const;
  /// A predicate operation whose transaction goes on to write a key cannot be narrowed to others:
  /// it says what it saw of that key, too, or nothing if it need not stay. False if all of them do.
  bool complete_looks();
  std::set<KeyId> keys_written(TransactionId t, std::uint32_t place, const Keys& kept) const;

  const PartMaker& maker_;
  std::map<TransactionId, std::map<std::uint32_t, Keys>> kept_;
  std::vector<std::vector<WriteAt>> one_of_;
  std::vector<std::vector<WriteAt>> together_;
  std::size_t work_ = 0;
};

}  // namespace isoscope::shrinking
