#include "isoscope/base/open_table.h"

#include <gtest/gtest.h>

#include <map>

#include "isoscope/base/random.h"

namespace isoscope {
namespace {

TEST(OpenTable, IsAsStdMap) {
  Random random(7);
  OpenTable<std::uint32_t, 0, int> table;
  for (int round = 0; round < 20; ++round) {
    table.reset(random.below(50));
    std::map<std::uint32_t, int> expected;
    for (int i = 0; i < 300; ++i) {
      const auto key = static_cast<std::uint32_t>(1 + random.below(200));
      ++table[key];
      ++expected[key];
    }
    EXPECT_EQ(table.size(), expected.size());
    for (std::uint32_t key = 1; key <= 200; ++key) {
      const int* found = table.find(key);
      const auto known = expected.find(key);
      ASSERT_EQ(found != nullptr, known != expected.end());
      if (found != nullptr) {
        EXPECT_EQ(*found, known->second);
      }
    }
    std::size_t keys = 0;
    EXPECT_TRUE(table.all_keys([&](std::uint32_t key) {
      ++keys;
      return expected.contains(key);
    }));
    EXPECT_EQ(keys, expected.size());
  }
}

TEST(OpenTable, ASetNeedsNoRoomForContents) {
  struct Nothing {};
  OpenTable<std::uint64_t, ~std::uint64_t{0}, Nothing> table(4);
  table[0];
  EXPECT_NE(table.find(0), nullptr);
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.size(), 1u);
}

}  // namespace
}  // namespace isoscope
