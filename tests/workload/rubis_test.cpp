#include <gtest/gtest.h>

#include <map>
#include <set>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

constexpr std::int64_t bids_for_an_item = 100'000'000;

class RubisTest : public testing::Test {
 protected:
  RubisTest() : client_(small_plan()), transactions_(client_.run_all(5000)) {}

  static WorkloadPlan small_plan() {
    WorkloadPlan plan = usual_plan(WorkloadKind::rubis);
    plan.keys = 100;
    plan.read_percent = 50;
    return plan;
  }

  SerialClient client_;
  std::vector<Transaction> transactions_;
};

TEST_F(RubisTest, AnItemKnowsItsBids) {
  std::map<std::int64_t, std::int64_t> count;
  std::map<std::int64_t, std::int64_t> highest;
  for (const auto& [key, bid] : client_.table("bids")) {
    const std::int64_t item = key / bids_for_an_item;
    EXPECT_EQ(key % bids_for_an_item, ++count[item]);
    EXPECT_GT(bid.at("amount"), highest[item]);
    highest[item] = bid.at("amount");
  }
  EXPECT_GT(client_.table("bids").size(), 1000U);
  for (const auto& [key, item] : client_.table("items")) {
    EXPECT_EQ(item.at("bids"), count[key]);
    EXPECT_EQ(item.at("max_bid"), highest[key]);
  }
}

TEST_F(RubisTest, WhatIsSoldWasThere) {
  std::map<std::int64_t, std::int64_t> sold;
  for (const auto& [key, purchase] : client_.table("purchases")) ++sold[purchase.at("item")];
  EXPECT_GT(sold.size(), 50U);
  for (const auto& [key, item] : client_.table("items")) {
    EXPECT_GE(item.at("quantity"), 0);
    if (key < 100) {
      EXPECT_EQ(item.at("quantity"), 10 - sold[key]);
    }
  }
}

TEST_F(RubisTest, RatingsAreTheSumOfTheComments) {
  std::map<std::int64_t, std::int64_t> ratings;
  for (const auto& [key, comment] : client_.table("comments")) {
    ratings[comment.at("to")] += comment.at("rating");
  }
  for (const auto& [key, user] : client_.table("users")) {
    EXPECT_EQ(user.at("rating"), ratings[key]);
  }
}

TEST_F(RubisTest, NewItemsAndUsersGetNewNumbers) {
  std::size_t new_items = 0;
  std::size_t new_users = 0;
  for (const Transaction& transaction : transactions_) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind != OperationKind::insert) continue;
      const TableId table = client_.names().key_table(step.request.key);
      new_items += table == client_.names().table("items") ? 1U : 0U;
      new_users += table == client_.names().table("users") ? 1U : 0U;
    }
  }
  EXPECT_GT(new_items, 200U);
  EXPECT_GT(new_users, 100U);
  EXPECT_EQ(client_.table("items").size(), 100 + new_items);
  EXPECT_EQ(client_.table("users").size(), 10 + new_users);
}

TEST_F(RubisTest, BrowsingFindsItemsPutUpLater) {
  std::set<std::int64_t> browsed;
  for (const Transaction& transaction : transactions_) {
    if (transaction.steps[0].request.kind != OperationKind::predicate_read) continue;
    ASSERT_GE(transaction.steps.size(), 2U);
    browsed.insert(client_.names().values().integer_of(
        client_.names().key_name(transaction.steps[1].request.key)));
  }
  EXPECT_GE(*browsed.rbegin(), 100);
}

}  // namespace
}  // namespace isoscope
