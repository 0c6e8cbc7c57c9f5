#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/problem/problem.h"

namespace isoscope::strong {

/// Candidates of reads that several threads find, each for reads of its own. They are added to the
/// problem one thread's after the other's, so that the result does not depend on which thread was
/// first.
class CandidateLists {
 public:
  explicit CandidateLists(Problem& problem) : p_(problem) {}

  std::size_t size() const { return candidates_.size(); }
  std::uint32_t end() const { return static_cast<std::uint32_t>(candidates_.size()); }
  /// Another candidate at the end.
  void push(std::uint32_t version) { candidates_.push_back(version); }

  /// The read has these, which stand here. If it is only one, and just added, it is not kept here.
  void assign(std::uint32_t read, const CandidateList& list) {
    if (list.all == 1) {
      p_.reads[read].candidate = candidates_[list.first];
      if (!list.is_wide) candidates_.pop_back();
      return;
    }
    p_.reads[read].has_list = 1;
    p_.reads[read].candidate = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(list);
    listed_reads_.push_back(read);
  }

  /// No other thread may add anything meanwhile.
  void add_to_problem() {
    for (const std::uint32_t r : listed_reads_) {
      p_.reads[r].candidate += static_cast<std::uint32_t>(p_.lists.size());
    }
    for (CandidateList& list : lists_) {
      list.first += static_cast<std::uint32_t>(p_.candidates.size());
    }
    p_.lists.insert(p_.lists.end(), lists_.begin(), lists_.end());
    p_.candidates.insert(p_.candidates.end(), candidates_.begin(), candidates_.end());
  }

 private:
  Problem& p_;
  // Places are counted from the first one here.
  std::vector<std::uint32_t> candidates_;
  std::vector<CandidateList> lists_;
  std::vector<std::uint32_t> listed_reads_;  // those that have them
};

}  // namespace isoscope::strong
