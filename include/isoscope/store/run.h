#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/history/history.h"
#include "isoscope/store/store_kind.h"
#include "isoscope/workload/workload.h"

namespace isoscope {

/// A run to be recorded: what the clients do, and on which store. Everything random comes from one
/// seed, the same on every machine.
struct RunPlan {
  StoreKind store = StoreKind::serializable_locking;
  Bug bug = Bug::none;        ///< one that the store can have
  unsigned bug_percent = 50;  ///< how often it strikes where it could
  WorkloadPlan workload = {};
  std::size_t transactions = 100;      ///< of each session, also those that abort
  unsigned abort_percent = 0;          ///< how often a client changes its mind at the end
  unsigned indeterminate_percent = 0;  ///< how often it never learns the answer to COMMIT
  bool empty_ones = true;  ///< keep transactions that were aborted before they had done anything
  bool times = true;       ///< record when transactions began and ended
  std::int64_t clock_skew = 0;  ///< no two clients' clocks differ by more, in ns
  std::size_t lag = 4;          ///< by how many commits a view may be behind, where one may
  std::uint64_t seed = 1;
};

/// Runs the plan, one step of a random session at a time, and returns what the clients saw. A
/// session that does not learn how a transaction ended goes on as a new one, as a client that has
/// to connect again. When a limit is reached, what was recorded so far is returned: transactions
/// that were underway are then indeterminate.
History run(const RunPlan& plan, const Limits& limits, Progress& progress);
/// Without limits, in silence.
History run(const RunPlan& plan);

/// The same with the caller's own workload. Only `sessions` counts in plan.workload then.
using MakeWorkload =
    std::function<std::unique_ptr<Workload>(const WorkloadPlan& plan, HistoryBuilder& names)>;
History run(const RunPlan& plan, const MakeWorkload& make, const Limits& limits,
            Progress& progress);

}  // namespace isoscope
