// Every command that can take long ends when its limit is reached, and says so. Each gets a task
// that it would not finish in hours: one that does not ask its limits does not end here either.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/hot_history.h"
#include "cli/program.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {
namespace {

/// Too much at a time for a search over frontiers, and too much to choose for a solver.
std::string hard_file(const TemporaryFolder& folder) {
  const History history =
      test::hot_history({.transactions = 4000, .sessions = 100, .keys = 4, .values = 3});
  const auto text = format_history(history, Format::native);
  EXPECT_TRUE(text);
  return folder.write("hard.jsonl", text ? *text : "");
}

bool says_why(const ProgramRun& run, const std::string& limit) {
  const std::string all = run.out + run.err;
  return contains(all, limit) || contains(all, "a limit was reached");
}

TEST(Limits, EveryCommandKeepsThem) {
  const TemporaryFolder folder;
  const std::string hard = hard_file(folder);
  const std::string large =
      "--sessions 50 --transactions 10000000 -o " + folder.path("large.jsonl");
  const std::vector<std::string> tasks = {
      "check " + hard + " --level serializable",
      "check " + hard + " --level snapshot-isolation --session-order off",
      "check " + hard + " --level strict-serializable",
      "check " + hard + " --level strong-snapshot-isolation",
      "shrink " + hard + " --level serializable -o " + folder.path("small.litmus"),
      "generate " + large,
      "synth --allow SI --forbid cerone/SI --txns 9 --no-terms --no-smart",
      "compare SI cerone/SI --txns 9 --no-terms --no-smart",
      "lattice SI cerone/SI SER --txns 9 --no-terms --no-smart",
      "protocol explore s2pl --clients 3 --keys 3 --txns 2",
      "protocol trace s2pl --violation SER --clients 3 --keys 3 --txns 2",
      "protocol trace s2pl --clients 61 --keys 61 --txns 1 --steps 1000000",
      "protocol simulate s2pl --clients 61 --keys 61 --txns 1 --steps 1000000 -o " +
          folder.path("run.jsonl"),
  };
  for (const std::string& task : tasks) {
    const ProgramRun run = run_program(task + " --time-limit 100ms");
    EXPECT_EQ(run.exit_code, 20) << task << "\n" << run.err;
    EXPECT_TRUE(says_why(run, "time limit")) << task << "\n" << run.out << run.err;
  }
  // These are over soon, so they have even less.
  for (const std::string& task :
       {"stats " + hard, "convert " + hard + " --to litmus", std::string("protocol prove s2pl")}) {
    const ProgramRun run = run_program(task + " --time-limit 1ms");
    EXPECT_EQ(run.exit_code, 20) << task << "\n" << run.err;
  }
  for (const std::string& task : tasks) {
    if (contains(task, "--steps")) continue;  // a random run takes little memory at a time
    const ProgramRun run = run_program(task + " --memory-limit 8M");
    EXPECT_EQ(run.exit_code, 20) << task << "\n" << run.err;
    EXPECT_TRUE(says_why(run, "memory limit")) << task << "\n" << run.out << run.err;
  }
}

}  // namespace
}  // namespace isoscope::cli
