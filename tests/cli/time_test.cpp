// What --time makes of levels, and what is said then.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

/// T2 missed the row of T1, which had ended before T2 began: there is an order, but not that of
/// time.
const std::string stale_query = "a: T1@0..10 w(x,{v:7})  |  b: T2@20..30 rp(v > 5, {})\n";
/// Two transactions that each miss what the other wrote: there is no order.
const std::string skewed_queries =
    "a: T1@0..10 rp(v > 5, {}) w(x,{v:7})  |  b: T2@5..15 rp(v > 5, {}) w(y,{v:8})\n";
const std::string sound = "a: T1@0..10 w(x,{v:7})  |  b: T2@20..30 rp(v > 5, {x:{v:7}})\n";

ProgramRun check(const std::string& options, const std::string& history) {
  return run_program("check - --level " + options, history);
}

bool is_one_line(const std::string& text) {
  return std::ranges::count(text, '\n') == 1 && text.starts_with("isoscope: ");
}

int exit_code_of_verifier(const std::string& history, const std::string& certificate) {
  const int status = std::system(("'" ISOSCOPE_BINARY_DIR "/bin/isoscope-verify' " + history + " " +
                                  certificate + " >/dev/null")
                                     .c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Time, IsAHintUnlessOneSaysMore) {
  for (const char* time : {"", " --time hint", " --time ignore"}) {
    const ProgramRun run = check(std::string("serializable") + time, stale_query);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, "-: serializable: holds (2 committed transactions, 2 operations)\n");
    EXPECT_EQ(run.err, "");
  }
}

TEST(Time, TrustedItTurnsALevelIntoItsRealTimeVariant) {
  const ProgramRun run = check("serializable --time trust", sound);
  EXPECT_EQ(run.exit_code, 0);
  const std::string extent = " (2 committed transactions, 2 operations; clock skew 0s)\n";
  const std::string serializable = "-: strict-serializable: holds" + extent;
  const std::string snapshots = "-: strong-snapshot-isolation: holds" + extent;
  EXPECT_EQ(run.out, serializable);
  EXPECT_EQ(check("snapshot-isolation --time trust", sound).out, snapshots);
  const ProgramRun both = check("serializable,snapshot-isolation --time trust", sound);
  EXPECT_EQ(both.out, serializable + snapshots);
}

/// It may be the clocks that are wrong, so this is not yet a word about the level itself.
TEST(Time, AViolationIsCheckedOnceMoreWithoutTime) {
  for (const char* level : {"serializable", "strict-serializable"}) {
    const ProgramRun run = check(std::string(level) + " --time trust", stale_query);
    EXPECT_EQ(run.exit_code, 10);
    EXPECT_TRUE(run.out.starts_with("-: strict-serializable: VIOLATED")) << run.out;
    EXPECT_TRUE(
        run.out.ends_with("\n-: serializable: holds (2 committed transactions, 2 operations)\n"))
        << run.out;
  }
  const ProgramRun worse = check("serializable --time trust", skewed_queries);
  EXPECT_EQ(worse.exit_code, 10);
  EXPECT_TRUE(contains(worse.out, "-: strict-serializable: VIOLATED")) << worse.out;
  EXPECT_TRUE(contains(worse.out, "\n-: serializable: VIOLATED")) << worse.out;
  const ProgramRun snapshots = check("snapshot-isolation --time trust", skewed_queries);
  EXPECT_EQ(snapshots.exit_code, 0);
  EXPECT_EQ(
      snapshots.out,
      "-: strong-snapshot-isolation: holds (2 committed transactions, 4 operations; clock skew "
      "0s)\n");
  // A user who asks for the real-time level by name, without trust, gets that and no more.
  const ProgramRun named = check("strict-serializable", stale_query);
  EXPECT_EQ(named.exit_code, 10);
  EXPECT_FALSE(contains(named.out, "-: serializable")) << named.out;
}

TEST(Time, JsonIsOneObjectForEachOfTheVerdicts) {
  const ProgramRun run = check("serializable --time trust --format json", stale_query);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 2) << run.out;
  EXPECT_TRUE(contains(run.out, "\"strict-serializable\"")) << run.out;
  EXPECT_TRUE(contains(run.out, "\"serializable\"")) << run.out;
}

TEST(Time, ClocksMayDifferByTheSkew) {
  const std::string trusted = "serializable --time trust --clock-skew ";
  EXPECT_EQ(check(trusted + "9ns", stale_query).exit_code, 10);
  EXPECT_EQ(check(trusted + "10ns", stale_query).exit_code, 0);
  EXPECT_EQ(check(trusted + "1h", stale_query).exit_code, 0);
  // Equal stamps are concurrent.
  const std::string touching = "a: T1@0..20 w(x,{v:7})  |  b: T2@20..30 rp(v > 5, {})\n";
  EXPECT_EQ(check("serializable --time trust", touching).exit_code, 0);
}

TEST(Time, WhatCannotBeMeantIsWrongUsage) {
  const std::string wrong[] = {
      "strict-serializable --time ignore",
      "strong-snapshot-isolation --time ignore",
      "serializable,strict-serializable --time ignore",
      "read-atomic --time trust",
      "serializable,read-atomic --time trust",
      "serializable --time believe",
      "serializable --time",
  };
  for (const std::string& options : wrong) {
    const ProgramRun run = check(options, sound);
    EXPECT_EQ(run.exit_code, 2) << options;
    EXPECT_TRUE(is_one_line(run.err)) << options << "\n" << run.err;
    EXPECT_EQ(run.out, "") << options;
  }
  EXPECT_TRUE(contains(check(wrong[0], sound).err, "strict-serializable"));
  EXPECT_TRUE(contains(check(wrong[3], sound).err, "read-atomic"));
}

TEST(Time, CertificatesAreOfTheLevelThatWasChecked) {
  const TemporaryFolder folder;
  for (const std::string& text : {sound, stale_query, skewed_queries}) {
    for (const char* level : {"serializable", "snapshot-isolation"}) {
      for (const char* time : {"ignore", "hint", "trust", "trust --clock-skew 3ns"}) {
        const std::string history = folder.write("history.litmus", text);
        const std::string to = folder.path("certificate");
        const std::string options = std::string(" --level ") + level + " --time " + time;
        const ProgramRun run = run_program("check " + history + options + " --certificate " + to);
        EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 10) << options << "\n" << run.err;
        EXPECT_EQ(exit_code_of_verifier(history, to), 0) << options << "\n" << text;
        const bool is_timed = std::string_view(time).starts_with("trust");
        EXPECT_EQ(contains(contents(to), "\nlevel str"), is_timed) << contents(to);
        EXPECT_TRUE(
            contains(contents(to), run.exit_code == 0 ? "answer holds" : "answer violated"));
      }
    }
  }
}

TEST(Time, ShrinkKnowsIt) {
  const ProgramRun run = run_program("shrink - --level serializable --time trust",
                                     "a: T1@0..10 w(x,{v:7}) w(z,1)  |  b: T2@20..30 rp(v > 5, {})"
                                     "  |  c: T3@1..2 w(y,1)\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_FALSE(contains(run.out, "T3")) << run.out;
  EXPECT_EQ(check("strict-serializable", run.out).exit_code, 10) << run.out;
}

}  // namespace
}  // namespace isoscope::cli
