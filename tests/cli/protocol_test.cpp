#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

/// The text of a protocol that comes with the program, with a part of it replaced.
std::string changed(const std::string& name, std::string_view from, std::string_view to) {
  std::string text = contents(ISOSCOPE_SOURCE_DIR "/protocols/" + name + ".protocol");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ProtocolProgram, ListsShowsAndFormatsModels) {
  const ProgramRun list = run_program("protocol list");
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_TRUE(contains(list.out, "\ns2pl                     SSER      Strict two-phase locking"))
      << list.out;
  EXPECT_EQ(run_program("protocol").out, list.out);
  EXPECT_TRUE(contains(run_program("protocol list --format json").out, "{\"name\":\"s2pl\","));
  const std::string text = contents(ISOSCOPE_SOURCE_DIR "/protocols/s2pl.protocol");
  EXPECT_EQ(run_program("protocol show s2pl").out, text);
  EXPECT_EQ(run_program("protocol format protocols/s2pl.protocol").out, text);
  EXPECT_TRUE(contains(run_program("--help").out, "protocol"));
  EXPECT_TRUE(contains(run_program("protocol --help").out, "isoscope protocol explore s2pl\n"));
}

TEST(ProtocolProgram, ExploresAllStates) {
  const ProgramRun run = run_program("protocol explore s2pl");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("s2pl: 2 clients, 2 keys, 1 transaction of each client\n"));
  EXPECT_TRUE(contains(run.out, ", which are all there are\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "strongest not refuted: SSER, Strict serializability\n"));
  EXPECT_TRUE(contains(run.out, "Read atomicity (no session visibility)"));
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, run_program("protocol explore s2pl --threads 1").out);
  EXPECT_TRUE(contains(run_program("protocol explore atomic --stats").err, "bits each"));
  EXPECT_TRUE(contains(run_program("protocol explore atomic --format json").out,
                       "\"complete\":true,\"events\":{\"run\":"));
}

