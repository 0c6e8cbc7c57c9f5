#include "isoscope/store/run.h"

#include <gtest/gtest.h>

#include <map>

#include "isoscope/history/format.h"
#include "isoscope/history/statistics.h"

namespace isoscope {
namespace {

RunPlan small_plan() {
  RunPlan plan;
  plan.workload.sessions = 4;
  plan.workload.operations = 6;
  plan.workload.keys = 7;
  plan.transactions = 5;
  return plan;
}

TEST(Run, HasTheShapeOfItsPlan) {
  RunPlan plan = small_plan();
  plan.store = StoreKind::prefix_consistency;  // where nobody has to abort
  const HistoryStatistics statistics = statistics_of(run(plan));
  EXPECT_EQ(statistics.sessions, 4U);
  EXPECT_EQ(statistics.transactions, 20U);
  EXPECT_EQ(statistics.operations, 120U);
  EXPECT_LE(statistics.keys, 7U);
  EXPECT_EQ(statistics.duplicate_writes, 0U);
  EXPECT_EQ(statistics.committed_without_times, 0U);
}

TEST(Run, IsTheSameEveryTimeForEveryWorkloadOnEveryStore) {
  for (const StoreEntry& store : stores()) {
    for (const WorkloadEntry& workload : workloads()) {
      RunPlan plan;
      plan.store = store.kind;
      plan.workload = workload.usual;
      plan.workload.sessions = 3;
      plan.workload.keys = 20;
      plan.transactions = 10;
      plan.abort_percent = 5;
      plan.indeterminate_percent = 5;
      plan.clock_skew = 1000;
      const auto first = format_history(run(plan), Format::native);
      ASSERT_TRUE(first);
      EXPECT_EQ(*first, *format_history(run(plan), Format::native));
      plan.seed = 2;
      EXPECT_NE(*first, *format_history(run(plan), Format::native));
    }
  }
}

TEST(Run, EveryBugRunsOnEveryStoreThatCanHaveItWithEveryWorkload) {
  for (const StoreEntry& store : stores()) {
    for (const BugEntry& bug : bugs()) {
      if (!can_have(store.kind, bug.bug)) continue;
      for (const WorkloadEntry& workload : workloads()) {
        RunPlan plan;
        plan.store = store.kind;
        plan.bug = bug.bug;
        plan.bug_percent = 100;
        plan.workload = workload.usual;
        plan.workload.sessions = 5;
        plan.workload.keys = 5;
        plan.transactions = 20;
        plan.abort_percent = 20;
        EXPECT_EQ(run(plan).transaction_count(), 100U);
      }
    }
  }
}

TEST(Run, TheSeedIsTheOnlySourceOfItsBytes) {
  // Promised for every machine: the text is part of the test.
  RunPlan plan = small_plan();
  plan.workload.sessions = 2;
  plan.workload.operations = 3;
  plan.workload.distribution = KeyDistribution::zipf;
  plan.workload.duplicate_percent = 50;
  plan.transactions = 3;
  plan.indeterminate_percent = 20;
  plan.clock_skew = 500;
  plan.seed = 8;
  EXPECT_EQ(*format_history(run(plan), Format::litmus),
            "origin \"isoscope generate: workload general, store serializable-2pl, seed 8\"\n"
            "1: T2@720..4022 r(0,nil) w(0,1) r(1,nil) ;\n"
            "   T3@4253..7684 w(2,3) r(1,nil) r(3,nil) ;\n"
            "   T5@8032..10242 w(3,62) w(1,4) w(2,5)\n"
            "2: T1!@1000..2959 r(2,nil) ;\n"
            "   T4@3408..9011 w(5,82) r(1,nil) w(0,4) ;\n"
            "   T6@10553..13709 r(3,62) r(1,4) r(6,nil)\n");
}

TEST(Run, ClocksDifferByNoMoreThanTheSkew) {
  RunPlan plan = small_plan();
  const History exact = run(plan);
  plan.clock_skew = 5000;
  const History skewed = run(plan);
  std::map<std::uint32_t, std::int64_t> offsets;
  ASSERT_EQ(exact.transaction_count(), skewed.transaction_count());
  for (const TransactionId t : exact.transactions()) {
    const std::int64_t offset = *skewed.begin_time(t) - *exact.begin_time(t);
    EXPECT_EQ(*skewed.end_time(t) - *exact.end_time(t), offset);
    // A client's clock is wrong by the same amount all the time.
    EXPECT_EQ(offsets.try_emplace(exact.session_of(t).value, offset).first->second, offset);
    EXPECT_GE(offset, 0);
    EXPECT_LE(offset, 5000);
  }
  EXPECT_GT(offsets.size(), 1U);
}

TEST(Run, TimesOfASessionGoForward) {
  const History history = run(small_plan());
  for (const SessionId session : history.sessions()) {
    std::int64_t last = -1;
    for (const TransactionId t : history.session(session)) {
      EXPECT_GT(*history.begin_time(t), last);
      EXPECT_GT(*history.end_time(t), *history.begin_time(t));
      last = *history.end_time(t);
    }
  }
}

TEST(Run, WhoDoesNotLearnTheOutcomeGoesOnAsANewSession) {
  RunPlan plan = small_plan();
  plan.store = StoreKind::prefix_consistency;
  plan.indeterminate_percent = 50;
  const History history = run(plan);
  std::size_t indeterminate = 0;
  for (const SessionId session : history.sessions()) {
    const auto transactions = history.session(session);
    ASSERT_FALSE(transactions.empty());
    for (const TransactionId t : transactions) {
      if (history.outcome(t) != Outcome::indeterminate) continue;
      ++indeterminate;
      EXPECT_EQ(t, transactions.back());
      EXPECT_FALSE(history.end_time(t));
    }
  }
  EXPECT_GT(indeterminate, 3U);
  EXPECT_EQ(history.transaction_count(), 20U);
}

TEST(Run, StopsAtALimitWithWhatItHas) {
  RunPlan plan = small_plan();
  plan.transactions = 1'000'000;
  Limits limits;
  limits.request_stop();
  Progress silence;
  EXPECT_LT(run(plan, limits, silence).transaction_count(), 10U);
}

TEST(Run, OfNoTransactionsIsEmpty) {
  RunPlan plan = small_plan();
  plan.transactions = 0;
  EXPECT_EQ(run(plan).transaction_count(), 0U);
}

}  // namespace
}  // namespace isoscope
