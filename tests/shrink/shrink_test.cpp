#include "isoscope/shrink/shrink.h"

#include <gtest/gtest.h>

#include "isoscope/base/byte_sink.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"

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

TEST(Shrink, KeepsLevels) {
  EXPECT_EQ(shrunk("a: T1@RC r(x,nil) w(y,1) r(z,3) | b: T2@SI r(y,nil) w(x,1) | c: T3 w(z,3)",
                   "serializable"),
            "a: T1@read-committed r(x,nil) w(y,1)  |  b: T2@snapshot-isolation r(y,nil) w(x,1)\n");
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
                                     Level{LevelId::serializable}, {.limits = limits});
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
             Level{LevelId::serializable}, {.limits = later, .progress = progress});
  EXPECT_EQ(stopped.verdict.answer, Answer::violated);
  EXPECT_FALSE(stopped.minimal);
  EXPECT_EQ(stopped.stopped, StopReason::requested);
  ASSERT_TRUE(stopped.history);
  EXPECT_EQ(check(*stopped.history, Level{LevelId::serializable}).answer, Answer::violated);
}

}  // namespace
}  // namespace isoscope
