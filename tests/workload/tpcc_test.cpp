#include <gtest/gtest.h>

#include <map>
#include <set>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

constexpr std::int64_t in_a_district = 10'000'000;

class TpccTest : public testing::Test {
 protected:
  TpccTest() : client_(small_plan()), transactions_(client_.run_all(3000)) {}

  static WorkloadPlan small_plan() {
    WorkloadPlan plan = usual_plan(WorkloadKind::tpcc);
    plan.keys = 100;
    return plan;
  }
  TableId table_of(const Step& step) {
    return step.request.kind >= OperationKind::predicate_read
               ? step.request.table
               : client_.names().key_table(step.request.key);
  }
  /// Which of the five it is, by what it does first and what it touches.
  std::string name_of(const Transaction& transaction) {
    const TableId first = table_of(transaction.steps[0]);
    if (first == client_.names().table("new_order")) return "delivery";
    if (first == client_.names().table("customer")) return "order-status";
    if (first == client_.names().table("district")) return "stock-level";
    return transaction.steps[1].request.kind == OperationKind::write ? "payment" : "new-order";
  }

  SerialClient client_;
  std::vector<Transaction> transactions_;
};

TEST_F(TpccTest, HasTheFiveTransactionsInTheirShares) {
  std::map<std::string, int> count;
  int aborted = 0;
  for (const Transaction& transaction : transactions_) {
    ++count[name_of(transaction)];
    if (transaction.ending == Ending::abort) {
      ++aborted;
      EXPECT_EQ(name_of(transaction), "new-order");
    }
  }
  EXPECT_NEAR(count["new-order"], 1350, 110);
  EXPECT_NEAR(count["payment"], 1290, 110);
  EXPECT_NEAR(count["order-status"], 120, 45);
  EXPECT_NEAR(count["delivery"], 120, 45);
  EXPECT_NEAR(count["stock-level"], 120, 45);
  EXPECT_GT(aborted, 0);
  EXPECT_LT(aborted, 40);
}

TEST_F(TpccTest, OrderNumbersAreConsecutive) {
  std::map<std::int64_t, std::int64_t> orders;
  std::map<std::int64_t, std::int64_t> newest;
  for (const auto& [key, order] : client_.table("orders")) {
    ++orders[key / in_a_district];
    newest[key / in_a_district] = key % in_a_district;  // the keys come in order
  }
  const auto districts = client_.table("district");
  EXPECT_EQ(districts.size(), 10U);
  for (const auto& [number, district] : districts) {
    EXPECT_EQ(district.at("next_o_id") - 1, newest[number]);
    EXPECT_EQ(orders[number], newest[number]);
  }
}

TEST_F(TpccTest, EveryOrderHasItsLinesAndEveryLineItsOrder) {
  std::map<std::int64_t, std::int64_t> lines;
  const auto orders = client_.table("orders");
  for (const auto& [key, line] : client_.table("order_line")) {
    ++lines[key / 100];
    EXPECT_GE(line.at("item"), 1);
    EXPECT_LE(line.at("item"), 100);
    EXPECT_EQ(line.at("delivered") != 0, orders.at(key / 100).at("carrier") != 0);
  }
  EXPECT_EQ(lines.size(), orders.size());
  for (const auto& [key, order] : orders) {
    EXPECT_EQ(order.at("lines"), lines[key]);
    EXPECT_GE(order.at("lines"), 5);
    EXPECT_LE(order.at("lines"), 15);
  }
}

TEST_F(TpccTest, NewOrdersAreTheOrdersNotDelivered) {
  const auto waiting = client_.table("new_order");
  std::size_t not_delivered = 0;
  for (const auto& [key, order] : client_.table("orders")) {
    EXPECT_EQ(waiting.contains(key), order.at("carrier") == 0) << key;
    not_delivered += order.at("carrier") == 0 ? 1U : 0U;
  }
  EXPECT_EQ(not_delivered, waiting.size());
  EXPECT_LT(waiting.size(), client_.table("orders").size());
}

TEST_F(TpccTest, MoneyAndPiecesAddUp) {
  std::int64_t in_districts = 0;
  for (const auto& [key, district] : client_.table("district")) in_districts += district.at("ytd");
  EXPECT_EQ(client_.table("warehouse").at(1).at("ytd"), in_districts);
  std::int64_t billed = 0;
  std::int64_t ordered = 0;
  for (const auto& [key, line] : client_.table("order_line")) {
    ordered += line.at("quantity");
    if (line.at("delivered") != 0) billed += line.at("amount");
  }
  std::int64_t balance = 0;
  const auto customers = client_.table("customer");
  EXPECT_EQ(customers.size(), 30U);
  for (const auto& [key, customer] : customers) balance += customer.at("balance");
  EXPECT_EQ(balance, billed - in_districts);
  std::int64_t sold = 0;
  for (const auto& [key, stock] : client_.table("stock")) {
    sold += stock.at("ytd");
    EXPECT_GE(stock.at("quantity"), 10);
    EXPECT_LE(stock.at("quantity"), 100);
  }
  EXPECT_EQ(sold, ordered);
}

TEST_F(TpccTest, PredicatesFindRows) {
  std::map<std::string, std::size_t> rows;
  for (const Transaction& transaction : transactions_) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind == OperationKind::predicate_read) {
        rows[name_of(transaction)] += step.rows.size();
      }
    }
  }
  EXPECT_GT(rows["order-status"], 1000U);
  EXPECT_GT(rows["delivery"], 1000U);
  EXPECT_GT(rows["stock-level"], 1000U);
}

}  // namespace
}  // namespace isoscope
