#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/order_problem.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// What transactions appended to one list, to which elements were appended more than once. It
/// answers which transactions may have left a list that was read.
///
/// A transaction's appends are a *block*. The transaction that left a list has its block at the
/// list's end, and another one left what stands before it:
///
///   T1 a(x,1) | T2 a(x,2) a(x,1) | T3 a(x,1)      [2 1] was left by T1, T2 or T3 as far as its end
///                                                 tells; before T2's block it is []
///
/// Transactions with equal blocks are looked at as one. Cost of a question: the blocks that end in
/// the list's last element, and the answer.
class ListBlocks {
 public:
  /// `versions` are all of the key, in any order. The history must outlive the object.
  ListBlocks(const History& history, const KeyAccesses& accesses, const OrderProblem& problem,
             KeyId key, std::span<const VersionId> versions);

  ValueId initial() const { return initial_; }

  /// Adds the numbers of the blocks that the list ends in. (The initial list is no block.)
  void find_blocks(ValueId list, std::vector<std::uint32_t>& found) const;
  /// Ascending.
  std::span<const VersionId> versions(std::uint32_t block) const {
    ISOSCOPE_REQUIRE(block < blocks_.size());
    return blocks_[block].versions;
  }
  /// All versions whose block the list ends in, and the initial one if that is it; ascending.
  void find_candidates(ValueId list, std::vector<VersionId>& found) const;
  bool may_have_left(VersionId version, ValueId list) const;
  /// How many elements the version's transaction appended; all of the initial list.
  std::uint32_t appends(VersionId version) const;
  /// What stands before the version's block, which the list ends in.
  ValueId before(VersionId version, ValueId list) const;

  /// Whether the list has an element more often than it was there initially plus the times that
  /// transactions other than the run's appended it. Those that are ruled out count, because a
  /// verifier of the certificate does not know that they are.
  bool has_too_often(ValueId list, std::span<const Access> run) const;

 private:
  struct Block {
    std::vector<ValueId> elements;
    std::vector<VersionId> versions;
  };
  bool ends_in(ValueId list, const Block& block) const;

  const ValuePool& values_;
  KeyId key_;
  VersionId initial_version_;
  ValueId initial_ = ValuePool::empty_list;
  std::vector<Block> blocks_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_last_;  // element: blocks
  std::unordered_map<VersionId, std::uint32_t> block_of_;
  std::unordered_map<std::uint32_t, std::size_t> times_;  // element
};

}  // namespace isoscope::strong
