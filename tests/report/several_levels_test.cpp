// What is known of one level settles others: check_levels() against the reference checker, with the
// stories of refutations.

#include "isoscope/check/several_levels.h"

#include <gtest/gtest.h>

#include "history_of.h"
#include "isoscope/history/format.h"
#include "isoscope/report/explanation.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::history_of;

std::vector<Verdict> check_with_stories(const History& history, std::span<const Level> levels,
                                        const CheckOptions& each = {}) {
  return check_levels(history, levels,
                      {.each = each, .also_violated = [&](const Verdict& verdict) {
                         return report::explain(history, *verdict.certificate).levels_ruled_out;
                       }});
}

Verdict verdict_of(const std::string& litmus, Level level) {
  return check_with_stories(history_of(litmus), std::span(&level, 1)).front();
}

std::string settled_by(const Verdict& verdict) {
  return verdict.settled_by ? text_of(*verdict.settled_by) : "";
}

TEST(SeveralLevels, AStrongerLevelThatHoldsSettlesIt) {
  const std::string skew = "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)";
  // The session guarantees do not look at lists to which an element was appended twice.
  const std::string repeated = skew + " | c: T3 a(z,1) | d: T4 a(z,1) | e: T5 r(z,[1,1])";
  const std::vector<Level> both = {{LevelId::snapshot_isolation}, {LevelId::read_your_writes}};
  const auto verdicts = check_with_stories(history_of(repeated), both);
  EXPECT_EQ(verdicts[0].answer, Answer::holds);
  EXPECT_FALSE(verdicts[0].settled_by);
  EXPECT_EQ(verdicts[1].answer, Answer::holds);
  EXPECT_EQ(settled_by(verdicts[1]), "snapshot-isolation");
  ASSERT_EQ(verdicts[1].remarks.size(), 1);
  EXPECT_EQ(verdicts[1].remarks[0].text,
            "This follows: snapshot-isolation holds, and implies read-your-writes.");
  // Nobody asked for a stronger level: one attempt is made.
  EXPECT_EQ(settled_by(verdict_of(repeated, {LevelId::read_your_writes})), "prefix-consistency");
}

TEST(SeveralLevels, WhatRefutesAStrongerLevelMayRefuteIt) {
  const Verdict verdict =
      verdict_of("a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2)", {LevelId::update_atomic});
  EXPECT_EQ(verdict.answer, Answer::violated);
  EXPECT_EQ(settled_by(verdict), "snapshot-isolation");
  ASSERT_TRUE(verdict.certificate);
  EXPECT_FALSE(settles(*verdict.certificate, verdict.level));
}

TEST(SeveralLevels, TheCertificateIsOfTheLevelThatSettledIt) {
  // The session guarantees do not look at lists to which an element was appended twice.
  const Level level{LevelId::read_your_writes};
  const History history = history_of("a: T1 a(x,1) | b: T2 a(x,1) | c: T3 r(x,[1,1])");
  const Verdict verdict =
      check_with_stories(history, std::span(&level, 1), {.certificate = true}).front();
  ASSERT_TRUE(verdict.certificate);
  EXPECT_EQ(verdict.certificate->level, Level{LevelId::prefix_consistency});
  EXPECT_TRUE(settles(*verdict.certificate, level));
  EXPECT_FALSE(settles(*verdict.certificate, Level{LevelId::snapshot_isolation}));
  EXPECT_TRUE(verdict.remarks.back().text.ends_with("The certificate is of prefix-consistency."));
}

/// All levels at once, and each alone: what is decided is right.
TEST(SeveralLevels, AgreeWithTheReference) {
  std::vector<Level> all;
  for (const LevelEntry& row : levels()) {
    all.push_back({row.id, true});
    all.push_back({row.id, false});
  }
  Random random(4711);
  int unknown = 0;
  int settled_holds = 0;
  int settled_violated = 0;
  int asked = 0;
  for (int i = 0; i < 1'500 * test_scale(); ++i) {
    const History history = reference::random_history(
        random,
        {.most_transactions = 5, .keys = 2 + i % 2, .lists = i % 3 == 0, .predicates = i % 4 == 0});
    if (!reference::is_within_limits(history)) continue;
    const CheckOptions each{.clock_skew = i % 5 == 0 ? 7 : 0, .indeterminate_cuts = i % 2 == 0};
    const std::vector<bool> expected = reference::satisfied(
        history, all,
        {.clock_skew = each.clock_skew, .indeterminate_cuts = each.indeterminate_cuts});
    std::vector<Verdict> verdicts = check_with_stories(history, all, each);
    // One by one for some, where nothing else was asked for.
    for (std::size_t l = i % 7; l < all.size(); l += 7) {
      verdicts.push_back(check_with_stories(history, std::span(&all[l], 1), each).front());
    }
    for (const Verdict& verdict : verdicts) {
      const auto at = static_cast<std::size_t>(std::ranges::find(all, verdict.level) - all.begin());
      ++asked;
      if (verdict.answer == Answer::unknown) {
        ++unknown;
        continue;
      }
      ASSERT_EQ(verdict.answer == Answer::holds, expected[at])
          << text_of(verdict.level) << " by " << settled_by(verdict) << "\n"
          << *format_history(history, Format::litmus);
      if (!verdict.settled_by) continue;
      ++(verdict.answer == Answer::holds ? settled_holds : settled_violated);
    }
  }
  EXPECT_GT(settled_holds, asked / 25);
  EXPECT_GT(settled_violated, asked / 100);
  EXPECT_LT(unknown, asked / 2);
}

}  // namespace
}  // namespace isoscope
