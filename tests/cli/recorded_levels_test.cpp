// --level recorded: what is said on the command line, and what comes out. Whether the answers are
// right is tests/check/mixed_levels_test.cpp.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

const std::string allowed =
    "a: T1@read-committed w(x,1) w(y,1) | b: T2@read-committed r(y,nil) r(x,1)\n";
const std::string broken =
    "a: T1@read-committed w(x,1) w(y,1) | b: T2@serializable r(x,1) r(y,nil)\n";
const std::string partly = "a: T1@read-committed w(x,1) | b: T2 r(x,1)\n";

TEST(Recorded, IsALevelOfItsOwn) {
  EXPECT_EQ(run_program("check - --level recorded", allowed).exit_code, 0);
  const ProgramRun run = run_program("check - --level recorded,causal", broken);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "recorded: VIOLATED")) << run.out;
  EXPECT_TRUE(contains(run.out, "T2 at serializable, which sees all that committed before it"))
      << run.out;
  const ProgramRun open = run_program("check - --level recorded", partly);
  EXPECT_EQ(open.exit_code, 20);
  EXPECT_TRUE(contains(open.out, "T2 does not say at which level it ran")) << open.out;
  const ProgramRun json = run_program("check - --level recorded --format json", broken);
  EXPECT_TRUE(contains(json.out, "\"level\":\"recorded\"")) << json.out;
}

TEST(Recorded, IsThePromiseIfNothingElseIs) {
  EXPECT_EQ(run_program("check -", allowed).exit_code, 0);
  const ProgramRun run = run_program("check -", broken);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "  recorded  VIOLATED")) << run.out;
  EXPECT_EQ(run_program("check - --expect valid-reads", broken).exit_code, 0);
  EXPECT_EQ(run_program("check - --expect recorded", broken).exit_code, 10);
  EXPECT_EQ(run_program("check -", partly).exit_code, 20);
  const ProgramRun json = run_program("check - --format json", allowed);
  EXPECT_TRUE(contains(json.out, "\"recorded\":{\"level\":\"recorded\"")) << json.out;
  // A bad read that the recorded level allows is none.
  EXPECT_EQ(run_program("check -", "a: T1@RC r(x,nil) r(x,1) | b: T2@RC w(x,1)\n").exit_code, 0);
}

TEST(Recorded, IsCountedConvertedAndShrunk) {
  EXPECT_TRUE(contains(run_program("stats -", broken).out, "1 read-committed, 1 serializable"));
  EXPECT_TRUE(contains(run_program("convert - --to litmus", broken).out, "T2@serializable"));
  EXPECT_TRUE(
      contains(run_program("convert - --to native", broken).out, "\"levels\":\"read-committed\""));
  const ProgramRun run =
      run_program("shrink - --level recorded --to litmus", "c: T3@causal w(z,1)\n" + broken);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "a: T1@read-committed w(x,1) w(y,1)  |  b: T2@serializable r(x,1) r(y,nil)\n");
}

}  // namespace
}  // namespace isoscope::cli
