#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

TEST(SynthProgram, PrintsASmallestHistoryWithBothSides) {
  const ProgramRun run = run_program("synth --allow SI --forbid SER");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "2 transactions, 2 keys, 4 operations\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "biswas-enea/SI, Snapshot isolation (Biswas, Enea), allows it"));
  EXPECT_TRUE(contains(run.out, "forbids it: no co fits all of these\n    serializable  x1 = "));
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, run_program("synth --allow SI --forbid SER").out);
}

/// What is written is judged by the checkers as it was by the definitions.
TEST(SynthProgram, WritesWhatCheckThenJudgesTheSameWay) {
  const TemporaryFolder folder;
  const std::string file = folder.path("skew.jsonl");
  ASSERT_EQ(run_program("synth --allow SI --forbid SER -o " + file).exit_code, 0);
  EXPECT_EQ(run_program("check " + file + " --level snapshot-isolation").exit_code, 0);
  EXPECT_EQ(run_program("check " + file + " --level serializable").exit_code, 10);
  EXPECT_EQ(run_program("check " + file + " --level cerone/SI").exit_code, 0);
  EXPECT_EQ(run_program("check " + file + " --level cerone/SER").exit_code, 10);

  const std::string timed = folder.path("timed.litmus");
  ASSERT_EQ(run_program("synth --allow SER --forbid strict-serializable --to litmus -o " + timed)
                .exit_code,
            0);
  EXPECT_EQ(run_program("check " + timed + " --level serializable").exit_code, 0);
  EXPECT_EQ(run_program("check " + timed + " --level strict-serializable").exit_code, 10);
}

TEST(SynthProgram, NothingFoundIsNeverCalledAProof) {
  const ProgramRun run =
      run_program("synth --allow SER --forbid cerone/SI --txns 3 --keys 2 --values 4");
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.out, "no such history up to 3 transactions, 2 keys, 4 values\n");
  EXPECT_TRUE(contains(run_program("synth --allow SER --forbid SI --txns 2 --exact").out,
                       "no such history of exactly 2 transactions, up to 3 keys"));
}

TEST(SynthProgram, EverySwitchLeavesTheAnswer) {
  for (const std::string off :
       {"--no-smart", "--no-fixed-order", "--no-incremental", "--no-learning", "--no-terms"}) {
    const std::string options = " --txns 3 --keys 2 " + off;
    EXPECT_TRUE(contains(run_program("synth --allow cerone/RA --forbid CC" + options).out,
                         "3 transactions, 1 key, 3 operations"))
        << off;
    EXPECT_EQ(run_program("synth --allow CC --forbid RA --txns 2 --keys 1 " + off).exit_code, 10)
        << off;
  }
}

TEST(SynthProgram, ScopeOptions) {
  EXPECT_TRUE(contains(run_program("synth --allow SI --forbid SER --no-blind-writes").out,
                       "2 transactions, 2 keys, 6 operations"));
  EXPECT_TRUE(contains(run_program("synth --allow SI --forbid SER --txns 3 --exact").out,
                       "3 transactions, 2 keys"));
  EXPECT_EQ(run_program("synth --allow SI --forbid SER --ops 1 --txns 2").exit_code, 10);
  const ProgramRun fork = run_program(
      "synth --where 'exists t: transaction. exists s, r in t ; so. s != r and "
      "not so(s, r) and not so(r, s) and not initial(t)' --any-session-order");
  EXPECT_EQ(fork.exit_code, 0) << fork.err;
  EXPECT_TRUE(contains(fork.out, "session order: T1 -> T2, T1 -> T3\n")) << fork.out;
}

TEST(SynthProgram, AllSmallestHistories) {
  const ProgramRun run =
      run_program("synth --forbid SI --where 'so in initial * transaction' --all");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "--- 1 of 2\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "--- 2 of 2\n"));
  EXPECT_FALSE(contains(run.out, "--- 3"));
}

TEST(SynthProgram, OtherFormats) {
  const ProgramRun svg = run_program("synth --allow SI --forbid SER --format svg");
  EXPECT_TRUE(svg.out.starts_with("<svg")) << svg.err;
  const ProgramRun json = run_program("synth --allow SI --forbid SER --format json");
  EXPECT_TRUE(json.out.starts_with("{\"isoscope-synth\":1,\"answer\":\"found\","));
  const ProgramRun none =
      run_program("synth --allow SER --forbid SI --txns 2 --keys 1 --format json");
  EXPECT_EQ(none.exit_code, 10);
  EXPECT_TRUE(contains(none.out, "\"answer\":\"none\"")) << none.out;
  EXPECT_TRUE(contains(run_program("synth --allow SI --forbid SER --stats").err, "candidates"));
}

TEST(SynthProgram, WrongUsage) {
  for (const std::string arguments :
       {"synth", "synth --allow no-such-level", "synth --allow UpdateSer",
        "synth --allow SI --txns 0", "synth --allow SI --keys 65",
        "synth --allow SI --all --output x", "synth --allow SI --all --format svg",
        "synth --allow SI --to nowhere", "compare SI", "compare SI SER --format svg", "lattice",
        "lattice SI --all"}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_TRUE(run.err.starts_with("isoscope: ")) << run.err;
  }
}

