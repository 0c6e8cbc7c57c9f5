// The strong levels on random tables whose rows have columns, with predicates of every kind,
// against the reference checker: 2,000 histories for each level, with session order and without,
// and ten times as many in the full test. Every verdict's certificate is confirmed, and every
// technique that can be switched off is. And what must not depend on clocks, or only in one
// direction.

#include <gtest/gtest.h>

#include <algorithm>

#include "check/row_history.h"
#include "check/strong_case.h"
#include "print_level.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::RowFeatures;

constexpr StrongTechniques variants[] = {
    {.saturation = false},
    {.order_guides_polarity = false},
    {.saturation = false, .order_guides_polarity = false},
    {.lazy_choices = false},
    {.saturation = false, .lazy_choices = false},
    {.eager_width = 2},
    {.saturation = false, .eager_width = 3},
    {.lazy_choices = false, .eager_width = 2},
    {.most_chains = 0, .widest_window = 64},
    {.lazy_choices = false, .most_chains = 0},
};

/// Requests as an application has them.
constexpr RowFeatures mixed;
/// Rows are hardly told apart, and most is written blindly: much to choose.
constexpr RowFeatures blind{.least_transactions = 5,
                            .operations = 4,
                            .predicate_percent = 30,
                            .read_percent = 40,
                            .changed_percent = 35,
                            .distinct = 1,
                            .doubtful_percent = 0,
                            .own_session_percent = 80};
constexpr RowFeatures queries{.least_transactions = 4,
                              .predicate_percent = 90,
                              .read_percent = 60,
                              .changed_percent = 12,
                              .distinct = 2};
constexpr RowFeatures doubtful{
    .predicate_percent = 60, .changed_percent = 10, .doubtful_percent = 40};

constexpr RowFeatures extreme{.changed_percent = 15, .extreme_times = true};

History one_of_many(Random& random, int i) {
  constexpr const RowFeatures* mix[] = {&mixed, &blind, &queries, &blind, &doubtful, &extreme};
  return test::row_history(random, *mix[i % 6]);
}

/// How many rows predicates look at, at most.
std::uint64_t most_rows(const History& history) {
  std::uint64_t predicates = 0;
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      predicates += operation.is_predicate() ? 1 : 0;
    }
  }
  return predicates * history.key_count();
}

bool is_about_time(Level level) { return entry_of(level.id).kind == LevelKind::real_time; }

class StrongRows : public testing::TestWithParam<Level> {};

TEST_P(StrongRows, AgreeWithTheReference) {
  const Level level = GetParam();
  Random random(900 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  int all = 0;
  int hold = 0;
  int solved = 0;
  int solved_violated = 0;
  for (int i = 0; all < 2000 * test_scale(); ++i) {
    const History history = one_of_many(random, i);
    if (!reference::is_within_limits(history)) continue;
    const auto skew =
        static_cast<std::int64_t>(is_about_time(level) && i % 3 == 0 ? random.below(30) : 0);
    const bool expected = reference::satisfies(history, level, {.clock_skew = skew});
    const auto compare = [&](const StrongTechniques& techniques) {
      CheckStatistics statistics;
      const Verdict verdict = check(history, level,
                                    {.clock_skew = skew,
                                     .clocks_guide = i % 4 != 0,
                                     .certificate = true,
                                     .strong = techniques,
                                     .statistics = &statistics});
      EXPECT_EQ(verdict.answer, test::answer_of(expected))
          << text_of(level) << ", skew " << skew << ": " << verdict.reason << "\n"
          << test::described(history);
      EXPECT_TRUE(test::is_confirmed(history, verdict, skew));
      EXPECT_LE(statistics.unreturned_rows, most_rows(history)) << test::described(history);
      return statistics.rounds > 0;
    };
    const bool needed_solver = compare({});
    compare(variants[random.below(std::size(variants))]);
    if (HasFailure()) return;
    ++all;
    hold += expected ? 1 : 0;
    solved += needed_solver ? 1 : 0;
    solved_violated += needed_solver && !expected ? 1 : 0;
  }
  const auto percent = [&](int part) { return 100.0 * part / all; };
  EXPECT_GE(percent(hold), 10);
  EXPECT_LE(percent(hold), 90);
  EXPECT_GE(percent(solved), 5);
  EXPECT_GE(percent(solved_violated), 1);
}

INSTANTIATE_TEST_SUITE_P(Check, StrongRows, testing::ValuesIn(test::strong_levels()),
                         test::level_name);

/// What --time ignore and --time hint stand for.
TEST(StrongRowsAndTime, ClocksThatGuideDoNotChangeTheAnswer) {
  Random random(31);
  const std::vector<Level> levels = test::strong_levels();
  for (int i = 0; i < 5000 * test_scale(); ++i) {
    const History history = one_of_many(random, i);
    const Level level = levels[random.below(levels.size())];
    const Answer guided = check(history, level, {.clocks_guide = true}).answer;
    EXPECT_NE(guided, Answer::unknown) << text_of(level) << "\n" << test::described(history);
    ASSERT_EQ(guided, check(history, level, {.clocks_guide = false}).answer)
        << text_of(level) << "\n"
        << test::described(history);
  }
}

/// The more clocks may differ, the less they say; if they may differ by anything, nothing.
TEST(StrongRowsAndTime, ALargerSkewForbidsLess) {
  Random random(32);
  int changed = 0;
  for (int i = 0; i < 1500 * test_scale(); ++i) {
    const History history = test::row_history(random, i % 2 == 0 ? queries : mixed);
    for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
      const Level timed{*with_real_time(id)};
      const bool untimed_holds = check(history, Level{id}).answer == Answer::holds;
      bool held = false;
      for (const std::int64_t skew : {std::int64_t{0}, std::int64_t{4}, std::int64_t{5},
                                      std::int64_t{12}, std::int64_t{1000}, INT64_MAX}) {
        const bool holds = check(history, timed, {.clock_skew = skew}).answer == Answer::holds;
        ASSERT_TRUE(holds || !held) << text_of(timed) << ", skew " << skew << "\n"
                                    << test::described(history);
        ASSERT_TRUE(untimed_holds || !holds) << text_of(timed) << "\n" << test::described(history);
        changed += holds && !held && skew > 0 ? 1 : 0;
        held = holds;
      }
      ASSERT_EQ(held, untimed_holds) << text_of(timed) << "\n" << test::described(history);
    }
  }
  EXPECT_GE(changed, 50);
}

