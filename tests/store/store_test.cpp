#include "isoscope/store/store.h"

#include <gtest/gtest.h>

#include "isoscope/history/statistics.h"
#include "isoscope/store/recording.h"

namespace isoscope {
namespace {

TEST(Store, ReadsOwnWritesAndCommittedValuesOnly) {
  Store store(2, Bug::none);
  const auto t1 = store.begin();
  const auto t2 = store.begin();
  store.write(t1, 0, 5);
  EXPECT_EQ(store.read(t1, 0), 5);
  EXPECT_EQ(store.read(t2, 0), std::nullopt);
  store.commit(t1);
  EXPECT_EQ(store.read(t2, 0), 5);
}

TEST(Store, AbortedWritesLeaveNoTrace) {
  Store store(1, Bug::none);
  const auto t1 = store.begin();
  store.write(t1, 0, 5);
  store.abort(t1);
  EXPECT_EQ(store.read(store.begin(), 0), std::nullopt);
}

TEST(Store, OwnWriteWinsOverALaterOneOfAnother) {
  for (const Bug bug : {Bug::none, Bug::dirty_read}) {
    Store store(1, bug);
    const auto t1 = store.begin();
    const auto t2 = store.begin();
    store.write(t1, 0, 1);
    store.write(t2, 0, 2);
    EXPECT_EQ(store.read(t1, 0), 1);
  }
}

TEST(Store, TheDirtyReadBugShowsUncommittedWrites) {
  Store store(1, Bug::dirty_read);
  const auto t1 = store.begin();
  store.write(t1, 0, 5);
  EXPECT_EQ(store.read(store.begin(), 0), 5);
}

TEST(Recording, IsReproducibleAndHasTheShapeOfItsPlan) {
  RecordingPlan plan;
  plan.sessions = 4;
  plan.transactions_per_session = 5;
  plan.operations_per_transaction = 6;
  plan.keys = 7;
  const History first = record(plan);
  const History second = record(plan);
  const HistoryStatistics statistics = statistics_of(first);
  EXPECT_EQ(statistics.sessions, 4U);
  EXPECT_EQ(statistics.transactions, 20U);
  EXPECT_EQ(statistics.operations, 120U);
  EXPECT_LE(statistics.keys, 7U);
  EXPECT_EQ(statistics.duplicate_writes, 0U);
  EXPECT_EQ(statistics.committed_without_times, 0U);
  for (const TransactionId t : first.transactions()) {
    EXPECT_EQ(first.outcome(t), second.outcome(t));
    EXPECT_EQ(first.begin_time(t), second.begin_time(t));
    ASSERT_EQ(first.operations(t).size(), second.operations(t).size());
    for (std::size_t i = 0; i < first.operations(t).size(); ++i) {
      EXPECT_EQ(first.operations(t)[i].value(), second.operations(t)[i].value());
    }
  }
}

}  // namespace
}  // namespace isoscope