/// The history that is written is judged by check as it was by explore.
TEST(ProtocolProgram, FindsViolationsWithARunAndAHistory) {
  const TemporaryFolder folder;
  const std::string file = folder.path("run.jsonl");
  const ProgramRun run =
      run_program("protocol explore s2pl-read-ignores-write --level SER -o " + file);
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_TRUE(contains(run.out, "SER     violated, run 1     Serializability\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "run 1: SER violated after ")) << run.out;
  EXPECT_TRUE(contains(run.out, "  clients saw:\n    c1: T1@"));
  EXPECT_TRUE(contains(run.out, "confirmed on this history by the texts of SER\n"));
  EXPECT_TRUE(contains(run.out, "and by the checker for serializable\n"));
  EXPECT_EQ(run_program("check " + file + " --level serializable").exit_code, 10);
  for (const std::string mutant : {"s2pl-write-ignores-read", "s2pl-early-read-release",
                                   "s2pl-abort-installs", "s2pl-printed-guard"}) {
    EXPECT_EQ(run_program("protocol explore " + mutant).exit_code, 10) << mutant;
  }
}

/// What a protocol does not claim is no violation, unless one asks for it.
TEST(ProtocolProgram, AsksForWhatTheModelClaims) {
  const ProgramRun claimed = run_program("protocol explore mvcc-si");
  EXPECT_EQ(claimed.exit_code, 0) << claimed.err;
  EXPECT_TRUE(contains(claimed.out, "strongest not refuted: SI, Snapshot isolation\n"));
  EXPECT_TRUE(contains(claimed.out, "SER     violated, run ")) << claimed.out;
  EXPECT_EQ(run_program("protocol explore mvcc-si --level SER").exit_code, 10);
  EXPECT_EQ(run_program("protocol explore mvcc-si --level si").exit_code, 0);
}

TEST(ProtocolProgram, WhatOnlyVersionOrderShowsIsNoViolation) {
  const ProgramRun run = run_program("protocol explore tapir-conference --level RA");
  EXPECT_EQ(run.exit_code, 20) << run.out;
  EXPECT_TRUE(contains(run.out, "RA      violated only relative to version order, run 1"))
      << run.out;
  EXPECT_TRUE(contains(run.out, "what clients saw is allowed by the texts of RA\n")) << run.out;
  EXPECT_EQ(run.err, "isoscope: unknown: RA is violated only relative to version order\n");
}

TEST(ProtocolProgram, ShapesSayWhatTransactionsDo) {
  const std::string shapes = " --shapes 'w(x)w(y), r(x)r(y)'";
  const ProgramRun run = run_program("protocol explore tapir-journal --level RA" + shapes);
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_TRUE(contains(run.out, "constants: reads(x, T2), reads(y, T2), writes(x, T1), "));
  EXPECT_EQ(run_program("protocol explore tapir-journal --shapes 'w(x'").exit_code, 2);
  EXPECT_EQ(run_program("protocol explore tapir-journal --shapes 'fly(x)'").exit_code, 2);
}

TEST(ProtocolProgram, ProvesForAnyNumber) {
  const ProgramRun run = run_program("protocol prove atomic --invariants");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(
      run.out.starts_with("atomic: SSER proved for any number of clients, keys and transactions\n"))
      << run.out;
  EXPECT_TRUE(contains(run.out, "\n  invariants:\n    ")) << run.out;
  const ProgramRun json = run_program("protocol prove atomic --level RA --format json");
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_TRUE(contains(json.out, "\"level\":\"RA\",\"outcome\":\"proved\"")) << json.out;
}

TEST(ProtocolProgram, ProvesNothingThatIsViolated) {
  const ProgramRun run = run_program("protocol prove s2pl-printed-guard");
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_TRUE(run.out.starts_with("s2pl-printed-guard: VIOLATED with 2 clients, 2 keys, "));
  EXPECT_FALSE(contains(run.out, "proved")) << run.out;
}

/// The map forgets readers of initial versions, which clients do not notice.
TEST(ProtocolProgram, OpenGoalsComeWithAPicture) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "open.protocol", changed("atomic", "= rv(x, k, w)", "= rv(x, k, w) and w != initial"));
  const ProgramRun run = run_program("protocol prove --level SER " + file);
  EXPECT_EQ(run.exit_code, 20) << run.err;
  EXPECT_TRUE(contains(run.out, ": SER not proved: 1 of ")) << run.out;
  EXPECT_TRUE(
      contains(run.out,
               "  open: run: becomes a reader of what it read (update)\n    the invariants do "
               "not exclude, with "))
      << run.out;
  EXPECT_TRUE(contains(run.out, "\nSER violated only relative to version order after 1 step\n"))
      << run.out;
}

TEST(ProtocolProgram, WhatNeverHappensIsNotSafe) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("never.protocol", changed("atomic", "observe t",
                                             "event never(c: client, t: transaction) at c\n"
                                             "  when owner(t) = c and done(t) and not done(t)\n"
                                             "  then done(t) := false\n\nobserve t"));
  const ProgramRun explored = run_program("protocol explore " + file);
  EXPECT_EQ(explored.exit_code, 20) << explored.out;
  EXPECT_EQ(explored.err, "isoscope: event never never happens with these sizes\n");
  const ProgramRun proved = run_program("protocol prove --level SER " + file);
  EXPECT_EQ(proved.exit_code, 20);
  EXPECT_TRUE(contains(proved.out, "SER not proved: too little can happen")) << proved.out;
  EXPECT_TRUE(contains(proved.out, "\n  vacuous: never can never happen\n")) << proved.out;
}

TEST(ProtocolProgram, SimulatesHistoriesThatHaveTheLevel) {
  const TemporaryFolder folder;
  const std::string file = folder.path("run.jsonl");
  EXPECT_EQ(run_program("protocol simulate s2pl --seed 1 -o " + file).exit_code, 0);
  EXPECT_EQ(run_program("check " + file + " --level strict-serializable").exit_code, 0);
  const ProgramRun small = run_program("protocol simulate s2pl --clients 1 --txns 1 --to litmus");
  EXPECT_TRUE(contains(small.out, "c1: T1")) << small.out;
  EXPECT_EQ(small.out, run_program("protocol simulate s2pl --clients 1 --txns 1 --to litmus").out);
}

