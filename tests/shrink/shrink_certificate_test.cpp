// What shrinking leaves is confirmed by the verifier, which shares nothing with the checker.

#include <gtest/gtest.h>

#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "isoscope/shrink/shrink.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// Larger ones than the reference checker can do.
History some_history(Random& random, int i) {
  switch (i % 4) {
    case 0:
      return test::row_history(random, {});
    case 1:
      return test::row_history(random, {.least_transactions = 4,
                                        .predicate_percent = 90,
                                        .read_percent = 60,
                                        .changed_percent = 12,
                                        .distinct = 2});
    case 2:
      return test::row_history(
          random, {.predicate_percent = 60, .changed_percent = 10, .doubtful_percent = 40});
    default:
      return test::hard_history(random, {.doubtful_percent = 10, .lists = i % 8 == 3});
  }
}

TEST(ShrinkCertificate, IsConfirmed) {
  Random random(34);
  const std::vector<Level> levels = test::strong_levels();
  int shrunk = 0;
  for (int i = 0; i < 1000 * test_scale(); ++i) {
    const History history = some_history(random, i);
    const Level level = levels[random.below(levels.size())];
    const ShrinkResult result = shrink(history, level);
    if (result.verdict.answer != Answer::violated) continue;
    ASSERT_TRUE(result.history && result.minimal) << test::described(history);
    ASSERT_LE(result.history->transaction_count(), history.transaction_count());
    ASSERT_EQ(test::confirmed_answer(*result.history, level), Answer::violated)
        << text_of(level) << "\n"
        << test::described(history) << test::described(*result.history);
    ++shrunk;
  }
  EXPECT_GE(shrunk, 200);
}

}  // namespace
}  // namespace isoscope
