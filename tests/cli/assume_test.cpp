// --assume: what is said on the command line, and what comes out. Whether the answers are right is
// tests/check/version_assumptions_test.cpp.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace isoscope::cli {
namespace {

constexpr const char* header = "{\"isoscope-history\":1}\n";

/// Two writes of x one after the other, and a later read of the first one's value.
const std::string stale =
    std::string(header) +
    "{\"session\":1,\"id\":1,\"begin\":0,\"end\":10,\"stamp\":7,\"ops\":[[\"w\",\"x\",1]]}\n"
    "{\"session\":2,\"id\":2,\"begin\":20,\"end\":30,\"stamp\":9,\"ops\":[[\"w\",\"x\",2]]}\n"
    "{\"session\":3,\"id\":3,\"begin\":40,\"end\":50,\"ops\":[[\"r\",\"x\",1]]}\n";

/// The reader saw y from the second writer of x, and x from the first.
const std::string skew =
    std::string(header) +
    "{\"session\":1,\"id\":1,\"stamp\":7,\"ops\":[[\"w\",\"x\",1]]}\n"
    "{\"session\":2,\"id\":2,\"stamp\":9,\"ops\":[[\"w\",\"x\",2],[\"w\",\"y\",2]]}\n"
    "{\"session\":3,\"id\":3,\"ops\":[[\"r\",\"y\",2],[\"r\",\"x\",1]]}\n";

TEST(Assume, AVerdictNamesWhatItRestsOn) {
  EXPECT_EQ(run_program("check - --level serializable", stale).exit_code, 0);
  const ProgramRun cyclic =
      run_program("check - --level serializable --assume linearizable-keys", stale);
  EXPECT_EQ(cyclic.exit_code, 10);
  EXPECT_TRUE(contains(cyclic.out, "cyclic versions")) << cyclic.out;
  EXPECT_TRUE(contains(cyclic.out, "(linearizable-keys)")) << cyclic.out;
  EXPECT_TRUE(contains(cyclic.out, "has no certificate")) << cyclic.out;

  EXPECT_EQ(run_program("check - --level serializable", skew).exit_code, 0);
  const ProgramRun stamped =
      run_program("check - --level serializable --assume commit-stamps,wfr-keys", skew);
  EXPECT_EQ(stamped.exit_code, 10);
  EXPECT_TRUE(contains(stamped.out, "commit-stamps")) << stamped.out;
  const ProgramRun json =
      run_program("check - --level serializable --assume commit-stamps --format json", skew);
  EXPECT_TRUE(contains(json.out, "\"assumption\"")) << json.out;
  const ProgramRun weaker =
      run_program("check - --level read-uncommitted --assume commit-stamps", skew);
  EXPECT_EQ(weaker.exit_code, 0);
  EXPECT_TRUE(contains(weaker.out, "commit-stamps")) << weaker.out;
}

TEST(Assume, AllLevelsTogether) {
  const ProgramRun run = run_program("check - --assume commit-stamps", skew);
  EXPECT_TRUE(contains(run.out, "commit-stamps")) << run.out;
  EXPECT_TRUE(contains(run.out, "monotonic-atomic-view")) << run.out;
}

TEST(Assume, NoCertificateOfSuchAViolation) {
  const ProgramRun run = run_program(
      "check - --level serializable --assume commit-stamps --certificate /dev/null", skew);
  EXPECT_TRUE(contains(run.err, "rests on an assumption (commit-stamps)")) << run.err;
}

TEST(Assume, UnknownNamesGetASuggestion) {
  const ProgramRun run = run_program("check - --assume linearisable-keys", stale);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.err, "did you mean `linearizable-keys`?")) << run.err;
}

TEST(Assume, EllesOptions) {
  const std::string edn =
      "{:process 0 :type :invoke :f :txn :value [[:w :x 1]] :index 0}\n"
      "{:process 0 :type :ok :f :txn :value [[:w :x 1]] :index 1}\n"
      "{:process 1 :type :invoke :f :txn :value [[:w :x 2]] :index 2}\n"
      "{:process 1 :type :ok :f :txn :value [[:w :x 2]] :index 3}\n"
      "{:process 2 :type :invoke :f :txn :value [[:r :x nil]] :index 4}\n"
      "{:process 2 :type :ok :f :txn :value [[:r :x 1]] :index 5}\n";
  const std::string model = "elle - --model rw-register --consistency-models serializable";
  EXPECT_EQ(run_program(model, edn).exit_code, 0);
  EXPECT_EQ(run_program(model + " --sequential-keys --wfr-keys", edn).exit_code, 0);
  const ProgramRun run = run_program(model + " --linearizable-keys --verbose", edn);
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "\"cyclic-versions\"]")) << run.out;
  EXPECT_TRUE(contains(run.out, "linearizable-keys")) << run.out;
  EXPECT_EQ(run_program("elle - --model list-append --wfr-keys", edn).exit_code, 2);
}

TEST(Assume, StampsAreReadAndWritten) {
  const ProgramRun copy = run_program("convert - --to native", stale);
  EXPECT_TRUE(contains(copy.out, "\"end\":10,\"stamp\":7,\"ops\"")) << copy.out;
  EXPECT_EQ(run_program("convert - --to native", copy.out).out, copy.out);
  const ProgramRun wrong = run_program(
      "check -",
      std::string(header) + "{\"session\":1,\"stamp\":7,\"outcome\":\"aborted\",\"ops\":[]}\n");
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(contains(wrong.err, "expected a stamp of a committed transaction only")) << wrong.err;
}

}  // namespace
}  // namespace isoscope::cli
