#include "isoscope/check/shrink.h"

#include <gtest/gtest.h>

#include <iostream>

#include "check/history_part.h"
#include "check/strong_random.h"
#include "isoscope/base/byte_sink.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope {
namespace {

History parsed(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  Result<History> history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus;
  return history ? *std::move(history) : History();
}

std::string printed(const History& history) {
  StringSink sink;
  EXPECT_TRUE(write_history(history, Format::litmus, sink));
  return sink.text();
}

std::string shrunk(const std::string& litmus, const std::string& level) {
  const ShrinkResult result = shrink(parsed(litmus), *find_level(level));
  EXPECT_EQ(result.verdict.answer, Answer::violated);
  EXPECT_TRUE(result.minimal);
  return result.history ? printed(*result.history) : "";
}

TEST(Shrink, LeavesOutWhatIsNotNeeded) {
  EXPECT_EQ(
      shrunk("a: T1 r(x,nil) w(y,1) r(z,3) | b: T2 r(y,nil) w(x,1) | c: T3 w(z,3)", "serializable"),
      "a: T1 r(x,nil) w(y,1)  |  b: T2 r(y,nil) w(x,1)\n");
}

TEST(Shrink, KeepsNamesTimesAndInitialValues) {
  EXPECT_EQ(shrunk("origin \"somewhere\"\ninitial 0 x=5 y=6\n"
                   "a: first@10..20 w(x,1) w(y,2) | b: other@0..100 w(z,1) | "
                   "\"c d\": second@30..40 r(x,5)",
                   "strict-serializable"),
            "origin \"somewhere\"\ninitial 0 x=5\n"
            "a: first@10..20 w(x,1)  |  \"c d\": second@30..40 r(x,5)\n");
}

TEST(Shrink, LeavesElementsOutOfLists) {
  EXPECT_EQ(shrunk("a: T1 a(x,1) ; T2 a(x,2) ; T3 a(x,3) | b: T4 r(x,[1 2 3]) | c: T5 r(x,[2 1])",
                   "serializable"),
            "a: T1 a(x,1) ; T2 a(x,2)  |  c: T5 r(x,[2 1])\n");
}

TEST(Shrink, DoesNotMakeAReadOfNothingOutOfACycle) {
  const std::string text =
      shrunk("a: T1 w(x,1) ; T2 w(x,2) | b: T3 r(x,2) ; T4 r(x,1) ; T5 r(x,2)", "serializable");
  EXPECT_EQ(text, "a: T1 w(x,1) ; T2 w(x,2)  |  b: T3 r(x,2) ; T4 r(x,1)\n");
}

TEST(Shrink, ABadReadStaysOfItsKind) {
  EXPECT_EQ(shrunk("a: T1! w(x,1) w(y,1) | b: T2 r(y,nil) r(x,1) | c: T3 w(y,2)", "read-committed"),
            "a: T1! w(x,1)  |  b: T2 r(x,1)\n");
  EXPECT_EQ(shrunk("a: T1 w(x,1) w(x,2) | b: T2 r(x,1) r(z,nil)", "serializable"),
            "a: T1 w(x,1) w(x,2)  |  b: T2 r(x,1)\n");
}

TEST(Shrink, SaysWhenThereIsNothingToShrink) {
  const ShrinkResult result = shrink(parsed("a: T1 w(x,1)"), Level{LevelId::serializable});
  EXPECT_EQ(result.verdict.answer, Answer::holds);
  EXPECT_FALSE(result.history);
}

TEST(Shrink, AtALimitTheBestSoFarIsKept) {
  Limits limits;
  limits.request_stop();
  const ShrinkResult result = shrink(parsed("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)"),
                                     Level{LevelId::serializable}, {.limits = &limits});
  EXPECT_EQ(result.verdict.answer, Answer::unknown);
  EXPECT_EQ(result.stopped, StopReason::requested);

  // A stop that is asked for while shrinking.
  class StopAfter : public Progress {
   public:
    explicit StopAfter(Limits& limits) : limits_(limits) {}
    void advance(std::uint64_t done) override {
      if (shrinking_ && done >= 3) limits_.request_stop();
    }
    void phase(std::string_view name, std::uint64_t) override { shrinking_ = name == "shrinking"; }

   private:
    Limits& limits_;
    bool shrinking_ = false;
  };
  Limits later;
  StopAfter progress(later);
  const ShrinkResult stopped =
      shrink(parsed("a: T1 r(x,nil) w(y,1) r(u,nil) ; T3 w(q,1) | b: T2 r(y,nil) w(x,1)"),
             Level{LevelId::serializable}, {.limits = &later, .progress = &progress});
  EXPECT_EQ(stopped.verdict.answer, Answer::violated);
  EXPECT_FALSE(stopped.minimal);
  EXPECT_EQ(stopped.stopped, StopReason::requested);
  ASSERT_TRUE(stopped.history);
  EXPECT_EQ(check(*stopped.history, Level{LevelId::serializable}).answer, Answer::violated);
}

bool blames_reads(const Verdict& verdict) { return !verdict.evidence.empty(); }

/// Does the part violate the level in the way that the shrunk history does?
bool still_violated(const History& history, const PartOfHistory& part, Level level,
                    const Verdict& verdict, const ReadFindings& kinds) {
  const Verdict smaller = check(part_of(history, part), level);
  if (smaller.answer != Answer::violated) return false;
  if (blames_reads(smaller) != blames_reads(verdict)) return false;
  for (const BadRead& bad : smaller.evidence) {
    if (!kinds.has(bad.kind)) return false;
  }
  return true;
}

void expect_minimal(const History& history, Level level) {
  const ShrinkResult result = shrink(history, level);
  ASSERT_EQ(result.verdict.answer, Answer::violated);
  ASSERT_TRUE(result.minimal && result.history && result.smallest);
  const History& small = *result.history;
  ASSERT_EQ(check(small, level).answer, Answer::violated) << printed(small);
  ASSERT_EQ(blames_reads(*result.smallest), blames_reads(result.verdict)) << printed(small);
  if (small.transaction_count() <= 5) {
    ASSERT_FALSE(reference::satisfies(small, level)) << printed(small);
  }
  ReadFindings kinds;
  for (const BadRead& bad : result.verdict.evidence) kinds.add(bad.kind);
  for (const TransactionId t : small.transactions()) {
    PartOfHistory without(small, true);
    without.keep(t, false);
    ASSERT_FALSE(still_violated(small, without, level, result.verdict, kinds))
        << printed(history) << printed(small) << "without " << small.label(t);
    for (std::size_t i = 0; i < small.operations(t).size(); ++i) {
      PartOfHistory less(small, true);
      less.keep(t, i, false);
      ASSERT_FALSE(still_violated(small, less, level, result.verdict, kinds))
          << printed(history) << printed(small) << "without " << small.label(t) << "'s " << i + 1;
    }
  }
  ASSERT_EQ(printed(small), printed(*shrink(history, level).history));
}

class ShrinkRandom : public testing::TestWithParam<Level> {};

TEST_P(ShrinkRandom, NothingCanBeSpared) {
  const Level level = GetParam();
  Random random(900 + static_cast<std::uint64_t>(level.id));
  const reference::RandomFeatures features{.most_transactions = 5, .predicates = false};
  int tried = 0;
  int cycles = 0;
  while (tried < 300 * test_scale()) {
    const History history = tried % 2 == 0 ? reference::random_history(random, features)
                                           : test::hard_history(random, {.doubtful_percent = 10});
    const Verdict verdict = check(history, level);
    if (verdict.answer != Answer::violated) continue;
    ++tried;
    cycles += verdict.evidence.empty() ? 1 : 0;
    expect_minimal(history, level);
    if (HasFatalFailure()) return;
  }
  std::cout << cycles << " of " << tried << " without a bad read\n";
}

INSTANTIATE_TEST_SUITE_P(Levels, ShrinkRandom,
                         testing::Values(Level{LevelId::serializable},
                                         Level{LevelId::snapshot_isolation},
                                         Level{LevelId::strict_serializable},
                                         Level{LevelId::strong_snapshot_isolation, false},
                                         Level{LevelId::cut_isolation}));

}  // namespace
}  // namespace isoscope
