// Histories with more sessions than clocks are kept for, so that what is known of the order is kept
// in windows: the verdict is that of clocks by chain, and every certificate is confirmed.

#include <gtest/gtest.h>

#include <algorithm>

#include "check/strong_case.h"
#include "isoscope/store/run.h"
#include "test_scale.h"

namespace isoscope {
namespace {

struct Kind {
  StoreKind store;
  Bug bug;
};

constexpr Kind kinds[] = {
    {StoreKind::serializable_locking, Bug::none},
    {StoreKind::serializable_ssi, Bug::none},
    {StoreKind::snapshot_isolation, Bug::none},
    {StoreKind::serializable_locking, Bug::lost_update},
    {StoreKind::snapshot_isolation, Bug::lost_update},
    {StoreKind::serializable_ssi, Bug::write_skew},
    {StoreKind::parallel_snapshot_isolation, Bug::none},
};

History history_with(const Kind& kind, bool times, std::uint64_t seed) {
  RunPlan plan;
  plan.store = kind.store;
  plan.bug = kind.bug;
  plan.bug_percent = 1;
  plan.workload = entry_of(WorkloadKind::general).usual;
  plan.workload.sessions = 300;
  plan.workload.operations = 4;
  plan.workload.keys = 400;
  plan.workload.distribution = KeyDistribution::uniform;
  plan.workload.duplicate_percent = 20;
  plan.transactions = 4;
  plan.times = times;
  plan.seed = seed;
  return run(plan);
}

TEST(StrongManySessions, WindowsGiveTheSameVerdictAsChains) {
  int hold = 0;
  int violated = 0;
  std::uint64_t seed = 0;
  for (int round = 0; round < 2 * test_scale(); ++round) {
    for (const Kind& kind : kinds) {
      ++seed;
      const History history = history_with(kind, seed % 2 == 0, seed);
      ASSERT_GT(history.session_count(), StrongTechniques().most_chains);
      for (const LevelId id : test::strong_level_ids) {
        const Level level{id};
        const Answer by_chains =
            test::confirmed_answer(history, level, {.strong = {.most_chains = 100'000}});
        EXPECT_EQ(by_chains, test::confirmed_answer(history, level)) << text_of(level);
        EXPECT_EQ(by_chains,
                  test::confirmed_answer(history, level,
                                         {.strong = {.most_chains = 0, .widest_window = 64}}))
            << text_of(level);
        (by_chains == Answer::holds ? hold : violated) += 1;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(hold, 5);
  EXPECT_GT(violated, 5);
}

/// Sessions that were cut: what one client did is now the work of many.
TEST(StrongManySessions, TheOrderOfAnInterleavedFileGuidesTheGuess) {
  const History history = history_with(kinds[0], false, 7);
  CheckStatistics statistics;
  const Verdict verdict = check(history, {LevelId::serializable}, {.statistics = &statistics});
  EXPECT_EQ(verdict.answer, Answer::holds) << verdict.reason;
  EXPECT_EQ(statistics.misfits, 0u);
}

}  // namespace
}  // namespace isoscope
