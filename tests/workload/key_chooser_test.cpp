#include "workload/key_chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "workload/clients.h"

namespace isoscope {
namespace {

WorkloadPlan plan_with(KeyDistribution distribution) {
  WorkloadPlan plan;
  plan.distribution = distribution;
  return plan;
}

std::vector<int> draw(const KeyChooser& chooser, std::size_t n, int times) {
  Random random(1);
  std::vector<int> drawn(n);
  for (int i = 0; i < times; ++i) ++drawn[chooser.choose(random)];
  return drawn;
}

TEST(KeyChooser, UniformGivesEveryKeyTheSame) {
  const KeyChooser chooser(plan_with(KeyDistribution::uniform), 10);
  for (const int count : draw(chooser, 10, 100'000)) EXPECT_NEAR(count, 10'000, 400);
}

TEST(KeyChooser, ZipfPrefersTheFirst) {
  WorkloadPlan plan = plan_with(KeyDistribution::zipf);
  plan.key_theta = 100;
  const std::vector<int> drawn = draw(KeyChooser(plan, 3), 3, 110'000);
  EXPECT_NEAR(drawn[0], 60'000, 700);
  EXPECT_NEAR(drawn[2], 20'000, 700);
}

TEST(KeyChooser, HotKeysGetTheirShare) {
  WorkloadPlan plan = plan_with(KeyDistribution::hotspot);
  plan.hot_key_percent = 20;
  plan.hot_use_percent = 80;
  const std::vector<int> drawn = draw(KeyChooser(plan, 10), 10, 100'000);
  for (std::size_t key = 0; key < 2; ++key) EXPECT_NEAR(drawn[key], 40'000, 700);
  for (std::size_t key = 2; key < 10; ++key) EXPECT_NEAR(drawn[key], 2'500, 250);
}

TEST(KeyChooser, AHotspotOfNoneAndOfAllKeys) {
  WorkloadPlan plan = plan_with(KeyDistribution::hotspot);
  plan.hot_key_percent = 0;  // still one key
  EXPECT_NEAR(draw(KeyChooser(plan, 5), 5, 10'000)[0], 8'000, 200);
  plan.hot_key_percent = 100;
  EXPECT_NEAR(draw(KeyChooser(plan, 5), 5, 10'000)[4], 2'000, 200);
  plan.hot_use_percent = 0;
  plan.hot_key_percent = 40;
  EXPECT_EQ(draw(KeyChooser(plan, 5), 5, 10'000)[1], 0);
  EXPECT_EQ(draw(KeyChooser(plan, 1), 1, 100)[0], 100);
}

TEST(KeyChooser, DistinctKeysAreDistinctAndAtMostAll) {
  for (const auto distribution :
       {KeyDistribution::uniform, KeyDistribution::zipf, KeyDistribution::hotspot}) {
    for (const std::size_t n : {1U, 6U, 50U}) {
      const KeyChooser chooser(plan_with(distribution), n);
      Random random(1);
      for (std::size_t count = 0; count < n + 3; ++count) {
        const std::vector<std::size_t> chosen = chooser.choose_distinct(random, count);
        EXPECT_EQ(chosen.size(), std::min(count, n));
        EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), chosen.size());
        for (const std::size_t key : chosen) EXPECT_LT(key, n);
      }
    }
  }
}

TEST(Clients, NumbersAreNeverGivenTwiceAndDoNotDependOnTheOthers) {
  WorkloadPlan plan;
  plan.sessions = 3;
  Clients clients(plan);
  EXPECT_EQ(clients.fresh(1), 2);
  EXPECT_EQ(clients.fresh(1), 5);
  EXPECT_EQ(clients.fresh(0), 1);
  EXPECT_EQ(clients.fresh(2), 3);
  EXPECT_EQ(clients.fresh(1), 8);
  EXPECT_EQ(clients.fresh(0), 4);
}

TEST(Clients, RandomNumbersDifferBySeedSessionAndTransactionOnly) {
  WorkloadPlan plan;
  std::set<std::uint64_t> numbers;
  for (plan.seed = 0; plan.seed < 10; ++plan.seed) {
    Clients clients(plan);
    Clients again(plan);
    for (std::size_t s = 0; s < plan.sessions; ++s) {
      for (int transaction = 0; transaction < 10; ++transaction) {
        Random random = clients.next_random(s);
        const std::uint64_t number = random.next();
        numbers.insert(number);
        Random same = again.next_random(s);
        EXPECT_EQ(same.next(), number);
      }
    }
  }
  EXPECT_EQ(numbers.size(), 1000U);
}

}  // namespace
}  // namespace isoscope
