#include "isoscope/synth/examples.h"
#include "synth/examples.h"

// What a program gets that asks for histories: the same that `isoscope synth` prints.

namespace isoscope::synth {
namespace {

Result<Examples> found_for(const Question& question, const Scope& scope, Wanted wanted,
                           const Limits& limits = {}) {
  Progress progress;
  return find_examples(question, scope, {}, wanted, limits, progress);
}

TEST(FindExamples, AreConfirmedAndExplained) {
  const spec::Definition si = level("SI"), ser = level("SER");
  const Question question{.allow = {&si}, .forbid = {&ser}};
  const auto found = found_for(question, {}, Wanted::one);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_FALSE(found->stopped);
  EXPECT_GT(found->effort.candidates, 0u);
  ASSERT_EQ(found->examples.size(), 1u);
  const Example& example = found->examples[0];
  ASSERT_EQ(example.executions.size(), 1u);
  EXPECT_TRUE(spec::judge(si, example.history, example.executions[0]).allowed);
  EXPECT_FALSE(spec::find_execution(ser, example.history));
  ASSERT_EQ(example.reasons.size(), 1u);
  EXPECT_FALSE(example.reasons[0].empty());
}

TEST(FindExamples, AllAreCompleteAndSoIsNone) {
  const spec::Definition si = level("SI"), ser = level("SER");
  const auto all = found_for({.allow = {&si}, .forbid = {&ser}}, {}, Wanted::all);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_TRUE(all->is_complete);
  EXPECT_FALSE(all->examples.empty());
  const auto none =
      found_for({.allow = {&ser}, .forbid = {&si}}, {.transactions = 2, .keys = 2}, Wanted::one);
  ASSERT_TRUE(none) << none.error().text();
  EXPECT_TRUE(none->is_complete);
  EXPECT_TRUE(none->examples.empty());
}

TEST(FindExamples, ALimitIsNoAnswer) {
  const spec::Definition si = level("SI"), ser = level("SER");
  Limits limits;
  limits.request_stop();
  const auto found = found_for({.allow = {&si}, .forbid = {&ser}}, {}, Wanted::one, limits);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_FALSE(found->is_complete);
  EXPECT_EQ(found->stopped, StopReason::requested);
  EXPECT_TRUE(found->examples.empty());
}

}  // namespace
}  // namespace isoscope::synth
