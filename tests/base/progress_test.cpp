#include "isoscope/base/progress.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

TEST(ProgressBar, ShowsTheShareThatIsDone) {
  ProgressBar bar(false);
  bar.phase("reading", 200);
  EXPECT_EQ(bar.line(0), "reading  [..............................]  0%");
  EXPECT_EQ(bar.line(100), "reading  [###############...............]  50%");
  EXPECT_EQ(bar.line(200), "reading  [##############################]  100%");
}

TEST(ProgressBar, NeverShowsMoreThanAll) {
  ProgressBar bar(false);
  bar.phase("reading", 10);
  EXPECT_EQ(bar.line(25), bar.line(10));
}

TEST(ProgressBar, CountsWhereTheTotalIsNotKnown) {
  ProgressBar bar(false);
  bar.phase("searching", 0);
  EXPECT_EQ(bar.line(1234), "searching  1234");
}

TEST(ProgressBar, HugeCountsDoNotOverflow) {
  ProgressBar bar(false);
  bar.phase("reading", UINT64_MAX);
  EXPECT_EQ(bar.line(UINT64_MAX), "reading  [##############################]  100%");
  EXPECT_EQ(bar.line(UINT64_MAX / 2), "reading  [###############...............]  50%");
}

TEST(ProgressBar, IsSilentWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(false);
    bar.phase("reading", 10);
    for (std::uint64_t done = 0; done <= 10; ++done) bar.advance(done);
    bar.finish();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, TheDefaultTakesEverything) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Progress progress;
  progress.advance(5);  // no phase has begun
  progress.phase("reading", 10);
  progress.advance(5);
  progress.advance(20);  // more than was expected
  progress.finish();
  progress.finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace isoscope
