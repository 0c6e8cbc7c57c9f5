#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/strong/problem/likely_times.h"
#include "check/visible/problem.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// Pairs of transactions of which one probably came first, as reads have shown.
class Hints {
 public:
  /// Counts for the first before the second. True if that changes what is probable.
  bool add(Txn first, Txn second);
  /// Those that probably came before the transaction.
  std::span<const Txn> before(Txn t) const;

 private:
  std::unordered_map<std::uint64_t, int> counts_;  // by pair, ascending: how much is for that order
  std::unordered_map<Txn, std::vector<Txn>> before_;
};

/// All nodes in an order that contains the known edges: transactions, the likeliest first, and
/// points in time. A read with several candidates waits for the first of them, if that is possible.
/// Hints are heeded where they contradict nothing known. The order is shorter if the known edges
/// have a cycle.
///
/// Cost: edges and reads, and a heap of what is ready.
std::vector<std::uint32_t> likely_order(const Problem& problem, const Digraph& known,
                                        const strong::LikelyTimes& times, const Hints& hints = {});

}  // namespace isoscope::visible
