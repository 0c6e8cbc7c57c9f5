// Valid reads and cut isolation, held against the first pass (isoscope::check decides both levels
// completely) and against another slow reading of the same definitions (check/).

#include <gtest/gtest.h>

#include "check/reference_valid_reads.h"
#include "check/small_history.h"
#include "isoscope/check/check.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope::reference {
namespace {

using enum LevelId;

struct Counts {
  int holds = 0;
  int violated = 0;
};

void compare(const History& history, Counts& counts) {
  const test::ReferenceReads other(history);
  for (const LevelId level : {valid_reads, cut_isolation}) {
    const bool slow = satisfies(history, {level});
    const Answer fast = check(history, Level{level}).answer;
    ASSERT_NE(fast, Answer::unknown) << text_of(history);
    const bool holds = fast == Answer::holds;
    ASSERT_EQ(holds, level == valid_reads ? other.valid_reads() : other.cut_isolation());
    ASSERT_EQ(holds, slow) << name_of(level) << "\n" << text_of(history);
    ++(slow ? counts.holds : counts.violated);
    // A bad read that the first pass sees refutes every level that forbids it.
    for (const LevelId above : {read_uncommitted, read_committed, monotonic_reads, serializable}) {
      if (check(history, Level{above}).answer == Answer::violated) {
        ASSERT_FALSE(satisfies(history, {above})) << name_of(above) << "\n" << text_of(history);
      }
    }
  }
}

void expect_agreement(const Counts& counts) {
  EXPECT_GT(counts.holds, 1000);
  EXPECT_GT(counts.violated, 1000);
}

TEST(ReferenceValidReads, AgreeWithTheFirstPassOnItsOwnRandomHistories) {
  Counts counts;
  Random random(31);
  for (int i = 0; i < 10'000 * test_scale(); ++i) {
    compare(test::random_small_history(random, {.lists = i % 2 == 0}).make(), counts);
    if (HasFatalFailure()) return;
  }
  expect_agreement(counts);
}

TEST(ReferenceValidReads, AgreeWithTheFirstPassOnRunsOfABadStore) {
  Counts counts;
  Random random(32);
  for (int i = 0; i < 10'000 * test_scale(); ++i) {
    compare(random_history(random, {.predicates = i % 2 == 0}), counts);
    if (HasFatalFailure()) return;
  }
  expect_agreement(counts);
}

}  // namespace
}  // namespace isoscope::reference
