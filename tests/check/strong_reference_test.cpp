// The engine for strong levels against the reference checker on random histories: 20,000 for each
// level, with session order and without, and ten times as many in the full test. Every verdict's
// certificate is confirmed, and every technique that can be switched off is.

#include <gtest/gtest.h>

#include "check/strong_case.h"
#include "check/strong_random.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using reference::RandomFeatures;
using test::HardFeatures;

constexpr StrongTechniques variants[] = {
    {.saturation = false},
    {.order_guides_polarity = false},
    {.saturation = false, .order_guides_polarity = false},
    {.lazy_choices = false},
    {.saturation = false, .lazy_choices = false},
    {.eager_width = 1},
    {.eager_width = 2},
    {.saturation = false, .eager_width = 3},
    {.eager_width = 4},
    {.lazy_choices = false, .eager_width = 2},
    {.most_chains = 0, .widest_window = 64},
    {.lazy_choices = false, .most_chains = 0},
};

/// Runs of a bad store: most kinds of mistakes are in them.
constexpr RandomFeatures registers{
    .most_transactions = 5, .keys = 2, .outcomes = false, .lists = false, .predicates = false};
constexpr RandomFeatures outcomes{
    .most_transactions = 6, .keys = 2, .operations = 3, .lists = false, .predicates = false};
constexpr RandomFeatures lists{
    .most_transactions = 6, .keys = 2, .operations = 3, .predicates = false, .appended_once = true};
/// Much to choose.
constexpr HardFeatures hard{.least_transactions = 8};
constexpr HardFeatures hard_readers{
    .least_transactions = 8, .values = 2, .readers_percent = 30, .read_percent = 10};
constexpr HardFeatures hard_and_wide{.least_transactions = 8, .keys = 5, .values = 2};
constexpr HardFeatures hard_doubts{.keys = 3, .doubtful_percent = 20};
constexpr HardFeatures hard_lists{.doubtful_percent = 5, .jitter = 50, .lists = true};

constexpr int kinds = 10;

History one_of_many(Random& random, int i) {
  switch (i % kinds) {
    case 0:
      return reference::random_history(random, registers);
    case 1:
      return reference::random_history(random, outcomes);
    case 2:
      return reference::random_history(random, lists);
    case 3:
      return test::hard_history(random, hard);
    case 4:
    case 5:
      return test::hard_history(random, hard_readers);
    case 6:
    case 7:
      return test::hard_history(random, hard_and_wide);
    case 8:
      return test::hard_history(random, hard_doubts);
    default:
      return test::hard_history(random, hard_lists);
  }
}

/// For repeatable read the reference tries all orders of versions, which takes minutes for some of
/// the hard histories. There are no predicates in them, so that level is the same as serializable;
/// the runs of a bad store are compared with its own definition.
Level asked_of_reference(Level level, int kind) {
  const bool is_run = kind < 3;
  if (level.id != LevelId::repeatable_read || is_run) return level;
  return {LevelId::serializable, level.session_order};
}

class StrongLevels : public testing::TestWithParam<Level> {};

TEST_P(StrongLevels, AgreeWithTheReference) {
  const Level level = GetParam();
  const bool real_time = entry_of(level.id).kind == LevelKind::real_time;
  // Others for every level.
  Random random(100 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  int all = 0;
  int hold = 0;
  int solved = 0;
  int solved_violated = 0;
  int solved_without_saturation = 0;
  int without_saturation = 0;
  for (int i = 0; all < 20'000 * test_scale(); ++i) {
    const History history = one_of_many(random, i);
    if (!reference::is_within_limits(history)) continue;
    const auto skew = static_cast<std::int64_t>(real_time && i % 3 == 0 ? random.below(30) : 0);
    const bool expected =
        reference::satisfies(history, asked_of_reference(level, i % kinds), {.clock_skew = skew});
    const auto compare = [&](const StrongTechniques& techniques) {
      CheckStatistics statistics;
      const Verdict verdict = check(history, level,
                                    {.clock_skew = skew,
                                     .certificate = true,
                                     .strong = techniques,
                                     .statistics = &statistics});
      EXPECT_EQ(verdict.answer, test::answer_of(expected))
          << text_of(level) << ", skew " << skew << ": " << verdict.reason << "\n"
          << test::described(history);
      EXPECT_TRUE(test::is_confirmed(history, verdict, skew));
      return statistics.rounds > 0;
    };
    ++all;
    const bool needed_solver = compare({});
    hold += expected ? 1 : 0;
    solved += needed_solver ? 1 : 0;
    solved_violated += needed_solver && !expected ? 1 : 0;
    // Another one for each kind of history in turn; more often where it is about the solver.
    if (needed_solver || i % 4 == 0) {
      const StrongTechniques& techniques = variants[random.below(std::size(variants))];
      const bool without = compare(techniques);
      without_saturation += techniques.saturation ? 0 : 1;
      solved_without_saturation += without && !techniques.saturation ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  const auto percent = [](int part, int of) { return 100.0 * part / of; };
  EXPECT_GE(percent(hold, all), 20);
  EXPECT_LE(percent(hold, all), 80);
  EXPECT_GE(percent(solved, all), 10);
  EXPECT_GE(percent(solved_violated, all), 2);
  EXPECT_GE(percent(solved_without_saturation, without_saturation), 20);
}

INSTANTIATE_TEST_SUITE_P(Check, StrongLevels, testing::ValuesIn(test::strong_levels()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
