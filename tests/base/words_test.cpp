#include "isoscope/base/words.h"

#include <gtest/gtest.h>

#include "isoscope/base/option_table.h"

namespace isoscope {
namespace {

TEST(Words, NumbersHaveCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1'000), "1,000");
  EXPECT_EQ(with_commas(31'022), "31,022");
  EXPECT_EQ(with_commas(1'234'567), "1,234,567");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Words, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "operation"), "0 operations");
  EXPECT_EQ(counted(1, "operation"), "1 operation");
  EXPECT_EQ(counted(1'001, "operation"), "1,001 operations");
}

TEST(Words, DurationsReadBackAsTheyAre) {
  EXPECT_EQ(duration_text(0), "0s");
  EXPECT_EQ(duration_text(7), "7ns");
  EXPECT_EQ(duration_text(1'500), "1500ns");
  EXPECT_EQ(duration_text(5'000'000), "5ms");
  EXPECT_EQ(duration_text(90'000'000'000), "90s");
  for (const std::int64_t ns : {0L, 1L, 999L, 1'000L, 123'456'789L, 3'600'000'000'000L}) {
    EXPECT_EQ(*parse_duration(duration_text(ns)), ns);
  }
}

TEST(Words, ListsHaveCommas) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(joined(words), "a, b, c");
  EXPECT_EQ(joined(words, "; "), "a; b; c");
  EXPECT_EQ(joined(std::vector<int>{1, 2}, [](int i) { return std::to_string(i); }), "1, 2");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
  EXPECT_EQ(listed(words, " or "), "a, b or c");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}, " and "), "a and b");
  EXPECT_EQ(listed(std::vector<std::string>{"a"}, " or "), "a");
}

}  // namespace
}  // namespace isoscope
