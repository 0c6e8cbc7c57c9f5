// The command line of elle-cli: what it prints, its exit codes, and what it refuses.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

const std::string writes_and_reads =
    R"({:process 0 :type :ok :value [[:w :x 1]] :index 0}
{:process 1 :type :ok :value [[:r :x 1]] :index 1}
)";
const std::string write_skew =
    R"({:process 0 :type :ok :value [[:r :x nil] [:w :y 1]] :index 0}
{:process 1 :type :ok :value [[:r :y nil] [:w :x 1]] :index 1}
)";
const std::string aborted_read =
    R"({:process 0 :type :fail :value [[:w :x 1]] :index 0}
{:process 1 :type :ok :value [[:r :x 1]] :index 1}
)";
const std::string lists =
    R"({:process 0 :type :ok :value [[:append 7 1]] :index 0}
{:process 1 :type :ok :value [[:r 7 [1]] [:r 8 nil]] :index 1}
)";

/// Two operations on one register, one after the other: the second does not see the first.
const std::string stale_register =
    R"({:process 0 :type :invoke :f :write :value 1 :index 0}
{:process 0 :type :ok :f :write :value 1 :index 1}
{:process 0 :type :invoke :f :write :value 2 :index 2}
{:process 0 :type :ok :f :write :value 2 :index 3}
{:process 1 :type :invoke :f :read :value nil :index 4}
{:process 1 :type :ok :f :read :value 1 :index 5}
)";
const std::string good_bank = "{:process 0 :type :ok :f :read :value {0 10, 1 20} :index 0}\n";

ProgramRun elle(const std::string& options, const std::string& history) {
  return run_program("elle - " + options, history);
}

void expect_answer(const std::string& options, const std::string& history, const std::string& word,
                   int code) {
  const ProgramRun run = elle(options, history);
  EXPECT_EQ(run.out, "-\t" + word + "\n") << options << run.err;
  EXPECT_EQ(run.exit_code, code) << options << run.err;
}

TEST(Elle, OneLineForEachFile) {
  expect_answer("--model rw-register", writes_and_reads, "true", 0);
  expect_answer("--model list-append", lists, "true", 0);
  expect_answer("--model rw-register", write_skew, "false", 10);
  expect_answer("--model rw-register --consistency-models snapshot-isolation", write_skew, "true",
                0);
  expect_answer("--model elle-rw-register --consistency-models read-committed,serializable",
                write_skew, "false", 10);
  expect_answer("--model cas-register", stale_register, "false", 10);
  expect_answer("--model register --consistency-models sequential", stale_register, "true", 0);
  expect_answer("--model bank", good_bank, "true", 0);
  expect_answer("--model bank --total-amount 40", good_bank, "false", 10);
}

TEST(Elle, SeveralFiles) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.edn", writes_and_reads);
  const std::string bad = folder.write("bad.edn", write_skew);
  const ProgramRun run = run_program("elle --model rw-register " + good + " " + bad);
  EXPECT_EQ(run.out, good + "\ttrue\n" + bad + "\tfalse\n") << run.err;
  EXPECT_EQ(run.exit_code, 10);
}

TEST(Elle, AnomaliesAreLookedForByName) {
  const std::string only = "--model rw-register --consistency-models none --anomalies ";
  expect_answer(only + "G2-item", write_skew, "false", 10);
  expect_answer(only + "G1a", write_skew, "true", 0);
  expect_answer(only + "G1a", aborted_read, "false", 10);
  expect_answer(only + "G1b,internal", aborted_read, "true", 0);
  expect_answer("--model rw-register --anomalies G1a", write_skew, "false", 10);
}

