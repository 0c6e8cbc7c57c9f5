// Parts whose reads have lost the sources that real time rules out, judged by the reference
// checker, which is slow and knows nothing of parts.

#include <gtest/gtest.h>

#include "isoscope/shrink/shrink.h"
#include "reference/scenario.h"
#include "shrink/random_units.h"
#include "shrink/small_history.h"
#include "shrink/time_only.h"
#include "test_scale.h"

namespace isoscope::shrinking {
namespace {

/// Few keys and values, so that reads have many sources; and clocks.
History timed_history(Random& random, int i) {
  if (i % 3 == 0) {
    return test::hard_history(random, {.least_transactions = 4,
                                       .most_transactions = 6,
                                       .keys = 1 + i / 3 % 2,
                                       .values = 2,
                                       .operations = 3,
                                       .read_percent = 50,
                                       .changed_percent = 30,
                                       .doubtful_percent = i % 2 == 0 ? 20 : 0,
                                       .jitter = i % 4 == 0 ? 30 : 8});
  }
  return reference::random_history(random, {.least_transactions = 4,
                                            .most_transactions = 5,
                                            .keys = 1 + i % 2,
                                            .operations = 3,
                                            .lists = i % 5 == 0,
                                            .predicates = i % 7 == 0});
}

TEST(TimedPart, SaysOnlyWhatTimeMakesTrue) {
  const Level of_time[] = {{LevelId::strong_snapshot_isolation, true},
                           {LevelId::strong_snapshot_isolation, false},
                           {LevelId::strict_serializable, true},
                           {LevelId::strict_serializable, false}};
  Random random(815);
  int without_sources = 0;
  int violated = 0;
  int kept = 0;
  for (int i = 0; without_sources < 2500 * test_scale(); ++i) {
    const History history = timed_history(random, i);
    if (!reference::is_within_limits(history)) continue;
    const reference::Options rule{.clock_skew = i % 4 == 1 ? 5 : 0,
                                  .indeterminate_cuts = test::some_cuts(i / 4)};
    const PartMaker plain(history);
    const SourceTimes times(history, plain.needs().index(), rule.clock_skew);
    const PartMaker timed(plain, times);
    const TimeOnly time_only(plain, times);
    const Part whole = whole_part(history);
    const Part part = timed.sound(without(whole, test::random_units(random, whole)));
    if (time_only.is_plain(part)) continue;
    ++without_sources;
    const PartHistory made = timed.make(part);
    const std::string shown = std::to_string(i) + ":\n" + reference::text_of(history) + "part:\n" +
                              reference::text_of(made.history);
    bool violates = false;
    for (const Level level : of_time) {
      if (reference::satisfies(made.history, level, rule)) continue;
      violates = true;
      ASSERT_FALSE(reference::satisfies(history, level, rule)) << text_of(level) << "\n" << shown;
    }
    violated += violates ? 1 : 0;
    const CheckOptions options{.clock_skew = rule.clock_skew,
                               .indeterminate_cuts = rule.indeterminate_cuts};
    if (!time_only.holds(part, made.history, options)) continue;
    kept += violates ? 1 : 0;
    const auto level = test::invented(made.history, history, rule);
    ASSERT_FALSE(level) << text_of(*level) << "\n" << shown;
  }
  EXPECT_GE(violated, 100 * test_scale());
  EXPECT_GE(kept, 20 * test_scale());
}

/// Without the question whether time is all that a part speaks of, bugs are invented.
TEST(TimedPart, WithoutItsSourcesAReadMayViolateLevelsWithoutTime) {
  Random random(816);
  int wrong = 0;
  for (int i = 0; i < 9000; ++i) {
    const History history = timed_history(random, i);
    if (!reference::is_within_limits(history)) continue;
    const PartMaker plain(history);
    const SourceTimes times(history, plain.needs().index(), 0);
    const PartMaker timed(plain, times);
    const Part whole = whole_part(history);
    const Part part = timed.sound(without(whole, test::random_units(random, whole)));
    if (TimeOnly(plain, times).is_plain(part)) continue;
    wrong += test::invented(timed.make(part).history, history) ? 1 : 0;
  }
  EXPECT_GE(wrong, 5);
}

/// TimeOnly asks two levels for all but those of SourceTimes.
TEST(TimedPart, TwoLevelsImplyAllOthers) {
  for (const Level level : test::all_levels()) {
    const bool implied = implies(Level{LevelId::serializable}, level) ||
                         implies(Level{LevelId::strong_read_committed}, level);
    EXPECT_NE(implied, sees_all_before(level)) << text_of(level);
  }
}

/// One transaction after the other, most of which write one value: a read of it has many sources.
History many_sources(Random& random) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  const int count = 6 + static_cast<int>(random.below(3));
  for (int i = 0; i < count; ++i) {
    const auto any = [&](std::uint64_t below) {
      return static_cast<std::int64_t>(random.below(below));
    };
    builder.begin_transaction(builder.add_session());
    builder.set_outcome(random.chance(5) ? Outcome::indeterminate : Outcome::committed);
    const std::int64_t begin = 10 * i + any(8);
    builder.set_times(begin, begin + 1 + any(10));
    for (const char* name : {"x", "y"}) {
      if (random.chance(name[0] == 'x' ? 15 : 85)) continue;
      const bool reads = random.chance(25);
      builder.add(reads ? OperationKind::read : OperationKind::write, builder.key(name),
                  builder.values().integer(!reads && random.chance(35) ? 1 : 0));
    }
  }
  return std::move(builder).finish();
}

TEST(TimedPart, ShrinkUsesIt) {
  Random random(817);
  int leaning = 0;
  for (int i = 0; i < 4000 * test_scale(); ++i) {
    const History history = many_sources(random);
    if (!reference::is_within_limits(history)) continue;
    const Level level = i % 2 == 0 ? Level{LevelId::strict_serializable}
                                   : Level{LevelId::strong_snapshot_isolation, i % 4 == 1};
    const reference::Options rule{.clock_skew = i % 4 == 3 ? 3 : 0};
    const ShrinkResult result = shrink(history, level, {.clock_skew = rule.clock_skew});
    if (!result.leans_on_time) continue;
    ++leaning;
    ASSERT_TRUE(result.minimal);
    const std::string shown =
        reference::text_of(history) + "part:\n" + reference::text_of(*result.history);
    ASSERT_FALSE(reference::satisfies(*result.history, level, rule)) << shown;
    const auto invented = test::invented(*result.history, history, rule);
    ASSERT_FALSE(invented) << text_of(*invented) << "\n" << shown;
  }
  EXPECT_GE(leaning, 100 * test_scale());
}

}  // namespace
}  // namespace isoscope::shrinking
