// Refutations of beginnings against the reference checker: they are looked for before the solver
// gets a turn, in all histories. Whatever they refute must be refuted, with a certificate; what
// they do not is left to the solver.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "check/hot_history.h"
#include "check/strong_agreement.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "isoscope/history/history_builder.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr StrongTechniques techniques(bool saturation) {
  return {.saturation = saturation, .beginnings = StrongTechniques::When::first};
}

/// Reads and writes at random: nobody has to look far for a contradiction.
struct RandomRuns {
  std::size_t sessions = 4;
  std::size_t transactions = 3;  ///< of each session
  std::size_t keys = 3;
  std::size_t values = 2;
  unsigned indeterminate_percent = 0;
};

History random_runs(Random& random, const RandomRuns& plan) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  for (std::size_t s = 0; s < plan.sessions; ++s) {
    const SessionId session = builder.add_session();
    for (std::size_t t = 0; t < plan.transactions; ++t) {
      builder.begin_transaction(session);
      if (random.chance(plan.indeterminate_percent)) builder.set_outcome(Outcome::indeterminate);
      for (std::size_t key = random.below(2); key < plan.keys; key += 1 + random.below(3)) {
        const KeyId id = builder.key("k" + std::to_string(key));
        const auto value = static_cast<std::int64_t>(random.below(plan.values));
        if (random.chance(60)) {
          builder.read(id, builder.values().integer(value));
        } else {
          builder.write(id, builder.values().integer(value));
        }
      }
    }
  }
  return std::move(builder).finish();
}

History one_of_many(Random& random, int i) {
  switch (i % 6) {
    case 0:
      return reference::random_history(random,
                                       {.most_transactions = 6, .keys = 2, .operations = 3});
    case 1:
      return test::hard_history(random, {.least_transactions = 8, .sessions_percent = 100});
    case 2:
      return test::hard_history(random, {.keys = 3,
                                         .changed_percent = 20,
                                         .sessions_percent = 100,
                                         .doubtful_percent = 30,
                                         .lists = random.chance(50)});
    case 3:
      return test::hot_history({.transactions = 5 + random.below(4),
                                .sessions = 2 + random.below(3),
                                .keys = 1 + random.below(3),
                                .operations = 3,
                                .snapshots = random.chance(50),
                                .changed_reads = random.below(3),
                                .indeterminate_percent = random.chance(50) ? 20u : 0u,
                                .lists = random.chance(30),
                                .seed = random.below(1u << 30)});
    default:
      return random_runs(random, {.sessions = 2 + random.below(2),
                                  .transactions = 2 + random.below(2),
                                  .keys = 1 + random.below(3),
                                  .indeterminate_percent = random.chance(30) ? 20u : 0u});
  }
}

class StrongBeginnings : public testing::TestWithParam<Level> {};

TEST_P(StrongBeginnings, AgreeWithTheReference) {
  const Level level = GetParam();
  Random random(500 + static_cast<std::uint64_t>(level.id));
  int refuted = 0;
  test::expect_agreement(
      level, 3000 * test_scale(), [&](int i) { return one_of_many(random, i); },
      [](int i) { return CheckOptions{.strong = techniques(i % 4 == 0)}; },
      [&](bool holds, const CheckStatistics& statistics) {
        // Without saturation and without a round of the solver it was a beginning.
        const bool looked = std::ranges::any_of(
            statistics.phases, [](const auto& phase) { return phase.name == "beginnings"; });
        refuted += !holds && looked && statistics.rounds == 0 ? 1 : 0;
      });
  EXPECT_GE(refuted, 100 * test_scale());
}

INSTANTIATE_TEST_SUITE_P(Check, StrongBeginnings,
                         testing::Values(Level{LevelId::serializable, true},
                                         Level{LevelId::snapshot_isolation, true}),
                         test::level_name);

/// However much comes after it, a beginning that cannot be is found: all that comes later has
/// thousands of candidates for each of its reads.
TEST(StrongBeginningsOfLongSessions, AreRefutedAlone) {
  for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
    Random random(7);
    const History history =
        random_runs(random, {.sessions = 6, .transactions = 500, .keys = 6, .values = 3});
    for (const bool saturation : {true, false}) {
      CheckStatistics statistics;
      EXPECT_EQ(
          test::confirmed_answer(history, {id, true},
                                 {.strong = techniques(saturation), .statistics = &statistics}),
          Answer::violated);
      EXPECT_EQ(statistics.rounds, 0u);
    }
  }
}

/// They take turns with the solver, which alone would not find the contradiction.
TEST(StrongBeginningsOfLongSessions, TakeTurns) {
  Random random(7);
  const History history =
      random_runs(random, {.sessions = 6, .transactions = 500, .keys = 6, .values = 3});
  EXPECT_EQ(test::confirmed_answer(history, {LevelId::serializable, true},
                                   {.threads = 1, .strong = {.first_turn = 500}}),
            Answer::violated);
}

}  // namespace
}  // namespace isoscope
