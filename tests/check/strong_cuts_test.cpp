// What transactions of unknown outcome do to their sessions, for both meanings: the engine against
// the reference checker, every certificate through the verifier.

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

using test::history_of;

Answer answer(const std::string& litmus, LevelId level, std::optional<bool> cuts = std::nullopt) {
  return test::confirmed_answer(history_of(litmus), Level{level}, {.indeterminate_cuts = cuts});
}

/// T3 misses what its own session wrote before a transaction of unknown outcome.
constexpr const char* behind_a_cut = "a: T1 w(x,1) ; T2? w(y,1) ; T3 r(x,nil)";

TEST(StrongCuts, DecideWhetherNeighboursAreInOrder) {
  for (const LevelId level : test::strong_level_ids) {
    EXPECT_EQ(answer(behind_a_cut, level), Answer::holds);
    EXPECT_EQ(answer(behind_a_cut, level, true), Answer::holds);
    EXPECT_EQ(answer(behind_a_cut, level, false), Answer::violated);
    EXPECT_EQ(answer(std::string("cuts off\n") + behind_a_cut, level), Answer::violated);
    EXPECT_EQ(answer(std::string("cuts off\n") + behind_a_cut, level, true), Answer::holds);
    EXPECT_EQ(answer(std::string("cuts on\n") + behind_a_cut, level), Answer::holds);
  }
}

TEST(StrongCuts, NothingComesAfterAnUnknownOutcomeEitherWay) {
  for (const bool cuts : {true, false}) {
    // T3 need not see what T2 wrote: its commit may take effect at any later time ...
    const char* late = "a: T1 w(y,1) ; T2? w(x,1) ; T3 r(x,nil) | b: T4 r(x,1)";
    EXPECT_EQ(answer(late, LevelId::serializable, cuts), Answer::holds);
    // ... but T2 comes after T1.
    const char* early = "a: T1 w(y,1) ; T2? w(x,1) ; T3 r(x,nil) | b: T4 r(x,1) r(y,nil)";
    EXPECT_EQ(answer(early, LevelId::serializable, cuts), Answer::violated);
  }
  // The same of the second of two: T1 comes before it only if the first one does not cut.
  const char* second = "a: T1 w(y,1) ; T2? w(z,1) ; T3? w(x,1) ; T5 w(q,1) | b: T4 r(x,1) r(y,nil)";
  EXPECT_EQ(answer(second, LevelId::serializable, true), Answer::holds);
  EXPECT_EQ(answer(second, LevelId::serializable, false), Answer::violated);
}

TEST(StrongCuts, WithoutSessionOrderThereIsNothingToCut) {
  const History history = history_of(behind_a_cut);
  const Level plain{LevelId::serializable, false};
  for (const bool cuts : {true, false}) {
    EXPECT_EQ(test::confirmed_answer(history, plain, {.indeterminate_cuts = cuts}), Answer::holds);
  }
}

TEST(StrongCuts, ManySessionsWithManyCuts) {
  // More leaves than clocks have room for; each reader sees what its own session wrote long before.
  std::string text = "cuts off\n";
  for (int s = 0; s < 40; ++s) {
    const std::string key = "k" + std::to_string(s);
    text += "s" + std::to_string(s) + ": T" + std::to_string(100 * s + 1) + " w(" + key + ",1)";
    for (int i = 0; i < 10; ++i) text += " ; T" + std::to_string(100 * s + 2 + i) + "? w(x,7)";
    text += " ; T" + std::to_string(100 * s + 50) + " r(" + key + ",1) r(x,7)\n";
  }
  EXPECT_EQ(answer(text, LevelId::serializable), Answer::holds);
  EXPECT_EQ(answer(text, LevelId::snapshot_isolation), Answer::holds);
  EXPECT_EQ(
      answer(text + "t: T9000 w(p,1) ; T9001? w(p,2) ; T9002 r(p,nil)\n", LevelId::serializable),
      Answer::violated);
}

class StrongCutsRandom : public testing::TestWithParam<Level> {};

TEST_P(StrongCutsRandom, AgreeWithTheReference) {
  const Level level = GetParam();
  const reference::RandomFeatures few{
      .least_transactions = 4, .most_transactions = 6, .keys = 2, .operations = 2};
  const test::HardFeatures hard{.keys = 3, .sessions_percent = 100, .doubtful_percent = 40};
  Random random(900 + static_cast<std::uint64_t>(level.id));
  int differ = 0;
  int all = 0;
  for (int i = 0; all < 2'500 * test_scale(); ++i) {
    const History history =
        i % 2 == 0 ? reference::random_history(random, few) : test::hard_history(random, hard);
    if (!reference::is_within_limits(history)) continue;
    ++all;
    Answer answers[2] = {};
    for (const bool cuts : {false, true}) {
      const bool expected = reference::satisfies(history, level, {.indeterminate_cuts = cuts});
      const Verdict verdict =
          check(history, level, {.indeterminate_cuts = cuts, .certificate = true});
      ASSERT_EQ(verdict.answer, test::answer_of(expected))
          << text_of(level) << (cuts ? "" : ", no cuts") << ": " << verdict.reason << "\n"
          << test::described(history);
      ASSERT_TRUE(test::is_confirmed(history, verdict));
      answers[cuts ? 1 : 0] = verdict.answer;
    }
    // A reading of sessions that keeps more in order allows less.
    ASSERT_FALSE(answers[0] == Answer::holds && answers[1] == Answer::violated);
    differ += answers[0] != answers[1] ? 1 : 0;
  }
  EXPECT_GT(differ, all / 200) << all;
}

INSTANTIATE_TEST_SUITE_P(Check, StrongCutsRandom,
                         testing::Values(Level{LevelId::serializable},
                                         Level{LevelId::snapshot_isolation},
                                         Level{LevelId::strict_serializable},
                                         Level{LevelId::strong_snapshot_isolation}),
                         test::level_name);

}  // namespace
}  // namespace isoscope
