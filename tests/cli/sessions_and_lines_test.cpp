// --indeterminate-cuts and --time-from: what is taken as the order of transactions, and that both
// programs and all commands mean the same by it.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

/// T3 misses what its session wrote before a transaction of unknown outcome.
const std::string behind_a_cut = "a: T1 w(x,1) ; T2? w(y,1) ; T3 r(x,nil)\n";

ProgramRun verify_files(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command = "'" ISOSCOPE_BINARY_DIR "/bin/isoscope-verify' " + arguments + " >" +
                              folder.path("out") + " 2>" + folder.path("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path("out")),
          contents(folder.path("err"))};
}

TEST(IndeterminateCuts, IsAChoiceThatVerdictsName) {
  const std::string check = "check - --level serializable";
  const ProgramRun on = run_program(check, behind_a_cut);
  EXPECT_EQ(on.exit_code, 0);
  EXPECT_TRUE(contains(on.out,
                       "\n  Remark: In the sessions 1 transaction comes after one of unknown "
                       "outcome, which cut off what was before it"))
      << on.out;
  // That is what was asked for, so nothing was left out.
  EXPECT_EQ(run_program(check + " --strict", behind_a_cut).exit_code, 0);
  const ProgramRun off = run_program(check + " --indeterminate-cuts off", behind_a_cut);
  EXPECT_EQ(off.exit_code, 10);
  EXPECT_TRUE(contains(off.out, "T1 comes before T3 in session a.")) << off.out;
  EXPECT_TRUE(contains(off.out, "\n  Remark: In the sessions 1 transaction comes after"))
      << off.out;
  const ProgramRun json =
      run_program(check + " --indeterminate-cuts off --format json", behind_a_cut);
  EXPECT_TRUE(contains(json.out, "\"indeterminate-cuts\":false")) << json.out;
  EXPECT_TRUE(contains(json.out, "\"kind\":\"sessions-go-on\",\"gap\":false")) << json.out;
  // Without session order, or without anything behind a cut, there is nothing to say.
  EXPECT_FALSE(contains(run_program("check - --level PL-3", behind_a_cut).out, "Remark"));
  EXPECT_FALSE(contains(run_program(check, "a: T1 r(x,nil) ; T2? w(x,1)").out, "Remark"));
}

TEST(IndeterminateCuts, TheHistoryMaySayItAndTheOptionOverridesIt) {
  const TemporaryFolder folder;
  const std::string native =
      folder.write("h.jsonl",
                   "{\"isoscope-history\":1,\"indeterminate-cuts\":\"off\"}\n"
                   "{\"session\":\"a\",\"ops\":[[\"w\",\"x\",1]]}\n"
                   "{\"session\":\"a\",\"outcome\":\"indeterminate\",\"ops\":[[\"w\",\"y\",1]]}\n"
                   "{\"session\":\"a\",\"ops\":[[\"r\",\"x\",null]]}\n");
  const std::string check = "check " + native + " --level snapshot-isolation";
  EXPECT_EQ(run_program(check).exit_code, 10);
  EXPECT_EQ(run_program(check + " --indeterminate-cuts on").exit_code, 0);
  // It goes with the history into other formats, or is refused.
  const ProgramRun litmus = run_program("convert " + native + " --to litmus");
  EXPECT_TRUE(litmus.out.starts_with("cuts off\n")) << litmus.out;
  EXPECT_EQ(run_program("check - --level SI", litmus.out).exit_code, 10);
  const ProgramRun again = run_program("convert - --to native", litmus.out);
  EXPECT_TRUE(contains(again.out, "\"indeterminate-cuts\":\"off\"")) << again.out;
  EXPECT_EQ(run_program("convert " + native + " --to edn").exit_code, 3);
  const ProgramRun wrong =
      run_program("stats -", "{\"isoscope-history\":1,\"indeterminate-cuts\":\"maybe\"}\n");
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(contains(wrong.err, "\"on\" or \"off\"")) << wrong.err;
  // What is shrunk from it means the same by itself.
  const ProgramRun small = run_program("shrink " + native + " --level SI");
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_EQ(run_program("check - --level SI", small.out).exit_code, 10) << small.out;
}

TEST(IndeterminateCuts, StatsCountWhomItConcerns) {
  const ProgramRun on = run_program("stats -", behind_a_cut);
  EXPECT_TRUE(
      contains(on.out, "session order     cut at indeterminate transactions: 1 transaction"))
      << on.out;
  const ProgramRun off = run_program("stats - --indeterminate-cuts off", behind_a_cut);
  EXPECT_TRUE(contains(off.out, "session order     goes on at indeterminate transactions: 1 "))
      << off.out;
  const ProgramRun json = run_program("stats - --format json", behind_a_cut);
  EXPECT_TRUE(contains(json.out, "\"indeterminate-cuts\":true,\"cut-neighbours\":1")) << json.out;
}

