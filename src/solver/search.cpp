#include "solver/core.h"

namespace isoscope {

Satisfiability AcyclicSolver::Core::solve(const Limits& limits, std::uint64_t most_conflicts) {
  restarts_done_ = 0;
  conflicts_since_restart_ = 0;
  conflicts_allowed_ = 100;
  while (!unsatisfiable_) {
    const bool enough = most_conflicts != 0 && statistics_.conflicts >= most_conflicts;
    if (enough || limits.reached()) {
      backtrack(0);
      return Satisfiability::stopped;
    }
    if (!propagate()) {
      ++statistics_.conflicts;
      ++conflicts_since_restart_;
      if (!learn_from_conflict()) {
        conclude_unsatisfiable();
      }
    } else if (restart_is_due()) {
      restart();
    } else if (reduce_is_due()) {
      reduce();
    } else if (!decide()) {
      return Satisfiability::satisfiable;
    }
  }
  return Satisfiability::unsatisfiable;
}

}  // namespace isoscope
