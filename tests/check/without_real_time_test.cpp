#include "isoscope/check/without_real_time.h"

#include <gtest/gtest.h>

#include "check/finding_text.h"

namespace isoscope {
namespace {

std::optional<Verdict> asked_again(const std::string& text, Level level) {
  const History history = test::litmus(text);
  return check_without_real_time(history, check(history, level));
}

TEST(WithoutRealTime, WhatOnlyClocksRefuteHolds) {
  const std::string old_state = "a: T1@1..2 w(x,1) | b: T2@3..4 r(x,nil)";
  const auto verdict = asked_again(old_state, {LevelId::strict_serializable, false});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::holds);
  EXPECT_EQ(verdict->level, (Level{LevelId::serializable, false}));
}

TEST(WithoutRealTime, WhatReadsRefuteStaysViolated) {
  const std::string lost_update =
      "a: T1@1..2 w(x,1) | b: T2@3..6 r(x,1) w(x,2) | c: T3@4..7 r(x,1) w(x,3)";
  const auto verdict = asked_again(lost_update, Level{LevelId::strong_snapshot_isolation});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::violated);
  EXPECT_EQ(verdict->level, Level{LevelId::snapshot_isolation});
}

TEST(WithoutRealTime, IsAskedOnlyWhereRealTimeIsViolated) {
  const std::string in_order = "a: T1@1..2 w(x,1) | b: T2@3..4 r(x,1)";
  EXPECT_FALSE(asked_again(in_order, Level{LevelId::strict_serializable}));
  const std::string skew = "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)";
  EXPECT_FALSE(asked_again(skew, Level{LevelId::serializable}));
}

}  // namespace
}  // namespace isoscope