TEST(IndeterminateCuts, CertificatesCarryIt) {
  const TemporaryFolder folder;
  const std::string history = folder.write("history", behind_a_cut);
  const std::string certificate = folder.path("certificate");
  const std::string check =
      "check " + history + " --level serializable --certificate " + certificate;
  const std::string both = history + " " + certificate;
  EXPECT_EQ(run_program(check + " --indeterminate-cuts off").exit_code, 10);
  EXPECT_TRUE(contents(certificate).starts_with("isoscope-certificate 2\n"));
  EXPECT_TRUE(contains(contents(certificate), "\nindeterminate-cuts off\n"));
  const ProgramRun run = verify_files(both);
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_TRUE(contains(run.out, "\n  Remark: In the sessions 1 transaction")) << run.out;
  EXPECT_EQ(verify_files(both + " --indeterminate-cuts off").exit_code, 0);
  EXPECT_EQ(verify_files(both + " --indeterminate-cuts on").exit_code, 10);
  // The same steps prove nothing where sessions are cut.
  std::string on = contents(certificate);
  on.replace(on.find("indeterminate-cuts off"), 22, "indeterminate-cuts on");
  const ProgramRun refused = verify_files(history + " " + folder.write("on", on));
  EXPECT_EQ(refused.exit_code, 10);
  EXPECT_TRUE(contains(refused.out, "neither sessions nor times say so")) << refused.out;

  EXPECT_EQ(run_program(check).exit_code, 0);
  EXPECT_TRUE(contents(certificate).starts_with("isoscope-certificate 1\n"));
  EXPECT_EQ(verify_files(both).exit_code, 0);
  EXPECT_EQ(verify_files(both + " --indeterminate-cuts off").exit_code, 10);
  // An order that holds with cuts does not without.
  std::string off = contents(certificate);
  off.replace(0, 22, "isoscope-certificate 2");
  off.insert(off.find("\ntime "), "\nindeterminate-cuts off");
  EXPECT_EQ(verify_files(history + " " + folder.write("off", off)).exit_code, 10) << off;
}

/// Process 1 misses what process 0 had finished to write before.
const std::string stale =
    "{:process 0 :type :invoke :f :txn :value [[:w :x 1]]}\n"
    "{:process 0 :type :ok :f :txn :value [[:w :x 1]]}\n"
    "{:process 1 :type :invoke :f :txn :value [[:r :x nil]]}\n"
    "{:process 1 :type :ok :f :txn :value [[:r :x nil]]}\n";

TEST(TimeFrom, LinesAreTimeIfOneSaysSo) {
  const std::string check = "check - --level strict-serializable";
  EXPECT_EQ(run_program(check, stale).exit_code, 0);
  EXPECT_EQ(run_program(check + " --strict", stale).exit_code, 20);
  for (const std::string& options :
       {check, check + " --strict", std::string("check - --level serializable --time trust")}) {
    const ProgramRun run = run_program(options + " --time-from lines", stale);
    EXPECT_EQ(run.exit_code, 10) << run.out;
    EXPECT_TRUE(contains(run.out, "(among 2 committed transactions, 2 operations)")) << run.out;
    EXPECT_TRUE(contains(run.out, "\n  Remark: The order of lines was taken as real time."))
        << run.out;
  }
  std::string seen = stale;
  for (std::size_t at; (at = seen.find("nil")) != std::string::npos;) seen.replace(at, 3, "1");
  EXPECT_EQ(run_program(check + " --time-from lines --strict", seen).exit_code, 0);
  // At levels that do not look at time there is nothing to say.
  EXPECT_FALSE(contains(run_program("check - --level SER --time-from lines", stale).out, "Remark"));
}

TEST(TimeFrom, LinesCountEvenWhereTimesSayOtherwise) {
  std::string timed = stale;
  for (std::size_t at = timed.size(); (at = timed.rfind('}', at - 1)) != std::string::npos;) {
    timed.insert(at, " :time 5");
    if (at < 60) break;
  }
  const std::string check = "check - --level strict-serializable";
  EXPECT_EQ(run_program(check + " --strict", timed).exit_code, 0) << timed;  // all at once
  EXPECT_EQ(run_program(check + " --time-from lines", timed).exit_code, 10);
}

