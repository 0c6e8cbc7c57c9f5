// What an answer leaves out is said, and --strict takes such an answer as unknown.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

const std::string untimed = "a: T1 w(x,1)  |  b: T2 r(x,1)\n";
const std::string half_timed = "a: T1@1..2 w(x,1)  |  b: T2 r(x,1)\n";
const std::string timed = "a: T1@1..2 w(x,1)  |  b: T2@3..4 r(x,1)\n";
const std::string nothing_committed = "a: T1! w(x,1)  |  b: T2? r(x,nil)\n";
const std::string aborted_read = "a: T1! w(x,1)  |  b: T2 r(x,1)\n";

ProgramRun check(const std::string& options, const std::string& history) {
  return run_program("check - " + options, history);
}

/// The answer stays what it is, and says what it leaves out; strictly it is none.
void expect_gap(const std::string& options, const std::string& history, const std::string& kind,
                const std::string& words) {
  const ProgramRun plain = check(options, history);
  EXPECT_EQ(plain.exit_code, 0) << options << plain.err;
  EXPECT_TRUE(contains(plain.out, "holds (")) << plain.out;
  EXPECT_TRUE(contains(plain.out, "\n  Remark: ")) << plain.out;
  EXPECT_TRUE(contains(plain.out, words)) << plain.out;
  const ProgramRun strict = check(options + " --strict", history);
  EXPECT_EQ(strict.exit_code, 20) << options;
  EXPECT_TRUE(contains(strict.out, "unknown (")) << strict.out;
  EXPECT_TRUE(contains(strict.out, words)) << strict.out;
  const ProgramRun json = check(options + " --format json --strict", history);
  EXPECT_EQ(json.exit_code, 20) << options;
  EXPECT_TRUE(contains(json.out, "\"answer\":\"unknown\"")) << json.out;
  EXPECT_TRUE(contains(json.out, "{\"kind\":\"" + kind + "\",\"gap\":true,")) << json.out;
}

TEST(Strict, TimesThatNobodyRecorded) {
  for (const std::string level : {"strict-serializable", "strong-snapshot-isolation",
                                  "serializable --time trust", "snapshot-isolation --time trust"}) {
    expect_gap("--level " + level, untimed, "no-times", "No committed transaction has times");
    expect_gap("--level " + level, half_timed, "times-missing", "1 of 2 committed transactions");
    EXPECT_EQ(check("--strict --level " + level, timed).exit_code, 0);
  }
  EXPECT_EQ(check("--strict --level serializable", untimed).exit_code, 0);
}

TEST(Strict, NothingCommitted) {
  for (const char* level : {"serializable", "valid-reads", "strict-serializable", "PL-SI"}) {
    expect_gap(std::string("--level ") + level, nothing_committed, "nothing-committed",
               "(0 committed transactions, 0 operations");
  }
  EXPECT_EQ(check("", nothing_committed).exit_code, 0);
  EXPECT_TRUE(contains(check("", nothing_committed).out, "\n  Remark: No transaction is known"));
  EXPECT_EQ(check("--strict", nothing_committed).exit_code, 20);
}

TEST(Strict, NothingRead) {
  expect_gap("--level serializable", "a: T1 w(x,1) | b: T2 w(x,2)", "nothing-read",
             "No committed transaction reports what it read");
}

TEST(Strict, AlsoForLevelTexts) {
  expect_gap("--level cerone/SI", "a: T1! w(x,1)", "nothing-committed", "nothing to check");
}

TEST(Strict, AViolationStaysOne) {
  const std::string options = "--level strict-serializable --strict";
  const ProgramRun run = check(options, aborted_read);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out,
                       "VIOLATED (among 1 committed transaction, 1 operation; clock skew "
                       "0s)\n"))
      << run.out;
  EXPECT_FALSE(contains(run.out, "Remark")) << run.out;
}

TEST(Strict, WritesNoCertificateOfAnUnknownAnswer) {
  const TemporaryFolder folder;
  const std::string history = folder.write("history", untimed);
  const std::string to = folder.path("certificate");
  const std::string command =
      "check " + history + " --level strict-serializable --certificate " + to;
  EXPECT_EQ(run_program(command + " --strict").exit_code, 20);
  EXPECT_EQ(contents(to), "");
  EXPECT_EQ(run_program(command).exit_code, 0);
  EXPECT_NE(contents(to), "");
}

TEST(Strict, ShrinkHasNothingToSayThen) {
  const std::string command = "shrink - --level strict-serializable";
  EXPECT_EQ(run_program(command, untimed).exit_code, 2);
  EXPECT_EQ(run_program(command + " --strict", untimed).exit_code, 20);
  EXPECT_EQ(run_program(command + " --strict", aborted_read).exit_code, 0);
}

TEST(Strict, LongHistoriesAreCountedWithCommas) {
  std::string history;
  for (int i = 0; i < 1'234; ++i) history += "T" + std::to_string(i) + " r(x,nil) r(y,nil)\n";
  EXPECT_EQ(check("--level SI", history).out,
            "-: snapshot-isolation: holds (1,234 committed transactions, 2,468 operations)\n");
}

}  // namespace
}  // namespace isoscope::cli
