#include <gtest/gtest.h>

#include "cli/program.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {
namespace {

const std::string write_skew =
    "a: T1 r(x,nil) w(y,1) r(z,nil) | b: T2 r(y,nil) w(x,1) | c: T3 w(z,1)";

TEST(ShrinkProgram, WritesLitmusAndSaysHowMuchWasLeftOut) {
  const ProgramRun run = run_program("shrink - --level serializable", write_skew);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "a: T1 r(x,nil) w(y,1)  |  b: T2 r(y,nil) w(x,1)\n");
  EXPECT_TRUE(contains(run.err,
                       "-: serializable: from 3 transactions with 6 operations to 2 transactions "
                       "with 4 operations"))
      << run.err;
}

TEST(ShrinkProgram, SaysThatClocksRuledOutSources) {
  const std::string stale_read =
      "initial 0\n"
      "a: T1@0..5 w(x,0) | b: T2@10..15 w(x,0) | c: T3@20..25 w(x,1) | d: T4@30..35 r(x,0) | "
      "e: T5@40..45 w(x,0) | f: T6@50..55 w(x,0)";
  const ProgramRun run = run_program("shrink - --level strict-serializable", stale_read);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "initial 0\nc: T3@20..25 w(x,1)  |  d: T4@30..35 r(x,0)\n");
  EXPECT_TRUE(contains(run.err, "; without writers that real time rules out as sources"))
      << run.err;
  EXPECT_FALSE(contains(run_program("shrink - --level serializable", write_skew).err, "real time"));
  // With clocks that may differ by more than that, T1 and T2 may have come after T3.
  EXPECT_EQ(
      run_program("shrink - --level strict-serializable --clock-skew 100ns", stale_read).exit_code,
      2);
}

TEST(ShrinkProgram, WritesOtherFormatsAndFiles) {
  const TemporaryFolder folder;
  const std::string to = folder.path("small.jsonl");
  const ProgramRun run =
      run_program("shrink - --level serializable --to native --output " + to, write_skew);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run_program("check " + to + " --level serializable").exit_code, 10);
  EXPECT_EQ(run_program("check " + to + " --level snapshot-isolation").exit_code, 0);
}

TEST(ShrinkProgram, ExitCodes) {
  const ProgramRun holds = run_program("shrink - --level snapshot-isolation", write_skew);
  EXPECT_EQ(holds.exit_code, 2);
  EXPECT_EQ(holds.out, "");
  EXPECT_TRUE(contains(holds.err, "snapshot-isolation: holds, so there is nothing to shrink"));
  const ProgramRun unknown =
      run_program("shrink - --level serializable", "a: T1 w(x,1) ; T2 wp(true, ?)");
  EXPECT_EQ(unknown.exit_code, 20);
  EXPECT_TRUE(contains(unknown.err, "unknown, so there is nothing to shrink"));
  EXPECT_EQ(run_program("shrink - --level serializable", "a: T1 w(").exit_code, 3);
  EXPECT_EQ(run_program("shrink -", write_skew).exit_code, 2);
  EXPECT_EQ(run_program("shrink - --level serializable,causal", write_skew).exit_code, 2);
  EXPECT_EQ(run_program("shrink - --level serializable --to plane", write_skew).exit_code, 2);
}

/// Bugs of stores, in runs of thousands of transactions: a handful of these shows each.
TEST(ShrinkProgram, FindsTheBugOfAStore) {
  struct Bug {
    std::string options;
    std::string level;
    std::string name;
  };
  const Bug bugs[] = {
      {"--workload bank --store snapshot-isolation --bug lost-update --bug-share 5",
       "snapshot-isolation", "lost update"},
      {"--workload list-append --store snapshot-isolation", "serializable", "write skew"},
  };
  for (const Bug& bug : bugs) {
    const TemporaryFolder folder;
    const std::string whole = folder.path("whole.jsonl");
    ASSERT_EQ(run_program("generate --sessions 10 --transactions 300 " + bug.options +
                          " --output " + whole)
                  .exit_code,
              0);
    const ProgramRun run = run_program("shrink " + whole + " --level " + bug.level);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, run_program("shrink " + whole + " --level " + bug.level).out);
    const ProgramRun small = run_program("check - --level " + bug.level, run.out);
    EXPECT_EQ(small.exit_code, 10);
    EXPECT_TRUE(contains(small.out, "VIOLATED: " + bug.name)) << run.out << small.out;
    EXPECT_LE(run.out.size(), 500u);
  }
}

/// The example of docs/explanations.md, whose values repeat. Mostly three transactions show a lost
/// update of a value that was written once; where there is none it takes a few more, with all
/// transactions that may have written what was read.
TEST(ShrinkProgram, FindsTheLostUpdateOfABank) {
  const TemporaryFolder folder;
  const std::string whole = folder.path("bank.jsonl");
  const std::string small = folder.path("small.jsonl");
  int three = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    ASSERT_EQ(run_program("generate --workload bank --store snapshot-isolation --bug lost-update "
                          "--bug-share 5 --transactions 2000 --seed " +
                          std::to_string(seed) + " --output " + whole)
                  .exit_code,
              0);
    const ProgramRun run =
        run_program("shrink " + whole + " --level snapshot-isolation --to native -o " + small);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const ProgramRun verdict = run_program("check " + small + " --level snapshot-isolation");
    EXPECT_EQ(verdict.exit_code, 10) << seed;
    const History history = *read_history(*Source::open(small));
    EXPECT_LE(history.transaction_count(), 8u) << seed << run.err;
    if (history.transaction_count() > 3) continue;
    ++three;
    EXPECT_TRUE(contains(verdict.out, "VIOLATED: lost update")) << seed << verdict.out;
  }
  EXPECT_GE(three, 10);
}

}  // namespace
}  // namespace isoscope::cli
