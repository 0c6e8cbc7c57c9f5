// The kinds that show one thing each, with unique values: list-append, read-modify-write,
// long-fork, write-skew.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "isoscope/base/random.h"
#include "workload/serial_client.h"

namespace isoscope {
namespace {

std::int64_t number_of(SerialClient& client, const Step& step) {
  return client.names().values().integer_of(client.names().key_name(step.request.key));
}

TEST(ListAppend, AppendsEveryElementOnceAndReadsLists) {
  SerialClient client(usual_plan(WorkloadKind::list_append));
  std::set<ValueId> elements;
  std::size_t appends = 0;
  std::size_t reads = 0;
  for (const Transaction& transaction : client.run_all(2000)) {
    ASSERT_EQ(transaction.steps.size(), 4U);
    for (const Step& step : transaction.steps) {
      if (step.request.kind == OperationKind::append) {
        ++appends;
        elements.insert(step.request.value);
      } else {
        ASSERT_EQ(step.request.kind, OperationKind::list_read);
        ++reads;
      }
    }
  }
  EXPECT_EQ(elements.size(), appends);
  EXPECT_NEAR(static_cast<double>(reads), 4000, 200);
}

TEST(ListAppend, KeysAreLeftWhenFullAndTheSessionsStayTogether) {
  for (const std::size_t sessions : {1U, 5U, 40U}) {
    WorkloadPlan plan = usual_plan(WorkloadKind::list_append);
    plan.sessions = sessions;
    plan.keys = 4;
    SerialClient client(plan);
    Random turns(1);
    std::map<std::int64_t, int> appends;
    std::vector<std::int64_t> newest(sessions);
    for (int t = 0; t < 20'000; ++t) {
      const std::size_t session = turns.below(sessions);
      for (const Step& step : client.run(session).steps) {
        newest[session] = std::max(newest[session], number_of(client, step));
        if (step.request.kind == OperationKind::append) ++appends[number_of(client, step)];
      }
    }
    for (const auto& [key, count] : appends) EXPECT_LE(count, 32 + 4 * static_cast<int>(sessions));
    // 40,000 appends: hundreds of keys, one after the other.
    EXPECT_GT(appends.size(), 300U);
    EXPECT_LE(appends.size(), 40'000 / 30U);
    const auto [first, last] = std::ranges::minmax(newest);
    EXPECT_LE(last - first, 8 * plan.keys) << sessions;
  }
}

TEST(ListAppend, WithoutReadsKeysAreLeftAfterOwnAppends) {
  WorkloadPlan plan = usual_plan(WorkloadKind::list_append);
  plan.sessions = 2;
  plan.keys = 1;
  plan.read_percent = 0;
  SerialClient client(plan);
  std::map<std::int64_t, int> appends;
  for (const Transaction& transaction : client.run_all(160)) {
    for (const Step& step : transaction.steps) ++appends[number_of(client, step)];
  }
  ASSERT_EQ(appends.size(), 10U);
  for (const auto& [key, count] : appends) EXPECT_EQ(count, 64);
}

TEST(ReadModifyWrite, ReadsEachOfItsKeysBeforeItWritesIt) {
  WorkloadPlan plan = usual_plan(WorkloadKind::read_modify_write);
  plan.operations = 6;
  plan.keys = 12;
  SerialClient client(plan);
  std::set<ValueId> written;
  int reads = 0;
  int writes = 0;
  for (const Transaction& transaction : client.run_all(2000)) {
    std::set<KeyId> keys;
    for (std::size_t i = 0; i < transaction.steps.size(); ++i) {
      const Request& request = transaction.steps[i].request;
      if (request.kind == OperationKind::read) {
        ++reads;
        EXPECT_TRUE(keys.insert(request.key).second);
      } else {
        ++writes;
        ASSERT_EQ(request.kind, OperationKind::write);
        ASSERT_GT(i, 0U);
        EXPECT_EQ(transaction.steps[i - 1].request.key, request.key);
        EXPECT_TRUE(written.insert(request.value).second);
      }
    }
    EXPECT_EQ(keys.size(), 3U);
  }
  EXPECT_EQ(reads, 6000);
  EXPECT_NEAR(writes, 4800, 150);
}

TEST(LongFork, WritesOneKeyOrReadsAGroup) {
  SerialClient client(usual_plan(WorkloadKind::long_fork));
  int readers = 0;
  std::set<ValueId> written;
  std::set<std::vector<std::int64_t>> orders;
  for (const Transaction& transaction : client.run_all(2000)) {
    if (transaction.steps[0].request.kind == OperationKind::write) {
      EXPECT_EQ(transaction.steps.size(), 1U);
      EXPECT_TRUE(written.insert(transaction.steps[0].request.value).second);
      continue;
    }
    ++readers;
    ASSERT_EQ(transaction.steps.size(), 3U);
    std::set<std::int64_t> group;
    std::vector<std::int64_t> order;
    for (const Step& step : transaction.steps) {
      EXPECT_EQ(step.request.kind, OperationKind::read);
      group.insert(number_of(client, step));
      order.push_back(number_of(client, step) % 3);
    }
    EXPECT_EQ(group.size(), 3U);
    EXPECT_EQ(*group.begin() % 3, 0);
    EXPECT_EQ(*group.rbegin(), *group.begin() + 2);
    orders.insert(order);
  }
  EXPECT_NEAR(readers, 1000, 100);
  EXPECT_EQ(orders.size(), 6U);
}

TEST(WriteSkew, ReadsAPairAndWritesOneOfIt) {
  SerialClient client(usual_plan(WorkloadKind::write_skew));
  int lefts = 0;
  int rights = 0;
  for (const Transaction& transaction : client.run_all(2000)) {
    ASSERT_GE(transaction.steps.size(), 2U);
    const std::int64_t left = number_of(client, transaction.steps[0]);
    EXPECT_EQ(left % 2, 0);
    EXPECT_EQ(number_of(client, transaction.steps[1]), left + 1);
    EXPECT_EQ(transaction.steps[0].request.kind, OperationKind::read);
    EXPECT_EQ(transaction.steps[1].request.kind, OperationKind::read);
    if (transaction.steps.size() == 2) continue;
    ASSERT_EQ(transaction.steps.size(), 3U);
    ASSERT_EQ(transaction.steps[2].request.kind, OperationKind::write);
    const std::int64_t written = number_of(client, transaction.steps[2]);
    ASSERT_TRUE(written == left || written == left + 1);
    ++(written == left ? lefts : rights);
  }
  EXPECT_NEAR(lefts, 800, 90);
  EXPECT_NEAR(rights, 800, 90);
}

}  // namespace
}  // namespace isoscope
