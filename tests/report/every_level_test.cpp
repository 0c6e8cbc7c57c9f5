// What a history satisfies at every level: check_every_level() against the reference checker, with
// the stories of refutations, and what is told of the frontier.

#include "isoscope/check/every_level.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "history_of.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/history/format.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/frontier_report.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::history_of;

Frontier frontier_of(const History& history, EveryLevel options = {}) {
  options.also_violated = [&](const Verdict& verdict) -> std::vector<LevelId> {
    if (!report::has_stories(*verdict.certificate)) return {};
    return report::explain(history, *verdict.certificate).levels_ruled_out;
  };
  return check_every_level(history, options);
}

std::string words_of(const std::string& litmus, const EveryLevel& options = {}) {
  return report::frontier_words(frontier_of(history_of(litmus), options));
}

TEST(EveryLevel, TheFrontierInWords) {
  EXPECT_EQ(words_of("a: T1 w(x,1) | b: T2 r(x,1)"),
            "serializable, and so every level without real time");
  EXPECT_EQ(words_of("a: T1@1..2 w(x,1) | b: T2@3..4 r(x,1)"),
            "strict-serializable, and so every level");
  EXPECT_EQ(words_of("a: T1@1..2 w(x,1) | b: T2@3..4 r(x,1)", {.real_time = false}),
            "serializable, and so every level without real time");
  EXPECT_EQ(words_of("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)"),
            "snapshot-isolation, not repeatable-read, not update-serializable");
  EXPECT_EQ(words_of("a: T1! w(x,1) | b: T2 r(x,1)"), "read-uncommitted, not valid-reads");
  EXPECT_EQ(words_of("a: T1 r(x,1)"), "no level, not valid-reads, not read-uncommitted");
  EXPECT_EQ(words_of("a: T1@1..2 w(x,1) | b: T2@3..4 r(x,nil)"),
            "serializable, strong-read-committed, not strong-snapshot-isolation");
}

/// An answer that follows from another one is not asked for again.
TEST(EveryLevel, FewLevelsAreAsked) {
  const Frontier sound = frontier_of(history_of("a: T1 w(x,1) | b: T2 r(x,1)"));
  std::vector<LevelId> asked;
  for (const Verdict& verdict : sound.verdicts) asked.push_back(verdict.level.id);
  EXPECT_EQ(asked, (std::vector{LevelId::valid_reads, LevelId::cut_isolation, LevelId::causal,
                                LevelId::serializable}));
  for (const LevelAnswer& one : sound.levels) {
    ASSERT_TRUE(one.verdict);
    const bool was_asked = std::ranges::count(asked, one.level.id) != 0;
    EXPECT_EQ(one.why.empty(), was_asked) << text_of(one.level);
    EXPECT_EQ(sound.verdicts[*one.verdict].level == one.level, was_asked);
  }
  const LevelAnswer& read_committed =
      sound.levels[static_cast<std::size_t>(LevelId::read_committed)];
  EXPECT_EQ(read_committed.why, "causal holds, and implies read-committed");
}

/// The expected level is answered, also where it is none of those in question.
TEST(EveryLevel, AnswersWhatWasExpected) {
  const History skew = history_of("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)");
  const auto expected = [&](Level level) {
    return frontier_of(skew, {.expected = level}).expected->answer;
  };
  EXPECT_EQ(expected({LevelId::snapshot_isolation}), Answer::holds);
  EXPECT_EQ(expected({LevelId::serializable}), Answer::violated);
  EXPECT_EQ(expected({LevelId::serializable, false}), Answer::violated);
  EXPECT_EQ(expected({LevelId::strong_snapshot_isolation}), Answer::holds);
  EXPECT_EQ(expected({LevelId::strict_serializable}), Answer::violated);
}

/// When a limit is reached, what is known is told, and the rest is unknown with the reason.
TEST(EveryLevel, ALimitLeavesTheRestUnknown) {
  const History history = history_of("a: T1 w(x,1) | b: T2 r(x,1)");
  Limits limits;
  limits.request_stop();
  const Frontier frontier = frontier_of(history, {.each = {.limits = limits}});
  EXPECT_FALSE(frontier.is_decided());
  EXPECT_EQ(frontier.with(Answer::unknown).size(), frontier.levels.size());
  for (const LevelAnswer& one : frontier.levels) {
    EXPECT_EQ(one.reason, "not asked any more: " + std::string(name_of(StopReason::requested)));
  }
  EXPECT_EQ(report::frontier_words(frontier), "undecided; unknown: 26 levels");
}

struct Counts {
  int histories = 0;
  int answers = 0;
  int unknown = 0;
  int holds = 0;
  int violated = 0;
  int told = 0;
  int asked = 0;
};

/// The frontier of a history is the reference's, and its stories are about levels that are
/// violated.
void compare(const History& history, const EveryLevel& options, Counts& counts) {
  const Frontier frontier = frontier_of(history, options);
  std::vector<Level> levels;
  for (const LevelAnswer& one : frontier.levels) levels.push_back(one.level);
  const std::vector<bool> expected =
      reference::satisfied(history, levels,
                           {.clock_skew = options.each.clock_skew,
                            .indeterminate_cuts = indeterminate_cuts(history, options.each)});
  const std::string litmus = *format_history(history, Format::litmus);
  ++counts.histories;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelAnswer& one = frontier.levels[i];
    ++counts.answers;
    if (one.answer == Answer::unknown) {
      EXPECT_NE(one.reason, "");
      ++counts.unknown;
      continue;
    }
    ++(one.answer == Answer::holds ? counts.holds : counts.violated);
    ASSERT_EQ(one.answer == Answer::holds, expected[i])
        << text_of(one.level) << ": " << one.why << "\n"
        << litmus;
    EXPECT_EQ(one.shown_by.empty(), one.answer == Answer::holds);
  }
  counts.asked += static_cast<int>(frontier.verdicts.size());
  const std::string text = report::frontier_text("file", history, frontier);
  for (const LevelId id : frontier.weakest_violated()) {
    ASSERT_NE(text.find(", not " + std::string(name_of(id))), std::string::npos) << text;
    ++counts.told;
  }
}

TEST(EveryLevel, AgreesWithTheReference) {
  Random random(190);
  Counts counts;
  for (int i = 0; i < 3'000 * test_scale(); ++i) {
    const History history = reference::random_history(
        random,
        {.most_transactions = 5, .keys = 2 + i % 2, .lists = i % 3 == 0, .predicates = i % 4 == 0});
    if (!reference::is_within_limits(history)) continue;
    compare(history,
            {.each = {.clock_skew = i % 5 == 0 ? 7 : 0, .indeterminate_cuts = i % 2 == 0},
             .session_order = i % 3 != 1,
             .real_time = i % 7 != 0},
            counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.histories, 2'000);
  EXPECT_GT(counts.holds, counts.answers / 10);
  EXPECT_GT(counts.violated, counts.answers / 10);
  EXPECT_GT(counts.told, counts.histories / 2);
  EXPECT_LT(counts.unknown, counts.answers / 5);
  EXPECT_LT(counts.asked, counts.answers);
}

}  // namespace
}  // namespace isoscope
