#include "isoscope/history/recorder_slips.h"

#include <gtest/gtest.h>

#include "isoscope/history/format.h"

namespace isoscope {
namespace {

using Kind = RecorderSlip::Kind;

std::vector<RecorderSlip> slips_of(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  const auto history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus;
  return recorder_slips(*history);
}

std::vector<Kind> kinds_of(const std::string& litmus) {
  std::vector<Kind> kinds;
  for (const RecorderSlip& slip : slips_of(litmus)) kinds.push_back(slip.kind);
  return kinds;
}

TEST(RecorderSlips, AKeyIsAStringHereAndAnIntegerThere) {
  const auto slips = slips_of("a: T1 w(1,5) w(2,5) | b: T2 r(\"1\",nil) r(\"2\",nil)");
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_EQ(slips[0].kind, Kind::key_in_two_types);
  EXPECT_EQ(slips[0].keys.size(), 4u);
  EXPECT_EQ(slips[0].text,
            "Key 1 is an integer here and a string there (and 1 more): these are different keys. A "
            "recorder that means one should write one type.");
  EXPECT_TRUE(kinds_of("a: T1 w(1,5) w(\"01\",5) w(\"x\",1) w(\"+1\",1)").empty());
  EXPECT_TRUE(kinds_of("a: T1 w(t.1,5) w(u.\"1\",5)").empty()) << "other tables";
}

TEST(RecorderSlips, ARowIsReadThatNobodyWrote) {
  const auto slips = slips_of("a: T1 rp(t: true, {1:{a:1} 2:{a:2}}) r(x,7) r(y,nil) r(z,?)");
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_EQ(slips[0].kind, Kind::row_never_written);
  EXPECT_EQ(slips[0].keys.size(), 3u);
  EXPECT_EQ(slips[0].text,
            "T1 read t.1, which no transaction of the history wrote (and 2 more). If it was there "
            "before, the recorder should list it as an initial value.");
  EXPECT_TRUE(kinds_of("initial 0\na: T1 r(x,0)").empty());
  EXPECT_TRUE(kinds_of("initial nil x=7\na: T1 r(x,7)").empty());
  EXPECT_TRUE(kinds_of("a: T1! w(x,7) | b: T2 r(x,8)").empty()) << "somebody writes it";
}

TEST(RecorderSlips, APredicateAsksForAColumnThatNoRowHas) {
  const auto slips =
      slips_of("a: T1 i(t.1,{total:5}) | b: T2 rp(t: totl > 3 and total > 1 or sum = 2, {})");
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_EQ(slips[0].kind, Kind::unknown_column);
  EXPECT_EQ(slips[0].text,
            "A predicate asks for column sum, which no row of table t has (and 1 more): to such a "
            "predicate it is NULL everywhere.");
  EXPECT_EQ(kinds_of("a: T1 w(x,5) | b: T2 rp(total > 3, {})"), std::vector{Kind::unknown_column})
      << "values that are no rows have no columns";
  EXPECT_TRUE(kinds_of("a: T1 i(t.1,{a:5}) | b: T2 rp(t: a > 3, {})").empty());
  EXPECT_TRUE(kinds_of("a: T1 w(x,5) | b: T2 rp(@value > 3, {}) rp(@key = 1, {})").empty());
  EXPECT_TRUE(kinds_of("a: T1 rp(t: a > 3, {})").empty()) << "an empty table";
}

}  // namespace
}  // namespace isoscope
