#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/candidate_collector.h"
#include "check/strong/problem/list_blocks.h"
#include "check/strong/problem/list_problem.h"
#include "check/strong/problem/order_problem.h"

namespace isoscope::strong {

/// What a problem says of some of the keys that hold lists: the candidates of their reads, and what
/// these tell about the order of appends. Parts with different keys can be handled at the same
/// time. What they find is added to the problem part after part.
class ListPart {
 public:
  /// The keys from `first` to before `last`. The problem has all versions, by key too, and all
  /// reads but for the candidates of lists.
  ListPart(const ProblemInput& input, OrderProblem& problem, KeyId first, KeyId last)
      : input_(input),
        p_(problem),
        first_(first),
        last_(last),
        candidates_(problem),
        lists_(input.history, problem, list_orders_, members_) {}
  ListPart(const ListPart&) = delete;
  ListPart& operator=(const ListPart&) = delete;

  /// Stops early where a limit was reached.
  void find_candidates();
  /// To be called after the parts with earlier keys have been added.
  void add_to_problem();

 private:
  template <class Visit>
  void for_each_external_read(KeyId key, const Visit& visit) const;
  void find_in_list(KeyId key);
  void find_in_repeated_list(KeyId key);
  CandidateSet list_candidates(Txn reader, const ListBlocks& blocks, ValueId list, bool has_start);

  const ProblemInput& input_;
  OrderProblem& p_;
  const KeyId first_;
  const KeyId last_;

  // For the problem.
  CandidateCollector candidates_;
  std::vector<ListOrder> list_orders_;
  std::vector<OrderProblem::Member> members_;
  std::vector<OrderProblem::ListRead> list_reads_;
  std::vector<std::pair<VersionId, std::uint32_t>> list_appends_;

  // About the present key.
  ListProblem lists_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> shared_blocks_;
};

}  // namespace isoscope::strong
