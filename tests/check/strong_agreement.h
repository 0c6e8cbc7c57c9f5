#pragma once

#include <gtest/gtest.h>

#include "check/strong_case.h"
#include "isoscope/check/check_statistics.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"

namespace isoscope::test {

/// Checks histories until `count` of them were small enough for the reference checker. Each answer
/// must be the reference checker's, and its certificate must be confirmed. The level must hold for
/// some of the histories and not for others, or they would be too simple.
///
/// `make(i)` returns the i-th history, and `options(i)` how it is checked.
/// `look(holds, statistics)` is called after each check.
template <class Make, class Options, class Look>
void expect_agreement(Level level, int count, const Make& make, const Options& options,
                      const Look& look) {
  int all = 0;
  int hold = 0;
  for (int i = 0; all < count; ++i) {
    const History history = make(i);
    if (!reference::is_within_limits(history)) continue;
    CheckStatistics statistics;
    CheckOptions its_options = options(i);
    its_options.certificate = true;
    its_options.statistics = &statistics;
    const std::int64_t skew = its_options.clock_skew;
    const bool holds = reference::satisfies(history, level, {.clock_skew = skew});
    const Verdict verdict = check(history, level, its_options);
    ASSERT_EQ(verdict.answer, answer_of(holds))
        << isoscope::text_of(level) << ", skew " << skew << ": " << verdict.reason << "\n"
        << described(history);
    ASSERT_TRUE(is_confirmed(history, verdict, skew));
    ++all;
    hold += holds ? 1 : 0;
    look(holds, statistics);
  }
  EXPECT_GE(100 * hold / all, 20);
  EXPECT_LE(100 * hold / all, 80);
}

}  // namespace isoscope::test
