#include "isoscope/base/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"

namespace isoscope {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, int>>;

Groups<int> grouped(std::size_t count, const Pairs& pairs) {
  return {count, [&](const auto& visit) {
            for (const auto& [group, member] : pairs) visit(group, member);
          }};
}

TEST(Groups, KeepTheOrderWithinAGroup) {
  const Groups<int> groups = grouped(3, {{1, 7}, {0, 5}, {1, 6}});
  EXPECT_EQ(groups.count(), 3);
  EXPECT_EQ(groups.member_count(), 3);
  EXPECT_TRUE(std::ranges::equal(groups.of(0), std::vector{5}));
  EXPECT_TRUE(std::ranges::equal(groups.of(1), std::vector{7, 6}));
  EXPECT_TRUE(groups.of(2).empty());
}

TEST(Groups, MayBeEmpty) {
  EXPECT_EQ(Groups<>().count(), 0);
  EXPECT_EQ(grouped(0, {}).count(), 0);
  EXPECT_TRUE(grouped(2, {}).of(1).empty());
}

TEST(Groups, HaveWhatAFilterFinds) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<std::uint32_t>(1 + random.below(6));
    Pairs pairs;
    for (int member = 0; member < 20; ++member) {
      pairs.emplace_back(static_cast<std::uint32_t>(random.below(count)), member);
    }
    const Groups<int> groups = grouped(count, pairs);
    for (std::uint32_t group = 0; group < count; ++group) {
      std::vector<int> expected;
      for (const auto& [its, member] : pairs) {
        if (its == group) expected.push_back(member);
      }
      EXPECT_TRUE(std::ranges::equal(groups.of(group), expected));
    }
  }
}

}  // namespace
}  // namespace isoscope
