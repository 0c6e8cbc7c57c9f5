#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// Collects candidates of reads. Several threads have a collector each, for reads of their own.
/// What they collected is added to the problem one thread's after the other's, so that the result
/// does not depend on which thread was first.
class CandidateCollector {
 public:
  explicit CandidateCollector(OrderProblem& problem) : p_(problem) {}

  std::size_t size() const { return candidates_.size(); }
  std::uint32_t end() const { return static_cast<std::uint32_t>(candidates_.size()); }
  /// Another candidate at the end.
  void push(VersionId version) { candidates_.push_back(version); }

  /// The read has these, which stand here. If it is only one, and just added, it is not kept here.
  void assign(ReadId read, const CandidateSet& set) {
    ISOSCOPE_REQUIRE(set.left == set.all);
    ISOSCOPE_REQUIRE(set.first + set.all <= candidates_.size());
    if (set.all == 1) {
      p_.reads[read].candidate = candidates_[set.first];
      ISOSCOPE_REQUIRE(set.is_wide || set.first + 1 == candidates_.size());
      if (!set.is_wide) candidates_.pop_back();
      return;
    }
    ISOSCOPE_REQUIRE(p_.reads[read].has_candidate_set == 0);
    p_.reads[read].has_candidate_set = 1;
    p_.reads[read].candidate = VersionId(sets_.size());
    sets_.push_back(set);
    reads_with_set_.push_back(read);
  }

  /// No other thread may add anything meanwhile.
  void add_to_problem() {
    for (const ReadId r : reads_with_set_) {
      VersionId& set = p_.reads[r].candidate;
      set = VersionId(set.index() + p_.candidate_sets.size());
    }
    for (CandidateSet& set : sets_) {
      set.first += static_cast<std::uint32_t>(p_.candidates.size());
    }
    p_.candidate_sets.insert(p_.candidate_sets.end(), sets_.begin(), sets_.end());
    p_.candidates.insert(p_.candidates.end(), candidates_.begin(), candidates_.end());
  }

 private:
  OrderProblem& p_;
  // Places are counted from the first one here.
  std::vector<VersionId> candidates_;
  std::vector<CandidateSet> sets_;
  std::vector<ReadId> reads_with_set_;
};

}  // namespace isoscope::strong
