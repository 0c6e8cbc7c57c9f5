// The search over frontiers against the reference checker: before the solver gets a turn, so that
// it has to find every order. Where it finds none the solver has to agree, with a proof.

#include <gtest/gtest.h>

#include "check/hot_history.h"
#include "check/strong_agreement.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr StrongTechniques techniques(bool saturation) {
  return {.saturation = saturation, .frontiers = StrongTechniques::When::first};
}

History one_of_many(Random& random, int i) {
  switch (i % 8) {
    case 0:
      return reference::random_history(random,
                                       {.most_transactions = 6, .keys = 2, .operations = 3});
    case 1:
      return reference::random_history(
          random, {.most_transactions = 6, .keys = 2, .operations = 3, .predicates = false});
    case 2:
      return test::hard_history(random, {.least_transactions = 8, .jitter = 30});
    case 3:
      return test::hard_history(random, {.least_transactions = 8,
                                         .values = 2,
                                         .readers_percent = 30,
                                         .read_percent = 10,
                                         .changed_percent = 30});
    case 4:
      return test::hard_history(
          random, {.keys = 3, .changed_percent = 20, .doubtful_percent = 30, .jitter = 30});
    case 5:
      return test::hard_history(
          random, {.changed_percent = 20, .doubtful_percent = 20, .jitter = 30, .lists = true});
    case 6:
      return test::hot_history({.transactions = 5 + random.below(4),
                                .sessions = 2 + random.below(4),
                                .keys = 1 + random.below(3),
                                .operations = 3,
                                .snapshots = random.chance(50),
                                .changed_reads = random.below(3),
                                .indeterminate_percent = random.chance(50) ? 20u : 0u,
                                .seed = random.below(1u << 30)});
    default:
      return test::hot_history({.transactions = 5 + random.below(4),
                                .sessions = 2 + random.below(4),
                                .keys = 1 + random.below(2),
                                .operations = 3,
                                .snapshots = random.chance(50),
                                .changed_reads = random.below(3),
                                .indeterminate_percent = random.chance(50) ? 20u : 0u,
                                .lists = true,
                                .seed = random.below(1u << 30)});
  }
}

class StrongFrontiers : public testing::TestWithParam<Level> {};

TEST_P(StrongFrontiers, AgreeWithTheReference) {
  const Level level = GetParam();
  Random random(300 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  test::expect_agreement(
      level, 3000 * test_scale(), [&](int i) { return one_of_many(random, i); },
      [&](int i) {
        const auto skew = static_cast<std::int64_t>(i % 3 == 0 ? random.below(30) : 0);
        return CheckOptions{.clock_skew = skew, .strong = techniques(i % 2 == 0)};
      },
      [](bool, const CheckStatistics&) {});
}

INSTANTIATE_TEST_SUITE_P(Check, StrongFrontiers,
                         testing::Values(Level{LevelId::strict_serializable, true},
                                         Level{LevelId::strict_serializable, false},
                                         Level{LevelId::strong_snapshot_isolation, true},
                                         Level{LevelId::strong_snapshot_isolation, false}),
                         test::level_name);

/// Here everything depends on everything, and the solver takes ever longer.
TEST(StrongFrontiersOfHotKeys, AreFewAtATime) {
  for (const bool snapshots : {false, true}) {
    const History history = test::hot_history({.transactions = 1000, .snapshots = snapshots});
    const LevelId id =
        snapshots ? LevelId::strong_snapshot_isolation : LevelId::strict_serializable;
    CheckStatistics statistics;
    EXPECT_EQ(test::confirmed_answer(history, {id, true},
                                     {.strong = techniques(true), .statistics = &statistics}),
              Answer::holds);
    EXPECT_EQ(statistics.conflicts, 0u);
    EXPECT_GT(statistics.configurations, 10'000u);
    EXPECT_LT(statistics.configurations, 1'000'000u);
  }
}

/// The solver would begin with a choice for each of thousands of candidates of each wrong read: it
/// waits.
TEST(StrongFrontiersOfHotKeys, ComeBeforeMillionsOfChoices) {
  const History history = test::hot_history({.transactions = 6000, .sessions = 6, .keys = 2});
  CheckStatistics statistics;
  EXPECT_EQ(test::confirmed_answer(history, {LevelId::strict_serializable, true},
                                   {.statistics = &statistics}),
            Answer::holds);
  EXPECT_EQ(statistics.conflicts, 0u);
  EXPECT_GT(statistics.configurations, 0u);
}

/// That there is no order is found by searching all; a proof is then found for a piece of the
/// history, and holds for the whole.
TEST(StrongFrontiersOfHotKeys, WhatTheyRefuteIsProvedForAPiece) {
  int refuted = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const History history = test::hot_history(
        {.transactions = 1000, .snapshots = seed > 2, .changed_reads = 30, .seed = seed});
    const LevelId id = seed > 2 ? LevelId::strong_snapshot_isolation : LevelId::strict_serializable;
    CheckStatistics statistics;
    const Answer answer = test::confirmed_answer(
        history, {id, true}, {.strong = techniques(true), .statistics = &statistics});
    refuted += answer == Answer::violated && statistics.configurations > 0 ? 1 : 0;
  }
  EXPECT_GT(refuted, 0);
}

/// Readers and writers of registers that are under way at a time and have nothing to do with each
/// other.
TEST(StrongFrontiersOfHotKeys, KeysApartAreNotMultiplied) {
  const History history =
      test::hot_history({.transactions = 2000, .sessions = 20, .keys = 2000, .values = 1000});
  CheckStatistics statistics;
  EXPECT_EQ(test::confirmed_answer(history, {LevelId::strict_serializable, true},
                                   {.strong = techniques(true), .statistics = &statistics}),
            Answer::holds);
  EXPECT_LT(statistics.configurations, 100'000u);
}

}  // namespace
}  // namespace isoscope