TEST(StrongRowsAndTime, EqualStampsAreConcurrent) {
  constexpr RowFeatures at_once{.changed_percent = 10, .grain = 1000};
  Random random(33);
  int hold = 0;
  for (int i = 0; i < 1000 * test_scale(); ++i) {
    const History history = test::row_history(random, at_once);
    for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
      const Answer untimed = check(history, Level{id}).answer;
      ASSERT_EQ(untimed, check(history, Level{*with_real_time(id)}).answer)
          << test::described(history);
      hold += untimed == Answer::holds ? 1 : 0;
    }
  }
  EXPECT_GE(hold, 200);
}

/// A query that misses the row of a transaction that ended when the query began, a moment before,
/// or longer ago.
TEST(StrongRowsAndTime, AnEdgeNeedsMoreThanTheSkewBetweenThem) {
  const auto query_at = [](const std::string& begin) {
    return test::history_of("a: T1@1..5 w(x,{v:7}) | b: T2@" + begin + "..90 rp(v > 5, {})");
  };
  for (const LevelId id : {LevelId::strict_serializable, LevelId::strong_snapshot_isolation}) {
    const auto answer = [&](const History& history, std::int64_t skew) {
      return test::confirmed_answer(history, {id}, {.clock_skew = skew});
    };
    EXPECT_EQ(answer(query_at("5"), 0), Answer::holds);
    EXPECT_EQ(answer(query_at("6"), 0), Answer::violated);
    EXPECT_EQ(answer(query_at("6"), 1), Answer::holds);
    EXPECT_EQ(answer(query_at("25"), 19), Answer::violated);
    EXPECT_EQ(answer(query_at("25"), 20), Answer::holds);
    EXPECT_EQ(answer(query_at("25"), INT64_MAX), Answer::holds);
  }
}

/// These clocks show the first and the last time that they can.
TEST(StrongRowsAndTime, TheExtremesOfClocksAreTimesAsAllOthers) {
  const std::string last = std::to_string(INT64_MAX);
  const std::string first = "-" + last;
  const auto history = [&](const std::string& ended, const std::string& began) {
    return test::history_of("a: T1@" + first + ".." + ended + " w(x,{v:7}) | b: T2@" + began +
                            ".." + last + " rp(v > 5, {})");
  };
  const Level level{LevelId::strict_serializable};
  EXPECT_EQ(test::confirmed_answer(history(first, last), level), Answer::violated);
  EXPECT_EQ(test::confirmed_answer(history(first, first), level), Answer::holds);
  EXPECT_EQ(test::confirmed_answer(history(last, last), level), Answer::holds);
  EXPECT_EQ(test::confirmed_answer(history(last, last), level, {.clock_skew = INT64_MAX}),
            Answer::holds);
  EXPECT_EQ(test::confirmed_answer(history(first, last), level, {.clock_skew = INT64_MAX}),
            Answer::violated);
}

/// Predicates that are easily got wrong: the first of each pair selects the row, the second not.
TEST(StrongRowsOdd, WhatPredicatesSelect) {
  const std::string conditions[] = {
      // selected                                    not selected
      "v between 1 and 9",
      "v between 1 and \"x\"",
      "v between 7 and 7",
      "v between \"a\" and 9",
      "v in (1 7)",
      "v in ()",
      "v in (7 null)",
      "not v in (1 null)",
      "v <> 6",
      "v <> null",
      "mod(v,9223372036854775807) = 7",
      "mod(v,2) = 0",
      "v <= 9223372036854775807",
      "v < -9223372036854775807",
      "w is null",
      "w like \"%\"",
      "not (v = 1 and w = 1)",
      "not (v = 7 and w = 1)",
      "v = 7 or w = 1",
      "v > \"\"",
      "@key like \"x%\"",
      "@value is null and not @value is null",
      "not @value = 1 or true",
      "not @value = 1",
  };
  // T2 has seen T1, so it misses the row if, and only if, the condition does not select it. At
  // repeatable read rows that a predicate did not return may be old ones.
  for (std::size_t i = 0; i < std::size(conditions); ++i) {
    const History history = test::history_of("a: T1 w(x,{v:7}) w(t.y,1) | b: T2 rp(" +
                                             conditions[i] + ", {}) r(t.y,1)");
    for (const Level level : test::strong_levels()) {
      const bool sees_rows = level.id != LevelId::repeatable_read;
      const Answer expected = i % 2 == 0 && sees_rows ? Answer::violated : Answer::holds;
      EXPECT_EQ(test::confirmed_answer(history, level), expected) << conditions[i];
    }
  }
}

}  // namespace
}  // namespace isoscope
