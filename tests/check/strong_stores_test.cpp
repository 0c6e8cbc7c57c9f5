// Simulated stores, 10,000 transactions each: levels that a store keeps hold, and a bug that
// violates one of the strong levels is found there. Every certificate is confirmed.

#include <gtest/gtest.h>

#include <algorithm>

#include "check/strong_case.h"
#include "isoscope/store/run.h"
#include "isoscope/store/violations.h"
#include "store/cells.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr WorkloadKind kinds[] = {WorkloadKind::general, WorkloadKind::read_modify_write,
                                  WorkloadKind::list_append, WorkloadKind::write_skew,
                                  WorkloadKind::long_fork};

RunPlan plan_of(StoreKind store, Bug bug, WorkloadKind kind, std::uint64_t seed) {
  RunPlan plan;
  plan.store = store;
  plan.bug = bug;
  plan.workload = entry_of(kind).usual;
  plan.workload.sessions = 20;
  plan.workload.operations = 5;
  // Bugs show where transactions get into each other's way; but then many are aborted.
  plan.workload.keys = bug == Bug::none ? 1000 : 100;
  plan.workload.distribution = KeyDistribution::uniform;
  if (kind == WorkloadKind::general) plan.workload.duplicate_percent = 30;
  if (bug == Bug::own_write_invisible) {  // only for writers of what is there already
    plan.workload.duplicate_percent = 100;
    plan.workload.value_space = 30;
  }
  plan.transactions = 500;
  plan.abort_percent = 3;
  plan.indeterminate_percent = seed % 2 == 0 ? 1 : 0;
  plan.seed = seed;
  return plan;
}

using test::Cell;

/// The levels that are looked at here. (Prefix consistency is left out: what the prefix store does
/// with few values can be hard to decide at that level.)
constexpr LevelId promised_levels[] = {LevelId::serializable, LevelId::snapshot_isolation,
                                       LevelId::strict_serializable,
                                       LevelId::strong_snapshot_isolation};

/// The cells of stores that keep some strong level. A phantom shows only in predicates, which are
/// not decided at these levels, so that bug is left out.
std::vector<Cell> cells() {
  std::vector<Cell> all = test::cells();
  std::erase_if(all, [](const Cell& cell) {
    if (cell.bug == Bug::phantom_missed) return true;
    return std::ranges::all_of(promised_levels, [&](LevelId level) {
      return can_violate(cell.store, Bug::none, Level{level});
    });
  });
  return all;
}

class StrongStores : public testing::TestWithParam<Cell> {
 protected:
  /// The full test tries every workload, the plain one as many as it takes to see the bug.
  static constexpr std::uint64_t most_runs = 2 * std::size(kinds);
  std::uint64_t least_runs = test_scale() > 1 ? most_runs : 1;
};

TEST_P(StrongStores, KeepWhatTheyPromiseAndShowTheirBugs) {
  const auto [store, bug] = GetParam();
  std::vector<Level> kept;
  std::vector<Level> wanted;  // violated because of the bug, not seen so far
  for (const LevelId id : promised_levels) {
    const Level level{id};
    if (!can_violate(store, bug, level)) {
      kept.push_back(level);
    } else if (!can_violate(store, Bug::none, level)) {
      wanted.push_back(level);
    }
  }
  std::uint64_t runs = 0;
  for (; runs < least_runs || (runs < most_runs && !wanted.empty()); ++runs) {
    const WorkloadKind kind = kinds[runs % std::size(kinds)];
    const History history = run(plan_of(store, bug, kind, runs + 1));
    ASSERT_EQ(history.transaction_count(), 10'000u);
    int committed = 0;
    for (const TransactionId t : history.transactions()) {
      committed += history.outcome(t) == Outcome::committed ? 1 : 0;
    }
    EXPECT_GT(committed, bug == Bug::none ? 5000 : 500) << name_of(kind);
    for (const Level level : kept) {
      if (bug != Bug::none && test_scale() == 1) break;
      EXPECT_EQ(test::confirmed_answer(history, level), Answer::holds)
          << text_of(level) << " " << name_of(kind);
    }
    std::erase_if(wanted, [&](Level level) {
      return test::confirmed_answer(history, level) == Answer::violated;
    });
  }
  for (const Level level : wanted) ADD_FAILURE() << "no run violates " << text_of(level);
}

std::string cell_name(const testing::TestParamInfo<Cell>& cell) {
  std::string name =
      std::string(name_of(cell.param.store)) + "_with_" + std::string(name_of(cell.param.bug));
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Check, StrongStores, testing::ValuesIn(cells()), cell_name);

}  // namespace
}  // namespace isoscope