TEST(TimeFrom, TheVerifierReadsTheSameHistory) {
  const TemporaryFolder folder;
  const std::string json =
      "{\"process\":0,\"type\":\"invoke\",\"value\":[[\"w\",\"x\",1]]}\n"
      "{\"process\":0,\"type\":\"ok\",\"value\":[[\"w\",\"x\",1]]}\n"
      "{\"process\":1,\"type\":\"invoke\",\"value\":[[\"r\",\"x\",null]]}\n"
      "{\"process\":1,\"type\":\"ok\",\"value\":[[\"r\",\"x\",null]]}\n";
  for (const std::string& text : {stale, json}) {
    const std::string history = folder.write("history", text);
    const std::string certificate = folder.path("certificate");
    ASSERT_EQ(run_program("check " + history + " --level strict-serializable --time-from lines" +
                          " --certificate " + certificate)
                  .exit_code,
              10);
    EXPECT_EQ(verify_files(history + " " + certificate).exit_code, 10);
    const ProgramRun run = verify_files(history + " " + certificate + " --time-from lines");
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_TRUE(contains(run.out, "The order of lines was taken as real time.")) << run.out;
  }
}

TEST(TimeFrom, OtherFormatsHaveNoOrderOfLines) {
  const ProgramRun run = run_program("check - --level SER --time-from lines", behind_a_cut);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(contains(run.err, "only Jepsen and Elle histories")) << run.err;
  EXPECT_EQ(run_program("check - --level SSER --time-from lines --clock-skew 1ms", stale).exit_code,
            2);
}

/// One level settles another.
TEST(SettledLevels, AreNotUnknown) {
  // Lists to which an element was appended twice are not looked at by read-your-writes itself.
  const std::string sound = "a: T1 a(x,1)  |  b: T2 a(x,1)  |  c: T3 r(x,[1,1])\n";
  const ProgramRun both = run_program("check - --level serializable,read-your-writes", sound);
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_TRUE(
      contains(both.out,
               "-: read-your-writes: holds (3 committed transactions, 3 operations)\n"
               "  Remark: This follows: serializable holds, and implies read-your-writes.\n"))
      << both.out;
  const ProgramRun alone = run_program("check - --level read-your-writes --strict", sound);
  EXPECT_EQ(alone.exit_code, 0);
  const ProgramRun json = run_program("check - --level read-your-writes --format json", sound);
  EXPECT_TRUE(contains(json.out, "\"settled-by\":\"prefix-consistency\"")) << json.out;
  const ProgramRun lost = run_program("check - --level cursor-stability",
                                      "a: T1 r(x,nil) w(x,1)  |  b: T2 r(x,nil) w(x,2)\n");
  EXPECT_EQ(lost.exit_code, 10);
  EXPECT_TRUE(contains(lost.out, "cursor-stability: VIOLATED: lost update")) << lost.out;
}

TEST(SettledLevels, AreConfirmedByACertificateOfTheOther) {
  const TemporaryFolder folder;
  const std::string history = folder.write("history", "a: T1 w(x,1)  |  b: T2 r(x,1)\n");
  const std::string certificate = folder.path("certificate");
  const ProgramRun run =
      run_program("check " + history + " --level read-committed --certificate " + certificate);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string both = history + " " + certificate;
  EXPECT_TRUE(contains(verify_files(both).out, ": read-committed: holds: confirmed"));
  const ProgramRun by = verify_files(both + " --level adya-read-committed");
  EXPECT_EQ(by.exit_code, 0);
  EXPECT_TRUE(contains(by.out, ": adya-read-committed: holds: confirmed by ")) << by.out;
  EXPECT_TRUE(contains(by.out, "; by read-committed)")) << by.out;
  EXPECT_EQ(verify_files(both + " --level serializable").exit_code, 10);
  EXPECT_EQ(verify_files(both + " --level strong-read-committed").exit_code, 10);
  EXPECT_EQ(verify_files(both + " --level nonsense").exit_code, 2);
  // Levels that leave choices have certificates of their own.
  const std::string lost =
      folder.write("lost", "a: T1 r(x,nil) w(x,1)  |  b: T2 r(x,nil) w(x,2)\n");
  const ProgramRun violated =
      run_program("check " + lost + " --level cursor-stability --certificate " + certificate);
  EXPECT_EQ(violated.exit_code, 10) << violated.err;
  const ProgramRun confirmed = verify_files(lost + " " + certificate);
  EXPECT_EQ(confirmed.exit_code, 0) << confirmed.out;
  EXPECT_TRUE(contains(confirmed.out, ": cursor-stability: violated: confirmed")) << confirmed.out;
}

}  // namespace
}  // namespace isoscope::cli
