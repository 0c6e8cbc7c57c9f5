// The kinds that keep something constant when they run one after the other: bank and counter.
#include <gtest/gtest.h>

#include <map>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

TEST(Bank, TheTotalIsConstantAndNoAccountIsOverdrawn) {
  WorkloadPlan plan = usual_plan(WorkloadKind::bank);
  plan.keys = 4;
  SerialClient client(plan);
  int audits = 0;
  int aborts = 0;
  int transfers = 0;
  for (const Transaction& transaction : client.run_all(20'000)) {
    if (transaction.ending == Ending::abort) {
      ++aborts;
      EXPECT_EQ(transaction.steps.size(), 2U);
    } else if (transaction.steps.back().request.kind == OperationKind::write) {
      ++transfers;
      ASSERT_EQ(transaction.steps.size(), 4U);
      EXPECT_EQ(transaction.steps[0].request.key, transaction.steps[2].request.key);
      EXPECT_EQ(transaction.steps[1].request.key, transaction.steps[3].request.key);
      EXPECT_NE(transaction.steps[0].request.key, transaction.steps[1].request.key);
    } else {
      ++audits;
      ASSERT_EQ(transaction.steps.size(), 4U);
      std::int64_t total = 0;
      for (const Step& step : transaction.steps) {
        const std::int64_t balance = client.names().values().integer_of(step.value);
        EXPECT_GE(balance, 0);
        total += balance;
      }
      EXPECT_EQ(total, 400);
    }
  }
  EXPECT_NEAR(audits, 10'000, 300);
  EXPECT_GT(aborts, 10);
  EXPECT_GT(transfers, 9'000);
}

TEST(Counter, CountsTheIncrements) {
  WorkloadPlan plan = usual_plan(WorkloadKind::counter);
  plan.operations = 5;
  SerialClient client(plan);
  std::map<KeyId, std::int64_t> increments;
  for (const Transaction& transaction : client.run_all(2000)) {
    EXPECT_TRUE(transaction.steps.size() == 5 || transaction.steps.size() == 6);
    for (std::size_t i = 0; i < transaction.steps.size(); ++i) {
      const Step& step = transaction.steps[i];
      if (step.request.kind == OperationKind::read) continue;
      ASSERT_EQ(step.request.kind, OperationKind::write);
      ASSERT_GT(i, 0U);
      EXPECT_EQ(transaction.steps[i - 1].request.key, step.request.key);
      ++increments[step.request.key];
    }
  }
  EXPECT_EQ(increments.size(), 20U);
  for (const auto& [key, count] : increments) EXPECT_EQ(client.integer(key), count);
}

}  // namespace
}  // namespace isoscope
