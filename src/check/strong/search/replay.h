#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/problem/order_problem.h"

namespace isoscope::strong {

/// What does not fit when events happen in a given order: what is left to repair.
struct Misfits {
  /// Reads that do not see one of their candidates.
  std::vector<ReadId> wrong_reads;
  /// Two writers of one key that overlap.
  struct Overlap {
    VersionId first;  ///< versions; this one commits first
    VersionId second;
  };
  std::vector<Overlap> overlaps;

  /// Reads of lists that see one of their candidates, but other elements before those that the
  /// candidate appended. ListStates finds them; replay() does not look for them.
  std::vector<ReadId> wrong_lists;

  std::size_t size() const { return wrong_reads.size() + overlaps.size() + wrong_lists.size(); }
  bool empty() const { return size() == 0; }
};

/// Lets events happen one after the other, and notes what does not fit.
class Execution {
 public:
  explicit Execution(const OrderProblem& problem);

  // The transaction must take part. Where begin and commit are one event, they are called one after
  // the other.
  void begin(Txn t);
  void commit(Txn t);

  /// The version of the key that is there now.
  VersionId current(KeyId key) const { return current_[key]; }
  Misfits& misfits() { return misfits_; }

 private:
  const OrderProblem& p_;
  IdVector<KeyId, VersionId> current_;
  // Where writers of a key must not overlap: when something happened, 0 if it has not.
  IdVector<VersionId, std::uint32_t> committed_at_;
  std::vector<std::uint32_t> begun_at_;  // by transaction
  std::uint32_t events_ = 0;
  Misfits misfits_;
};

/// Lets the events happen in the given order and finds all misfits but wrong lists. `takes_part`
/// says which transactions are in the execution: the committed ones, and some of the open ones.
/// Linear.
Misfits replay(const OrderProblem& problem, std::span<const std::uint32_t> order,
               const std::vector<std::uint8_t>& takes_part);

}  // namespace isoscope::strong