TEST(SynthProgram, BadTextsAreShownWithACaret) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.level", "include \"cerone/base\"\naxiom a: ar in in\n");
  for (const std::string& arguments :
       {"synth --allow " + bad, "compare SI " + bad, "lattice SI " + bad, "levels format " + bad,
        "levels show " + bad, "check - --level " + bad}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 3) << arguments;
    EXPECT_TRUE(run.err.starts_with("isoscope: " + bad + ":2:16: ")) << run.err;
    EXPECT_TRUE(run.err.ends_with("\n  axiom a: ar in in\n                 ^\n")) << run.err;
  }
  const ProgramRun where = run_program("synth --where 'so in'");
  EXPECT_EQ(where.exit_code, 3);
  EXPECT_TRUE(where.err.starts_with("isoscope: --where:1:6: ")) << where.err;
  EXPECT_EQ(run_program("synth --allow nowhere.level").exit_code, 3);
}

TEST(SynthProgram, LimitsGiveUnknown) {
  const ProgramRun run = run_program(
      "synth --allow SI --forbid cerone/SI --txns 9 --no-terms --no-smart --time-limit 1ms");
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(contains(run.err, "unknown: stopped: time limit")) << run.err;
}

TEST(CompareProgram, TellsWhichIsStronger) {
  const ProgramRun same = run_program("compare SI cerone/SI --txns 3");
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_EQ(same.out, "biswas-enea/SI and cerone/SI are equivalent up to 3 transactions, 3 keys\n");
  const ProgramRun mine = run_program("compare examples/my-si.level SI");
  EXPECT_EQ(mine.exit_code, 10);
  EXPECT_TRUE(mine.out.starts_with("examples/my-si.level is weaker than biswas-enea/SI (up to "))
      << mine.out;
  EXPECT_TRUE(run_program("compare SER SI --txns 2")
                  .out.starts_with("biswas-enea/SER is stronger than biswas-enea/SI"));
  EXPECT_TRUE(
      contains(run_program("compare UA CC --format json").out, "\"first-is\":\"incomparable\""));
}

TEST(LatticeProgram, PrintsTheOrder) {
  const ProgramRun run = run_program("lattice RA SER cerone/RA SI --txns 3");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.out,
                       "biswas-enea/SER\n    biswas-enea/SI  (H1)\n"
                       "biswas-enea/SI\n    biswas-enea/RA  (H2)\n"
                       "biswas-enea/RA = cerone/RA\n"))
      << run.out;
  EXPECT_TRUE(run_program("lattice RA SI --txns 2 --format svg").out.starts_with("<svg"));
  EXPECT_TRUE(contains(run_program("lattice RA SI --txns 2 --format json").out,
                       "\"groups\":[[\"biswas-enea/SI\"],[\"biswas-enea/RA\"]]"));
}

TEST(LatticeProgram, OfAllShippedLevels) {
  const ProgramRun run = run_program("lattice --all --txns 3 --stats");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "strict/strict-serializable\n    ")) << run.out;
  EXPECT_TRUE(contains(run.out, "biswas-enea/SER = cerone/SER = crooks/SER")) << run.out;
}

TEST(CheckProgram, TakesLevelsFromFiles) {
  const std::string skew = "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)";
  const ProgramRun holds = run_program("check - --level examples/my-si.level", skew);
  EXPECT_EQ(holds.exit_code, 0);
  EXPECT_TRUE(
      holds.out.starts_with("-: examples/my-si.level: holds (2 committed transactions, 4 "
                            "operations) with\n    ar "))
      << holds.out;
  const ProgramRun violated =
      run_program("check - --level examples/my-si.level,cerone/SER --format json", skew);
  EXPECT_EQ(violated.exit_code, 10);
  EXPECT_TRUE(contains(violated.out, "\"level\":\"cerone/SER\",\"answer\":\"violated\""));
  const ProgramRun unknown =
      run_program("check - --level examples/my-si.level", "a: T1? w(x,1) | b: T2 r(x,1)");
  EXPECT_EQ(unknown.exit_code, 20);
  EXPECT_TRUE(contains(
      unknown.out,
      "unknown (1 committed transaction, 1 operation): level texts cannot judge histories with "
      "indeterminate transactions; T1 is one"))
      << unknown.out;
  EXPECT_EQ(run_program("check - --level cerone/SI,serializable", skew).exit_code, 2);
  EXPECT_EQ(run_program("check - --level cerone/SI --certificate c", skew).exit_code, 2);
  EXPECT_EQ(run_program("check - --level cerone/SI", "a: T1 w(").exit_code, 3);
}

TEST(LevelsProgram, ShowsTexts) {
  const ProgramRun catalogue = run_program("levels show snapshot-isolation");
  EXPECT_EQ(catalogue.exit_code, 0);
  EXPECT_TRUE(contains(catalogue.out, "In the level language:\n\nbiswas-enea/SI\n    # Every"))
      << catalogue.out;
  EXPECT_TRUE(contains(catalogue.out, "\n\nbiswas-enea/base\n    # A history is"));
  const ProgramRun text = run_program("levels show cerone/UA");
  EXPECT_TRUE(text.out.starts_with("cerone/UA\n    # ")) << text.out;
  EXPECT_TRUE(contains(text.out, "axiom no-conflict: conflict(ar) in vis"));
  EXPECT_TRUE(contains(run_program("levels texts").out, "plume/TapRA  "));
  EXPECT_TRUE(contains(run_program("levels show cerone/UA --format json").out,
                       "\"defines\":\"update-atomic\""));
  EXPECT_EQ(run_program("levels show no-such-level").exit_code, 2);
}

TEST(LevelsProgram, FormatsFiles) {
  const ProgramRun run = run_program("levels format examples/my-si.level");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, contents(ISOSCOPE_SOURCE_DIR "/examples/my-si.level"));
  EXPECT_EQ(run_program("levels format nowhere.level").exit_code, 3);
}

}  // namespace
}  // namespace isoscope::cli
