#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

using Values = std::vector<std::int64_t>;

/// What was written to each key, by its number.
std::map<std::int64_t, Values> writes_of(const WorkloadPlan& plan, std::size_t transactions) {
  SerialClient client(plan);
  std::map<std::int64_t, Values> writes;
  for (const Transaction& transaction : client.run_all(transactions)) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind != OperationKind::write) continue;
      const ValuePool& values = client.names().values();
      writes[values.integer_of(client.names().key_name(step.request.key))].push_back(
          values.integer_of(step.request.value));
    }
  }
  return writes;
}

TEST(General, HasTheShapeOfItsPlan) {
  WorkloadPlan plan;
  plan.operations = 7;
  plan.keys = 20;
  plan.read_percent = 30;
  SerialClient client(plan);
  int reads = 0;
  for (const Transaction& transaction : client.run_all(1000)) {
    ASSERT_EQ(transaction.steps.size(), 7U);
    EXPECT_EQ(transaction.ending, Ending::commit);
    for (const Step& step : transaction.steps) {
      const bool is_read = step.request.kind == OperationKind::read;
      ASSERT_TRUE(is_read || step.request.kind == OperationKind::write);
      reads += is_read ? 1 : 0;
      const auto key =
          client.names().values().integer_of(client.names().key_name(step.request.key));
      EXPECT_GE(key, 0);
      EXPECT_LT(key, 20);
    }
  }
  EXPECT_NEAR(reads, 2100, 150);
}

TEST(General, WithoutDuplicatesEveryValueIsWrittenOnce) {
  WorkloadPlan plan;
  plan.keys = 50;
  std::set<std::int64_t> seen;
  std::size_t count = 0;
  for (const auto& [key, values] : writes_of(plan, 2000)) {
    seen.insert(values.begin(), values.end());
    count += values.size();
  }
  EXPECT_GT(count, 7000U);
  EXPECT_EQ(seen.size(), count);
  EXPECT_EQ(*seen.begin(), 1);
}

TEST(General, ExactlyTheShareOfKeysHasDuplicates) {
  for (const unsigned percent : {0U, 1U, 10U, 33U, 50U, 99U, 100U}) {
    WorkloadPlan plan;
    plan.keys = 150;
    plan.duplicate_percent = percent;
    plan.value_space = 20;
    std::size_t with_duplicates = 0;
    const auto writes = writes_of(plan, 5000);
    ASSERT_EQ(writes.size(), 150U);
    for (const auto& [key, values] : writes) {
      const std::set<std::int64_t> distinct(values.begin(), values.end());
      if (distinct.size() == values.size()) continue;
      ++with_duplicates;
      EXPECT_GE(*distinct.begin(), 1);
      EXPECT_LE(*distinct.rbegin(), 20);
    }
    EXPECT_EQ(with_duplicates, 150 * percent / 100) << percent;
  }
}

TEST(General, DuplicateKeysAreSpreadEvenly) {
  WorkloadPlan plan;
  plan.keys = 100;
  plan.duplicate_percent = 50;
  plan.value_space = 3;
  for (const auto& [key, values] : writes_of(plan, 3000)) {
    const std::set<std::int64_t> distinct(values.begin(), values.end());
    EXPECT_EQ(distinct.size() < values.size(), key % 2 == 1) << key;
  }
}

TEST(General, ALargerThetaRepeatsTheFirstValuesMore) {
  WorkloadPlan plan;
  plan.keys = 10;
  plan.duplicate_percent = 100;
  std::size_t last = 0;
  for (const unsigned theta : {0U, 50U, 150U}) {
    plan.value_theta = theta;
    std::size_t ones = 0;
    for (const auto& [key, values] : writes_of(plan, 1000)) {
      ones += static_cast<std::size_t>(std::ranges::count(values, 1));
    }
    EXPECT_GT(ones, last);
    last = ones;
  }
}

}  // namespace
}  // namespace isoscope
