// The strong levels on random histories with predicates against the reference checker: 12,500 for
// each level, with session order and without, and ten times as many in the full test. Every
// verdict's certificate is confirmed.

#include <gtest/gtest.h>

#include <algorithm>

#include "check/strong_case.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using reference::RandomFeatures;

constexpr RandomFeatures registers{
    .most_transactions = 5, .keys = 2, .outcomes = false, .lists = false};
constexpr RandomFeatures wide{
    .most_transactions = 6, .keys = 3, .operations = 3, .outcomes = false, .lists = false};
constexpr RandomFeatures outcomes{
    .most_transactions = 6, .keys = 2, .operations = 3, .lists = false};
constexpr RandomFeatures lists{
    .most_transactions = 6, .keys = 2, .operations = 3, .appended_once = true};

class StrongPredicates : public testing::TestWithParam<Level> {};

TEST_P(StrongPredicates, AgreeWithTheReference) {
  const Level level = GetParam();
  const bool real_time = entry_of(level.id).kind == LevelKind::real_time;
  Random random(500 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  constexpr const RandomFeatures* mix[] = {&registers, &wide, &outcomes, &lists};
  int all = 0;
  int hold = 0;
  int solved = 0;
  for (int i = 0; all < 12'500 * test_scale(); ++i) {
    const History history = reference::random_history(random, *mix[i % 4]);
    if (!reference::is_within_limits(history)) continue;
    const auto skew = static_cast<std::int64_t>(real_time && i % 3 == 0 ? random.below(30) : 0);
    const bool expected = reference::satisfies(history, level, {.clock_skew = skew});
    CheckStatistics statistics;
    const Verdict verdict = check(history, level,
                                  {.clock_skew = skew,
                                   .certificate = true,
                                   .strong = {.saturation = i % 7 != 0, .lazy_choices = i % 5 != 0},
                                   .statistics = &statistics});
    EXPECT_EQ(verdict.answer, test::answer_of(expected))
        << text_of(level) << ", skew " << skew << ": " << verdict.reason << "\n"
        << test::described(history);
    EXPECT_TRUE(test::is_confirmed(history, verdict, skew));
    if (HasFailure()) return;
    ++all;
    hold += expected ? 1 : 0;
    solved += statistics.rounds > 0 ? 1 : 0;
  }
  const auto percent = [&](int part) { return 100.0 * part / all; };
  EXPECT_GE(percent(hold), 20);
  EXPECT_LE(percent(hold), 80);
  EXPECT_GE(percent(solved), 2);
}

INSTANTIATE_TEST_SUITE_P(Check, StrongPredicates, testing::ValuesIn(test::strong_levels()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
