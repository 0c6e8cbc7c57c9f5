#include "isoscope/base/limits.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace isoscope {
namespace {

using namespace std::chrono_literals;

TEST(Limits, WithoutAnyNothingIsReached) {
  const Limits limits;
  for (int i = 0; i < 200'000; ++i) ASSERT_FALSE(limits.reached());
}

TEST(Limits, NoTimeAtAllIsReachedAtTheFirstQuestion) {
  Limits limits;
  limits.set_time(0ns);
  EXPECT_EQ(limits.reached(), StopReason::time);
}

TEST(Limits, ADeadlineFarAwayIsNotReached) {
  Limits limits;
  limits.set_time(24h);
  for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(limits.reached());
}

TEST(Limits, ADeadlineThatPassesIsNoticed) {
  Limits limits;
  limits.set_time(1ms);
  std::optional<StopReason> reached;
  // Ends with the clock, not with a count.
  while (!(reached = limits.reached())) {
  }
  EXPECT_EQ(reached, StopReason::time);
}

TEST(Limits, ManyStepsAreLookedAtAtOnce) {
  Limits limits;
  ASSERT_FALSE(limits.reached());  // the first of a period
  limits.set_time(0ns);
  EXPECT_FALSE(limits.reached());
  EXPECT_FALSE(limits.reached(1000));
  EXPECT_EQ(limits.reached(1000), StopReason::time);
}

TEST(Limits, MemoryBelowWhatTheProcessHasIsReached) {
  Limits limits;
  limits.set_memory(1);
  EXPECT_EQ(limits.reached(), StopReason::memory);
}

TEST(Limits, MemoryAboveIsNot) {
  Limits limits;
  limits.set_memory(std::size_t{1} << 60);
  for (int i = 0; i < 200'000; ++i) ASSERT_FALSE(limits.reached());
}

TEST(Limits, ARequestedStopIsSeenByEveryThread) {
  Limits limits;
  std::vector<std::thread> threads;
  std::atomic<int> stopped = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!limits.reached()) {
      }
      if (limits.reached() == StopReason::requested) ++stopped;
    });
  }
  limits.request_stop();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stopped, 4);
}

TEST(Limits, TheFirstReasonStays) {
  Limits limits;
  limits.set_time(0ns);
  ASSERT_EQ(limits.reached(), StopReason::time);
  limits.request_stop();
  EXPECT_EQ(limits.reached(), StopReason::time);
}

/// All callers without limits share one object.
TEST(Limits, NoneStopNobodyWhateverHappenedToAnother) {
  const Limits& none = Limits::none();
  EXPECT_EQ(&none, &Limits::none());
  none.memory_was_refused();
  EXPECT_FALSE(none.reached());
  EXPECT_FALSE(none.reached(1'000'000));
  EXPECT_FALSE(none.reached_now());
  EXPECT_FALSE(none.memory_left());
}

TEST(Limits, AnErrorOfAStoppedReaderHasItsKind) {
  EXPECT_EQ(stopped_while_reading(StopReason::memory).kind, ErrorKind::stopped);
  EXPECT_EQ(stopped_while_reading(StopReason::memory).text(),
            "stopped while reading: memory limit");
  EXPECT_EQ(Error{"expected a number"}.kind, ErrorKind::input);
}

TEST(Limits, ReasonsHaveNames) {
  EXPECT_EQ(name_of(StopReason::time), "time limit");
  EXPECT_EQ(name_of(StopReason::memory), "memory limit");
  EXPECT_EQ(name_of(StopReason::requested), "interrupted");
}

TEST(Memory, ThePeakIsAtLeastWhatIsThereNow) {
  const std::size_t now = resident_memory();
  EXPECT_GT(now, 0U);
  std::vector<char> block(std::size_t{32} << 20, 'x');
  EXPECT_EQ(block[block.size() / 2], 'x');
  EXPECT_GE(peak_resident_memory(), block.size());
}

}  // namespace
}  // namespace isoscope