TEST(ProtocolProgram, PrintsAndDrawsRuns) {
  const ProgramRun random = run_program("protocol trace s2pl --seed 3");
  EXPECT_EQ(random.exit_code, 0);
  EXPECT_TRUE(random.out.starts_with("s2pl: a random run, seed 3\n")) << random.out;
  EXPECT_TRUE(contains(random.out, "begin(c1, T1)"));
  const ProgramRun skew = run_program("protocol trace mvcc-si --violation SER");
  EXPECT_EQ(skew.exit_code, 0);
  EXPECT_TRUE(skew.out.starts_with("mvcc-si: SER violated\n")) << skew.out;
  EXPECT_TRUE(
      run_program("protocol trace mvcc-si --violation SER --format svg").out.starts_with("<svg"));
  EXPECT_EQ(run_program("protocol trace s2pl --violation SER").exit_code, 2);
}

TEST(ProtocolProgram, LimitsGiveUnknown) {
  const ProgramRun states = run_program("protocol explore s2pl --max-states 100");
  EXPECT_EQ(states.exit_code, 20);
  EXPECT_EQ(states.err, "isoscope: unknown: stopped: more than 100 states\n");
  EXPECT_TRUE(contains(states.out, "strongest not refuted so far: SSER")) << states.out;
  const ProgramRun time =
      run_program("protocol explore s2pl --clients 3 --keys 3 --txns 2 --time-limit 1ms");
  EXPECT_EQ(time.exit_code, 20);
  EXPECT_TRUE(contains(time.err, "unknown: stopped: time limit")) << time.err;
  const ProgramRun proof = run_program("protocol prove s2pl --time-limit 1ms");
  EXPECT_EQ(proof.exit_code, 20);
  EXPECT_TRUE(contains(proof.err, "unknown: stopped: time limit")) << proof.err;
}

TEST(ProtocolProgram, BadTextsAreShownWithACaret) {
  const TemporaryFolder folder;
  struct Case {
    std::string_view from, to, message;
  };
  for (const Case& bad : {
           Case{"cst(t) := prepared", "cst(t) := locked", "locked"},
           Case{"participant(k, t) => locked(k, t)", "locked(k, t)", "every key there is"},
           Case{"no u: transaction. st(k, u) = write-lock",
                "forall u: transaction. exists j: key. "
                "st(j, u) = working and forall w: transaction. st(j, w) != refused",
                "functions go in a circle"},
           Case{"enum Client {", "enum Client (", "expected"},
       }) {
    const std::string file = folder.write("bad.protocol", changed("s2pl", bad.from, bad.to));
    for (const std::string command : {"explore ", "prove ", "simulate ", "trace ", "format "}) {
      const ProgramRun run = run_program("protocol " + command + file);
      EXPECT_EQ(run.exit_code, 3) << bad.to;
      EXPECT_EQ(run.out, "");
      EXPECT_TRUE(run.err.starts_with("isoscope: " + file + ":")) << run.err;
      EXPECT_TRUE(contains(run.err, bad.message)) << run.err;
      EXPECT_TRUE(run.err.ends_with("^\n")) << run.err;
    }
  }
  EXPECT_EQ(run_program("protocol explore nowhere.protocol").exit_code, 3);
  EXPECT_EQ(run_program("protocol explore protocols/").exit_code, 3);
}

TEST(ProtocolProgram, WrongUsage) {
  for (const std::string arguments :
       {"protocol explore", "protocol fly s2pl", "protocol list s2pl", "protocol show",
        "protocol explore s2pl --level serial", "protocol prove s2pl --level XY",
        "protocol explore s2pl --keys 65", "protocol explore s2pl --clients 10 --txns 10",
        "protocol explore s2pl --seed 3", "protocol prove s2pl --keys 2",
        "protocol trace s2pl --format json", "protocol explore s2pl --format svg",
        "protocol simulate s2pl --to nowhere", "protocol trace s2pl --shapes 'w(x)'",
        "protocol prove tapir-repaired --level SSER", "protocol explore no-such-protocol"}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_TRUE(run.err.starts_with("isoscope: ")) << run.err;
  }
  EXPECT_EQ(run_program("protocol explore s2pll").err,
            "isoscope: no protocol \"s2pll\"; did you mean `s2pl`?\n");
}

}  // namespace
}  // namespace isoscope::cli
