#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/candidate_collector.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/problem/versions_by_value.h"

namespace isoscope::strong {

/// What a problem says of some of the transactions: the versions they left, and their reads with
/// candidates. Parts with different transactions can be handled at the same time. First the parts
/// count how many reads and versions each transaction has, so that it is known where these go. Then
/// each part fills its own in.
///
/// Transactions are taken as they are numbered, that is as they happened: all that is needed of
/// others was looked at not long ago.
class TransactionPart {
 public:
  /// The transactions from `first` to before `last`, which are numbered.
  TransactionPart(const ProblemInput& input, OrderProblem& problem, Txn first, Txn last)
      : input_(input), p_(problem), first_(first), last_(last), candidates_(problem) {}
  TransactionPart(const TransactionPart&) = delete;
  TransactionPart& operator=(const TransactionPart&) = delete;

  // Each stops early where a limit was reached.

  /// Puts into the problem's starts how many reads and versions each transaction has.
  void count();
  /// Fills them in, those of a transaction by key, but without the candidates. What was read stands
  /// in for the candidate until that is known. It is none if it is a list, which is handled by
  /// ListPart.
  void fill();
  /// To be called when all versions are there. Memory has to be spared where `spared_from`
  /// candidates are listed.
  void find_candidates(const VersionsByValue& versions, std::size_t spared_from);
  /// To be called after the parts with earlier transactions have been added.
  void add_to_problem() { candidates_.add_to_problem(); }

 private:
  bool is_stopped() const { return input_.limits.reached().has_value(); }
  template <class Visit>
  void for_each_key(Txn t, const Visit& visit);
  CandidateSet own_candidates(Txn reader, std::span<const std::uint64_t> versions);
  CandidateSet shared_candidates(ValueId value, std::span<const std::uint64_t> versions);

  const ProblemInput& input_;
  OrderProblem& p_;
  const Txn first_;
  const Txn last_;
  CandidateCollector candidates_;
  std::unordered_map<std::uint64_t, std::uint32_t> shared_;  // by key and value, where

  /// What the present transaction did with a key.
  struct Done {
    KeyId key;
    Access access;
  };
  std::vector<Done> done_;
};

}  // namespace isoscope::strong
