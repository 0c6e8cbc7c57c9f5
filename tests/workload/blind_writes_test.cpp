#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

TEST(BlindWrites, TransactionsOnlyReadOrOnlyWriteInTheSharesOfTheirName) {
  const std::pair<WorkloadKind, int> shares[] = {{WorkloadKind::blind_writes_rh, 1600},
                                                 {WorkloadKind::blind_writes_wr, 1000},
                                                 {WorkloadKind::blind_writes_wh, 400}};
  for (const auto& [kind, expected] : shares) {
    WorkloadPlan plan = usual_plan(kind);
    plan.keys = 100;
    plan.operations = 3;
    SerialClient client(plan);
    int readers = 0;
    for (const Transaction& transaction : client.run_all(2000)) {
      ASSERT_EQ(transaction.steps.size(), 3U);
      const OperationKind first = transaction.steps[0].request.kind;
      for (const Step& step : transaction.steps) EXPECT_EQ(step.request.kind, first);
      if (first == OperationKind::read) {
        ++readers;
        EXPECT_NE(transaction.steps[0].value, ValuePool::nil);
      } else {
        EXPECT_EQ(first, OperationKind::write);
      }
    }
    EXPECT_NEAR(readers, expected, 90) << name_of(kind);
    EXPECT_EQ(client.table("blindw").size(), 100U);
  }
}

TEST(BlindWrites, EveryValueIsWrittenOnce) {
  WorkloadPlan plan = usual_plan(WorkloadKind::blind_writes_wh);
  plan.keys = 100;
  SerialClient client(plan);
  std::set<std::int64_t> seen;
  for (const auto& [key, row] : client.table("blindw")) {
    EXPECT_TRUE(seen.insert(row.at("v1")).second);
    EXPECT_TRUE(seen.insert(row.at("v2")).second);
  }
  const ValuePool& values = client.names().values();
  for (const Transaction& transaction : client.run_all(2000)) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind != OperationKind::write) continue;
      for (const Column& column : values.row_of(step.request.value)) {
        EXPECT_TRUE(seen.insert(values.integer_of(column.value)).second);
      }
    }
  }
  EXPECT_GT(seen.size(), 20'000U);
}

TEST(BlindPredicateWrites, HalfReadsHalfWritesOfFewRows) {
  WorkloadPlan plan = usual_plan(WorkloadKind::blind_writes_pred);
  plan.keys = 100;
  SerialClient client(plan);
  std::map<OperationKind, int> operations;
  std::map<OperationKind, std::size_t> rows;
  std::map<std::string, int> columns;
  for (const Transaction& transaction : client.run_all(2000)) {
    ASSERT_EQ(transaction.steps.size(), 8U);
    const bool reads = transaction.steps[0].request.kind == OperationKind::predicate_read;
    for (const Step& step : transaction.steps) {
      EXPECT_EQ(step.request.kind == OperationKind::predicate_read, reads);
      ++operations[step.request.kind];
      rows[step.request.kind] += step.rows.size();
      if (step.request.kind != OperationKind::write) {
        ++columns[client.names().predicate(step.request.predicate).operand];
      }
    }
  }
  EXPECT_NEAR(operations[OperationKind::predicate_read], 8000, 700);
  EXPECT_NEAR(operations[OperationKind::predicate_write], 7000, 700);
  EXPECT_NEAR(operations[OperationKind::write], 1000, 200);
  EXPECT_NEAR(columns["v1"], 7500, 500);
  EXPECT_NEAR(columns["v2"], 7500, 500);
  const auto mean = [&](OperationKind kind) {
    return static_cast<double>(rows[kind]) / operations[kind];
  };
  EXPECT_NEAR(mean(OperationKind::predicate_read), 4, 0.5);
  EXPECT_NEAR(mean(OperationKind::predicate_write), 1, 0.2);
}

TEST(BlindPredicateWrites, AnUpdateSetsTheOtherColumnAndKeepsTheOneItAskedFor) {
  WorkloadPlan plan = usual_plan(WorkloadKind::blind_writes_pred);
  plan.keys = 20;
  SerialClient client(plan);
  int updates = 0;
  for (const Transaction& transaction : client.run_all(300)) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind != OperationKind::predicate_write) continue;
      const auto change = client.names().values().row_of(step.request.value);
      ASSERT_EQ(change.size(), 1U);
      const Predicate& predicate = client.names().predicate(step.request.predicate);
      EXPECT_NE(client.names().values().string_of(change[0].name), predicate.operand);
      for (const RowVersion& row : step.rows) {
        ++updates;
        EXPECT_EQ(evaluate(predicate, client.names().values(), client.names().key_name(row.key),
                           row.value),
                  Truth::yes);
      }
    }
  }
  EXPECT_GT(updates, 100);
}

TEST(BlindPredicateWrites, ASmallTableKeepsDifferentRows) {
  WorkloadPlan plan = usual_plan(WorkloadKind::blind_writes_pred);
  plan.keys = 10;
  SerialClient client(plan);
  for (int i = 0; i < 20; ++i) {
    client.run_all(200);
    std::set<std::pair<std::int64_t, std::int64_t>> rows;
    for (const auto& [key, row] : client.table("blindw")) rows.emplace(row.at("v1"), row.at("v2"));
    EXPECT_GE(rows.size(), 3U);
  }
}

}  // namespace
}  // namespace isoscope
