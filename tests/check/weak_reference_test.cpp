// The checkers of weak levels against the reference checker on random histories, with session order
// and without. Where each value was written once, they must decide. Where values repeat, they may
// say `unknown`, but not too often.

#include <gtest/gtest.h>

#include "check/strong_case.h"
#include "check/unique_values.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using enum LevelId;

constexpr LevelId weak_levels[] = {read_uncommitted,
                                   strong_read_uncommitted,
                                   read_your_writes,
                                   monotonic_reads,
                                   monotonic_writes_per_key,
                                   writes_follow_reads_per_key,
                                   monotonic_writes,
                                   writes_follow_reads,
                                   pram,
                                   adya_read_committed,
                                   session_causal,
                                   monotonic_atomic_view,
                                   read_committed,
                                   read_atomic,
                                   causal,
                                   strong_adya_read_committed,
                                   strong_read_committed};

class WeakReference : public testing::TestWithParam<Level> {};

struct Count {
  int holds = 0;
  int violated = 0;
  int unknown = 0;
};

/// Adds the verdict to the count, and compares it with the reference.
void compare(const History& history, Level level, Count& count) {
  const Verdict verdict = check(history, level);
  if (verdict.answer == Answer::unknown) {
    ++count.unknown;
    return;
  }
  const bool holds = verdict.answer == Answer::holds;
  ++(holds ? count.holds : count.violated);
  EXPECT_EQ(holds, reference::satisfies(history, level)) << text_of(level) << "\n"
                                                         << verdict.reason << "\n"
                                                         << test::described(history);
}

TEST_P(WeakReference, DecidesHistoriesWithUniqueValues) {
  Random random(static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  for (int i = 0; i < 4'000 * test_scale() && !HasFailure(); ++i) {
    test::UniqueValues history(random);
    history.cuts_always = GetParam().id == session_causal;
    const bool dirty =
        GetParam().id == read_uncommitted || GetParam().id == strong_read_uncommitted;
    history.has_lists = !dirty;
    compare(std::move(history).make(), GetParam(), count);
  }
  EXPECT_EQ(count.unknown, 0);
  EXPECT_GT(count.holds, 100);
  EXPECT_GT(count.violated, 100);
}

TEST_P(WeakReference, NeverWrongWhereValuesRepeat) {
  Random random(1'000 + static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  const int histories = 4'000 * test_scale();
  for (int i = 0; i < histories && !HasFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 5,
                                             .keys = 2 + i % 2,
                                             .lists = i % 3 == 1,
                                             .predicates = i % 5 == 4,
                                             .odd = i % 7 == 6};
    compare(reference::random_history(random, features), GetParam(), count);
  }
  EXPECT_GT(count.holds, 100);
  EXPECT_LT(count.unknown, histories / 2);
}

std::vector<Level> all_weak_levels() {
  std::vector<Level> levels;
  for (const LevelId id : weak_levels) {
    levels.push_back({id, true});
    if (!is_vacuous({id, false})) levels.push_back({id, false});
  }
  return levels;
}

INSTANTIATE_TEST_SUITE_P(Levels, WeakReference, testing::ValuesIn(all_weak_levels()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
