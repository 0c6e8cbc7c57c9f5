// Attempts that run at once: whichever is first, the answer is the reference checker's, and its
// certificate is confirmed.

#include <gtest/gtest.h>

#include "check/hot_history.h"
#include "check/reads/accesses.h"
#include "check/strong/check_strong.h"
#include "check/strong_agreement.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "isoscope/check/several_levels.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// No attempt has a turn alone, and turns are short, so that threads take many of them.
constexpr StrongTechniques at_once{.first_turn = 0};

History one_of_many(Random& random, int i) {
  switch (i % 4) {
    case 0:
      return reference::random_history(random,
                                       {.most_transactions = 6, .keys = 2, .operations = 3});
    case 1:
      return test::hard_history(random, {.least_transactions = 8, .keys = 5, .values = 2});
    case 2:
      return test::hard_history(
          random, {.changed_percent = 20, .doubtful_percent = 20, .jitter = 30, .lists = true});
    default:
      return test::hot_history({.transactions = 5 + random.below(4),
                                .sessions = 2 + random.below(4),
                                .keys = 1 + random.below(3),
                                .operations = 3,
                                .snapshots = random.chance(50),
                                .changed_reads = random.below(3),
                                .indeterminate_percent = random.chance(50) ? 20u : 0u,
                                .seed = random.below(1u << 30)});
  }
}

class StrongRace : public testing::TestWithParam<Level> {};

TEST_P(StrongRace, AgreesWithTheReference) {
  const Level level = GetParam();
  Random random(500 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  // The reference takes ten times as long for repeatable read as for the others.
  const int count = (level.id == LevelId::repeatable_read ? 200 : 1000) * test_scale();
  const Limits limits;
  int raced = 0;
  test::expect_agreement(
      level, count, [&](int i) { return one_of_many(random, i); },
      [&](int i) {
        const auto skew = static_cast<std::int64_t>(i % 3 == 0 ? random.below(30) : 0);
        return CheckOptions{.limits = i % 2 == 0 ? limits : Limits::none(),
                            .threads = 2 + static_cast<unsigned>(random.below(4)),
                            .clock_skew = skew,
                            .strong = at_once};
      },
      [&](bool, const CheckStatistics& statistics) {
        raced += statistics.racing_threads > 1 ? 1 : 0;
      });
  EXPECT_GE(100 * raced / count, 25);  // others have but one attempt, or are refuted by a read
}

INSTANTIATE_TEST_SUITE_P(Check, StrongRace, testing::ValuesIn(test::strong_levels()),
                         test::level_name);

CheckStatistics statistics_of(const History& history, Level level, CheckOptions options,
                              Answer expected) {
  CheckStatistics statistics;
  options.statistics = &statistics;
  EXPECT_EQ(test::confirmed_answer(history, level, options), expected) << text_of(level);
  return statistics;
}

/// The solver would take long alone.
TEST(StrongRaceOfHotKeys, IsWonByWhoeverIsQuick) {
  const History history = test::hot_history({.transactions = 300});
  for (const LevelId id : test::strong_level_ids) {
    const CheckStatistics statistics =
        statistics_of(history, {id, false}, {.threads = 4, .strong = at_once}, Answer::holds);
    EXPECT_GE(statistics.racing_threads, 2u);
  }
}

/// The solver has no turn before the frontiers find that there is no order; then one thread goes on
/// with the whole, and another one with a piece.
TEST(StrongRaceOfHotKeys, HasPiecesInIt) {
  int refuted = 0;
  for (const std::uint64_t seed : {3, 4}) {
    const History history = test::hot_history(
        {.transactions = 1000, .snapshots = true, .changed_reads = 30, .seed = seed});
    CheckStatistics statistics;
    const Answer answer = test::confirmed_answer(
        history, {LevelId::strong_snapshot_isolation, false},
        {.threads = 3,
         .strong = {.frontiers = StrongTechniques::When::first, .first_turn = 0},
         .statistics = &statistics});
    EXPECT_GE(statistics.racing_threads, 2u);
    refuted += answer == Answer::violated && statistics.configurations > 0 ? 1 : 0;
  }
  EXPECT_GT(refuted, 0);
}

TEST(StrongRaceOfHotKeys, IsNotForWhatTheFirstTurnDecides) {
  const History history = test::hot_history({.transactions = 10});
  const CheckStatistics statistics =
      statistics_of(history, {LevelId::serializable, false}, {.threads = 4}, Answer::holds);
  EXPECT_EQ(statistics.racing_threads, 1u);
  // With session order, which serves as well, it is impossible at once, and without it, too.
  const History skew = test::history_of("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)");
  EXPECT_EQ(statistics_of(skew, {LevelId::serializable, false}, {.threads = 4}, Answer::violated)
                .racing_threads,
            1u);
}

/// Otherwise what is found within a limit would depend on which attempt is quick.
TEST(StrongRaceOfHotKeys, IsNotWithinLimitsOfMemoryOrConflicts) {
  const History history = test::hot_history({.transactions = 40});
  const Level level{LevelId::serializable, false};
  Limits limits;
  limits.set_memory(std::size_t{1} << 40);
  const auto threads = [&](CheckOptions options) {
    options.threads = 4;
    options.strong.first_turn = 0;
    return statistics_of(history, level, options, Answer::holds).racing_threads;
  };
  EXPECT_GE(threads({}), 2u);
  EXPECT_EQ(threads({.limits = limits}), 1u);
  EXPECT_EQ(threads({.most_conflicts = 1'000'000}), 1u);
  EXPECT_EQ(threads({.strong = {.race = false}}), 1u);
}

/// The story of one level may settle another.
TEST(StrongRaceOfHotKeys, IsNotForSeveralLevels) {
  const History history = test::hot_history({.transactions = 40});
  const std::vector<Level> levels = {Level{LevelId::serializable}, Level{LevelId::causal}};
  std::vector<CheckStatistics> statistics;
  const auto verdicts = check_levels(
      history, levels,
      {.each = {.threads = 4, .strong = at_once}, .at_once = false, .statistics = &statistics});
  EXPECT_EQ(verdicts[0].answer, Answer::holds);
  EXPECT_EQ(statistics[0].racing_threads, 1u);
}

/// Without clocks and sessions that takes hours.
TEST(StrongRaceOfHotKeys, EndsAtALimit) {
  const History history = test::hot_history({.transactions = 3000});
  KeyAccesses accesses;
  ASSERT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
  Limits limits;
  limits.request_stop();
  CheckStatistics statistics;
  const CheckOptions options = {.limits = limits,
                                .threads = 2,
                                .clocks_guide = false,
                                .strong = at_once,
                                .statistics = &statistics};
  Verdict verdict{.level = {LevelId::serializable, false}};
  strong::check_strong(history, accesses, *strong::rules_of(verdict.level.id), options, verdict);
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_EQ(verdict.stopped, StopReason::requested);
  EXPECT_EQ(statistics.racing_threads, 2u);
}

}  // namespace
}  // namespace isoscope
