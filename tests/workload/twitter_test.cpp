#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "workload/serial_client.h"

namespace isoscope {
namespace {

constexpr std::int64_t of_a_user = 100'000'000;

class TwitterTest : public testing::Test {
 protected:
  TwitterTest() : client_(small_plan()), transactions_(client_.run_all(5000)) {}

  static WorkloadPlan small_plan() {
    WorkloadPlan plan = usual_plan(WorkloadKind::twitter);
    plan.keys = 50;
    return plan;
  }

  SerialClient client_;
  std::vector<Transaction> transactions_;
};

TEST_F(TwitterTest, MessagesAreNumberedWithoutGaps) {
  std::map<std::int64_t, std::int64_t> tweets;
  std::set<std::int64_t> texts;
  for (const auto& [key, tweet] : client_.table("tweets")) {
    ++tweets[key / of_a_user];
    EXPECT_EQ(key % of_a_user, tweets[key / of_a_user]);
    texts.insert(tweet.at("text"));
  }
  for (const auto& [key, user] : client_.table("users")) EXPECT_EQ(user.at("tweets"), tweets[key]);
  EXPECT_GT(client_.table("tweets").size(), 900U);
  EXPECT_LE(texts.size(), 100U);
  EXPECT_GT(tweets[0], tweets[49]);  // zipf
}

TEST_F(TwitterTest, TheLatestTextIsThatOfTheLastMessage) {
  const auto tweets = client_.table("tweets");
  const auto users = client_.table("users");
  for (const auto& [user, latest] : client_.table("latest")) {
    const std::int64_t last = user * of_a_user + users.at(user).at("tweets");
    EXPECT_EQ(latest.at("text"), tweets.at(last).at("text"));
  }
}

TEST_F(TwitterTest, TextsAreWrittenAgainAndAgainToTheSameKey) {
  std::set<std::pair<KeyId, ValueId>> seen;
  int repeated = 0;
  for (const Transaction& transaction : transactions_) {
    for (const Step& step : transaction.steps) {
      if (step.request.kind != OperationKind::write) continue;
      repeated += seen.emplace(step.request.key, step.request.value).second ? 0 : 1;
    }
  }
  EXPECT_GT(repeated, 100);
}

TEST_F(TwitterTest, FollowersAreCounted) {
  std::map<std::int64_t, std::int64_t> followers;
  for (const auto& [key, follow] : client_.table("follows")) ++followers[key % of_a_user];
  EXPECT_GT(followers.size(), 10U);
  for (const auto& [key, user] : client_.table("users")) {
    EXPECT_EQ(user.at("followers"), followers[key]);
  }
}

TEST_F(TwitterTest, SomeUnfollowAndReadersFindSomething) {
  int removals = 0;
  std::size_t followed = 0;
  std::size_t messages = 0;
  int writers = 0;
  for (const Transaction& transaction : transactions_) {
    bool writes = false;
    for (const Step& step : transaction.steps) {
      removals += step.request.kind == OperationKind::remove ? 1 : 0;
      if (step.request.kind == OperationKind::predicate_read) {
        const bool by_user = step.request.table == client_.names().table("tweets");
        (by_user ? messages : followed) += step.rows.size();
        EXPECT_LE(by_user ? step.rows.size() : 0, 10U);
      } else if (step.request.kind != OperationKind::read) {
        writes = true;
      }
    }
    writers += writes ? 1 : 0;
  }
  EXPECT_GT(removals, 10);
  EXPECT_GT(followed, 1000U);
  EXPECT_GT(messages, 1000U);
  EXPECT_GT(writers, 1000);
  EXPECT_LT(writers, 1600);
}

}  // namespace
}  // namespace isoscope
