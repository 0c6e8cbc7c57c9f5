#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "isoscope/store/store_kind.h"
#include "isoscope/workload/workload.h"

namespace isoscope::cli {
namespace {

TEST(Generate, WritesAHistoryThatCheckReads) {
  for (const WorkloadEntry& workload : workloads()) {
    const ProgramRun made = run_program("generate --sessions 3 --transactions 10 --workload " +
                                        std::string(workload.name));
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    EXPECT_EQ(run_program("check - --level valid-reads", made.out).exit_code, 0) << workload.name;
  }
}

TEST(Generate, TheSameOptionsGiveTheSameBytes) {
  const std::string options = "generate --store causal --transactions 20 --seed ";
  EXPECT_EQ(run_program(options + "1").out, run_program(options + "1").out);
  EXPECT_NE(run_program(options + "1").out, run_program(options + "2").out);
}

TEST(Generate, WritesEveryFormatThatCanHoldIt) {
  for (const char* format : {"native", "litmus", "edn", "dbcop", "plume"}) {
    const ProgramRun made = run_program("generate --transactions 50 --to " + std::string(format));
    EXPECT_EQ(made.exit_code, 0) << format << ": " << made.err;
    EXPECT_EQ(run_program("check - --level valid-reads", made.out).exit_code, 0) << format;
  }
  // Lists, and rows, go where they can.
  EXPECT_EQ(run_program("generate --workload list-append --to edn").exit_code, 0);
  EXPECT_EQ(run_program("generate --workload counter --to dbcop").exit_code, 0);
  const ProgramRun refused = run_program("generate --workload blindw-pred --to plume");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1);
}

TEST(Generate, WritesToAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("h.jsonl");
  const ProgramRun made = run_program("generate --transactions 5 --output " + path);
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.out, "");
  EXPECT_EQ(contents(path), run_program("generate --transactions 5").out);
}

TEST(Generate, ABugIsFound) {
  const std::string options = "generate --store read-committed --abort-share 20 --keys 5 ";
  EXPECT_EQ(run_program("check - --level valid-reads", run_program(options).out).exit_code, 0);
  const ProgramRun made = run_program(options + "--bug dirty-read");
  EXPECT_EQ(run_program("check - --level valid-reads", made.out).exit_code, 10);
}

TEST(Generate, TimesAndSkewAndOutcomesAreAsAsked) {
  const auto stats = [](const std::string& options) {
    return run_program("stats -", run_program("generate --store prefix " + options).out).out;
  };
  EXPECT_TRUE(contains(stats(""), "2000 committed, 0 aborted, 0 indeterminate"));
  EXPECT_FALSE(contains(stats("--abort-share 10"), " 0 aborted"));
  EXPECT_FALSE(contains(stats("--indeterminate-share 10"), " 0 indeterminate"));
  EXPECT_NE(run_program("generate --clock-skew 5ms").out, run_program("generate").out);
  EXPECT_FALSE(contains(run_program("generate --times off").out, "\"begin\""));
  EXPECT_TRUE(contains(run_program("generate").out, "\"begin\""));
}

TEST(Generate, WrongUsageIsOneLineAndExitCode2) {
  for (const char* options :
       {"--store mongo", "--bug typo", "--workload chess", "--to html",
        "--store read-uncommitted --bug write-skew", "--workload bank --duplicate-keys 10",
        "--sessions 0", "--keys 0", "--read-share 101", "--key-theta -1", "--key-theta 0.123",
        "--clock-skew soon", "--to cobra", "--to plume --times on",
        "--to dbcop --indeterminate-share 5", "--seed -1", "--transactions x", "--lag -1",
        "more"}) {
    const ProgramRun run = run_program(std::string("generate ") + options);
    EXPECT_EQ(run.exit_code, 2) << options;
    EXPECT_EQ(run.out, "") << options;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << options << ": " << run.err;
  }
  EXPECT_TRUE(contains(run_program("generate --store read-uncommitted --bug write-skew").err,
                       "serializable-ssi"));
}

TEST(Generate, StopsAtALimitWithoutWriting) {
  const ProgramRun run =
      run_program("generate --transactions 100000000 --memory-limit 1M --output /dev/null");
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_TRUE(contains(run.err, "memory"));
}

TEST(Generate, HelpNamesAllThereIs) {
  const std::string help = run_program("generate --help").out;
  for (const WorkloadEntry& row : workloads()) EXPECT_TRUE(contains(help, row.name)) << row.name;
  for (const StoreEntry& row : stores()) EXPECT_TRUE(contains(help, row.name)) << row.name;
  for (const BugEntry& row : bugs()) EXPECT_TRUE(contains(help, row.name)) << row.name;
}

TEST(Stores, AreListedAndShown) {
  const ProgramRun all = run_program("stores");
  EXPECT_EQ(all.exit_code, 0);
  for (const StoreEntry& row : stores()) {
    EXPECT_TRUE(contains(all.out, row.name));
    const ProgramRun one = run_program("stores show " + std::string(row.name));
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_TRUE(contains(one.out, row.summary));
    const ProgramRun json = run_program("stores show --format json " + std::string(row.name));
    EXPECT_TRUE(json.out.starts_with("{\"isoscope-store\":1,\"name\":\"" + std::string(row.name)));
  }
  EXPECT_TRUE(contains(run_program("stores show snapshot-isolation").out,
                       "without a bug               repeatable-read, update-serializable\n"));
  EXPECT_TRUE(run_program("stores --format json").out.starts_with("{\"isoscope-stores\":1,"));
  for (const char* wrong : {"stores show", "stores show x", "stores list", "stores --format svg"}) {
    EXPECT_EQ(run_program(wrong).exit_code, 2) << wrong;
  }
}

}  // namespace
}  // namespace isoscope::cli
