#include "solver/core.h"

namespace isoscope {

namespace {

constexpr std::uint64_t shortest_run = 100;  // conflicts

/// Luby's sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman, Optimal speedup
/// of Las Vegas algorithms, 1993); `index` counts from 1.
std::uint64_t luby(std::uint32_t index) {
  while (true) {
    std::uint64_t power = 1;
    while (2 * power <= index) {
      power *= 2;
    }
    if (index == 2 * power - 1) {
      return power;
    }
    index -= static_cast<std::uint32_t>(power) - 1;
  }
}

}  // namespace

/// Gives up the decisions, but not those that would be taken again: the first ones that are more
/// active than what would be decided next (van der Tak, Ramos and Heule, Reusing the assignment
/// trail in CDCL solvers, 2011).
void AcyclicSolver::Core::restart() {
  ++statistics_.restarts;
  conflicts_since_restart_ = 0;
  conflicts_allowed_ = shortest_run * luby(++restarts_done_ + 1);
  while (!heap_.empty() && !is_open(SatLiteral::positive(heap_.top()))) {
    heap_.pop();
  }
  std::uint32_t keep = 0;
  if (!heap_.empty()) {
    while (keep < level() &&
           heap_.before(trail_[levels_[keep].trail_size].variable(), heap_.top())) {
      ++keep;
    }
  }
  backtrack(keep);
}

}  // namespace isoscope
