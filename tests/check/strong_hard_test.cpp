// Histories that take the solver long: what is tried then, and that it is right.

#include <gtest/gtest.h>

#include "check/hot_history.h"
#include "check/reads/accesses.h"
#include "check/strong/check_strong.h"
#include "check/strong_case.h"
#include "isoscope/store/run.h"

namespace isoscope {
namespace {

RunPlan plan_of(StoreKind store, std::size_t sessions, std::size_t transactions,
                std::uint64_t seed) {
  RunPlan plan;
  plan.store = store;
  plan.workload = entry_of(WorkloadKind::general).usual;
  plan.workload.sessions = sessions;
  plan.workload.distribution = KeyDistribution::uniform;
  plan.workload.duplicate_percent = 100;
  plan.transactions = transactions;
  plan.seed = seed;
  return plan;
}

/// With three values in each of five keys, and without session order, nearly every order of writers
/// is possible as far as single reads tell. In small steps this takes minutes.
TEST(StrongHard, FewValuesOfFewKeys) {
  std::uint64_t most_conflicts = 0;
  for (const std::uint64_t seed : {3, 4, 5}) {
    RunPlan plan = plan_of(StoreKind::snapshot_isolation, 10, 20, seed);
    plan.workload.operations = 4;
    plan.workload.keys = 5;
    plan.workload.value_space = 3;
    const History history = run(plan);
    for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
      CheckStatistics statistics;
      const Answer answer = test::confirmed_answer(
          history, {id, false}, {.clocks_guide = false, .statistics = &statistics});
      EXPECT_EQ(answer, Answer::holds) << seed;
      most_conflicts = std::max(most_conflicts, statistics.conflicts);
    }
  }
  // If something else made them easy, this would test nothing.
  EXPECT_GT(most_conflicts, 10'000u);
}

/// A store that keeps real time: that order is easy to find, and it is one of snapshot isolation.
TEST(StrongHard, AnOrderByClocksServesAsWell) {
  RunPlan plan = plan_of(StoreKind::strict_serializable, 50, 50, 7);
  plan.workload.keys = 20;
  plan.workload.value_space = 10;
  const History history = run(plan);
  ASSERT_TRUE(history.has_times());
  for (const Level level : test::strong_levels()) {
    EXPECT_EQ(test::confirmed_answer(history, level), Answer::holds) << text_of(level);
  }
}

/// Three keys with two values: the level itself takes the solver minutes, and an order by clocks
/// more conflicts than a first turn has. Neither is given up for good.
TEST(StrongHard, AttemptsTakeTurns) {
  const History one_point = test::hot_history({.transactions = 300});
  const History two_points = test::hot_history({.transactions = 300, .snapshots = true});
  std::uint64_t most_conflicts = 0;
  for (const bool session_order : {true, false}) {
    CheckStatistics statistics;
    const CheckOptions options = {.strong = {.frontiers = StrongTechniques::When::off},
                                  .statistics = &statistics};
    EXPECT_EQ(test::confirmed_answer(one_point, {LevelId::serializable, session_order}, options),
              Answer::holds);
    most_conflicts = std::max(most_conflicts, statistics.conflicts);
    EXPECT_EQ(
        test::confirmed_answer(two_points, {LevelId::snapshot_isolation, session_order}, options),
        Answer::holds);
    most_conflicts = std::max(most_conflicts, statistics.conflicts);
  }
  EXPECT_GT(most_conflicts, 10'000u);  // or there was but one turn
}

/// A verdict that gave up tells what was found out, and what may help.
TEST(StrongHard, GivingUpNamesWhatMayHelp) {
  const History history = test::hot_history({.transactions = 300});
  Limits limits;
  limits.memory_was_refused();
  const auto reason = [&](LevelId id, bool clocks_guide, std::int64_t skew) {
    KeyAccesses accesses;
    EXPECT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
    const CheckOptions options = {
        .limits = limits, .clock_skew = skew, .clocks_guide = clocks_guide};
    Verdict verdict{.level = Level{id}};
    strong::check_strong(history, accesses, *strong::rules_of(id), options, verdict);
    EXPECT_EQ(verdict.answer, Answer::unknown);
    return verdict.reason;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(reason(LevelId::serializable, true, 0), "--time trust"));
  EXPECT_TRUE(has(reason(LevelId::serializable, false, 0), "--time hint"));
  EXPECT_TRUE(has(reason(LevelId::strict_serializable, true, 5), "--clock-skew"));
  EXPECT_TRUE(has(reason(LevelId::snapshot_isolation, true, 0),
                  "no single read speaks against it; stopped: memory limit"));
}

/// A violation of real time says nothing about the level without it.
TEST(StrongHard, ClocksThatAreWrongDoNoHarm) {
  RunPlan plan = plan_of(StoreKind::snapshot_isolation, 10, 20, 4);
  plan.workload.operations = 4;
  plan.workload.keys = 5;
  plan.workload.value_space = 3;
  plan.clock_skew = 1'000'000'000'000;
  const History history = run(plan);
  ASSERT_TRUE(history.has_times());
  EXPECT_EQ(test::confirmed_answer(history, {LevelId::strict_serializable, false}),
            Answer::violated);
  EXPECT_EQ(test::confirmed_answer(history, {LevelId::serializable, false}), Answer::holds);
}

}  // namespace
}  // namespace isoscope