TEST(Elle, VerboseIsElleResult) {
  const ProgramRun run = elle("--model rw-register --verbose", write_skew);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "\"valid?\":false,\"anomaly-types\":[\"G2-item\"]")) << run.out;
  EXPECT_TRUE(contains(run.out, "\"not\":[\"repeatable-read\",\"update-serializable\"]"))
      << run.out;
  EXPECT_EQ(elle("--model rw-register --format elle-json", write_skew).out, run.out);
  const ProgramRun read = elle("--model rw-register --verbose", aborted_read);
  EXPECT_TRUE(contains(read.out, "\"anomalies\":{\"G1a\":[{\"op\":{\"index\":1,")) << read.out;
  const ProgramRun bank = elle("--model bank --total-amount 40 --verbose", good_bank);
  EXPECT_TRUE(contains(bank.out, "\"valid?\":false,\"read-count\":1,\"error-count\":1,"))
      << bank.out;
}

TEST(Elle, TheSameFromCheck) {
  const ProgramRun run =
      run_program("check - --level serializable --names elle --format elle-json", write_skew);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "\"not\":[\"repeatable-read\"]")) << run.out;
  EXPECT_EQ(run_program("check - --format elle-json", write_skew).exit_code, 10);
  EXPECT_EQ(run_program("check - --level cerone/SI --format elle-json", write_skew).exit_code, 2);
}

TEST(Elle, NotationsAreRecognisedOrSaid) {
  const std::string json = R"([{"process":0,"type":"ok","value":[["w","x",1]]}])";
  expect_answer("--model rw-register", json, "true", 0);
  expect_answer("--model rw-register --format json", json, "true", 0);
  expect_answer("--model rw-register --format edn", json, "true", 0);
  expect_answer("--model rw-register", "a: T1 w(x,1) | b: T2 r(x,1)\n", "true", 0);
}

TEST(Elle, UnknownSaysWhy) {
  const std::string transfers =
      "{:process 0 :type :ok :f :transfer :value {:from 0 :to 1 :amount 5} :index 0}\n";
  const ProgramRun run = elle("--model bank", transfers);
  EXPECT_EQ(run.out, "-\tunknown\n");
  EXPECT_EQ(run.err, "isoscope: -: unknown: no read succeeded\n");
  EXPECT_EQ(run.exit_code, 20);
}

TEST(Elle, WrongUsageAndOtherModels) {
  EXPECT_EQ(elle("", lists).exit_code, 2);
  EXPECT_TRUE(contains(elle("--model lists-append", lists).err, "did you mean `list-append`?"));
  EXPECT_EQ(elle("--model bank --consistency-models serializable", good_bank).exit_code, 2);
  EXPECT_EQ(elle("--model mutex --consistency-models serializable,causal", "").exit_code, 2);
  EXPECT_EQ(elle("--model list-append --anomalies G9", lists).exit_code, 2);
  const ProgramRun misspelled = elle("--model list-append --anomalies lost-updat", lists);
  EXPECT_EQ(misspelled.exit_code, 2);
  EXPECT_TRUE(contains(misspelled.err, "did you mean `lost-update`?")) << misspelled.err;
  const ProgramRun model = elle("--model list-apend", lists);
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_TRUE(contains(model.err, "did you mean `list-append`?")) << model.err;
  const ProgramRun other = elle("--model rw-register", lists);
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_TRUE(
      contains(other.err, "expected a history of rw-register, found the operation 'append'"))
      << other.err;
  const ProgramRun wrong = elle("--model counter", good_bank);
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(contains(wrong.err, "standard input:1:1: expected an integer")) << wrong.err;
  const ProgramRun f = elle("--model mutex", good_bank);
  EXPECT_TRUE(contains(f.err, "expected an operation with :f :acquire, :release, found :read"))
      << f.err;
}

TEST(Elle, ATimeForEachFile) {
  EXPECT_EQ(elle("--model rw-register --cycle-search-timeout 100000", write_skew).exit_code, 10);
  EXPECT_EQ(elle("--model rw-register --cycle-search-timeout 0", write_skew).exit_code, 2);
}

}  // namespace
}  // namespace isoscope::cli
