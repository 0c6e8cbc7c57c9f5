#include "isoscope/history/small_integers.h"

#include <gtest/gtest.h>

#include "isoscope/base/random.h"

namespace isoscope {
namespace {

/// As an owner does with an integer that it sees for the first time.
void add(SmallIntegers& table, std::uint64_t integer, std::uint32_t number) {
  if (table.count(integer)) table.widen_for(integer);
  if (table.covers(integer)) table.set(integer, number);
}

TEST(SmallIntegers, CoversNothingAtFirst) {
  const SmallIntegers table;
  EXPECT_FALSE(table.covers(0));
  EXPECT_EQ(table.at(0), 0U);
  EXPECT_EQ(table.at(UINT64_MAX), 0U);
  EXPECT_EQ(table.memory(), 0U);
}

TEST(SmallIntegers, CoversWhatIsGivenOutOneAfterTheOther) {
  for (const std::uint64_t first : {0, 1, 40}) {
    SmallIntegers table;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      add(table, first + i, i + 1);
      ASSERT_EQ(table.at(first + i), i + 1);
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) ASSERT_EQ(table.at(first + i), i + 1);
    EXPECT_LE(table.memory(), 2 * 4 * 10'100U);
  }
}

TEST(SmallIntegers, StartsLateWhereTheyStartLate) {
  SmallIntegers table;
  for (std::uint32_t i = 0; i < 10'000; ++i) add(table, 100'000 + i, i + 1);
  EXPECT_EQ(table.memory(), 0U);
  for (std::uint32_t i = 10'000; i < 20'000; ++i) add(table, 100'000 + i, i + 1);
  EXPECT_TRUE(table.covers(100'000));
  EXPECT_EQ(table.at(119'999), 20'000U);
}

TEST(SmallIntegers, LeavesScatteredOnesOut) {
  SmallIntegers table;
  Random random(1);
  for (std::uint32_t i = 0; i < 100'000; ++i) add(table, 100 + random.below(1'000'000'000), i + 1);
  EXPECT_EQ(table.memory(), 0U);
  for (const std::uint64_t large : {std::uint64_t{1} << 31, std::uint64_t{1} << 32, UINT64_MAX}) {
    add(table, large, 1);
    EXPECT_FALSE(table.covers(large));
    EXPECT_EQ(table.at(large), 0U);
  }
}

TEST(SmallIntegers, CostsAtMostThirtyTwoBytesEach) {
  for (const std::uint64_t step : {1, 2, 3, 7, 8, 9, 100}) {
    SmallIntegers table;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      add(table, step * i, i + 1);
      ASSERT_LE(table.memory(), 32 * (i + 1) + 256) << step;
    }
    EXPECT_EQ(table.covers(step * 4'000), step <= 8) << step;
  }
}

}  // namespace
}  // namespace isoscope
