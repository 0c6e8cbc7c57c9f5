// Every command that can take long ends when its limit is reached, and says so. Each gets a task
// that it would not finish in hours: one that does not ask its limits does not end here either.
// What it may use beyond a limit is bounded, too. For limits of time this is measured as processor
// time of one thread, which is at most the time that passes: a machine that is busy with something
// else makes it no longer.

#include "isoscope/base/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/child.h"
#include "check/hot_history.h"
#include "cli/program.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {
namespace {

/// Too much at a time for a search over frontiers, and too much to choose for a solver. It is made
/// in another process, because a process that measures must stay small.
std::string hard_file(const TemporaryFolder& folder) {
  const auto text = text_in_child([] {
    const History history =
        test::hot_history({.transactions = 4000, .sessions = 100, .keys = 4, .values = 3});
    return *format_history(history, Format::native);
  });
  EXPECT_TRUE(text);
  return folder.write("hard.jsonl", text.value_or(""));
}

/// A list to which two elements were appended in turn, read in another order than that: each half
/// of the transactions may have appended any of its elements.
std::string repeated_list_file(const TemporaryFolder& folder) {
  constexpr int appends = 3000;
  std::string text = "{\"isoscope-history\":1}\n";
  std::string list;
  for (int i = 0; i < appends; ++i) {
    text += "{\"session\":" + std::to_string(i % 5) + ",\"ops\":[[\"append\",\"x\"," +
            std::to_string(i % 2) + "]]}\n";
    list += (i == 0 ? "" : ",") + std::to_string(i / 3 * 7 % 2);
  }
  text += "{\"session\":9,\"ops\":[[\"r\",\"x\",[" + list + "]]]}\n";
  return folder.write("list.jsonl", text);
}

struct MeasuredRun {
  ProgramUse use;
  std::string said;
};

MeasuredRun measured(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command = "cd '" ISOSCOPE_SOURCE_DIR "' && exec '" ISOSCOPE_BINARY_DIR
                              "/bin/isoscope' " +
                              arguments + " >" + folder.path("out") + " 2>" + folder.path("err");
  const ProgramUse use = isoscope::run_program({"sh", "-c", command});
  return {use, contents(folder.path("out")) + contents(folder.path("err"))};
}

// What a command may use beyond a limit: a second, and small allocations between two looks at the
// memory. With a sanitizer everything takes many times as long and more memory than is asked for;
// then it counts only that a command ends.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double seconds_beyond = 1e9;
constexpr std::size_t bytes_beyond = std::size_t{1} << 50;
#else
constexpr double seconds_beyond = 1;
constexpr std::size_t bytes_beyond = std::size_t{4} << 20;
#endif

/// A task without end, and a limit that it reaches soon.
struct Task {
  std::string arguments;
  std::size_t megabytes = 0;  ///< 0: it takes little memory at a time
};

std::vector<Task> endless_tasks(const TemporaryFolder& folder, const std::string& hard) {
  const std::string check = "check --threads 1 " + hard + " --level ";
  const std::string list = "check --threads 1 " + repeated_list_file(folder) + " --level ";
  const std::string explore = " s2pl --clients 3 --keys 3 --txns 2 --threads 1";
  const std::string random_run = " s2pl --clients 61 --keys 61 --txns 1 --steps 1000000";
  return {
      {check + "serializable", 32},
      {check + "snapshot-isolation --session-order off", 32},
      {check + "strict-serializable", 32},
      {check + "strong-snapshot-isolation", 32},
      {check + "read-committed", 32},
      {check + "causal,serializable", 32},
      {list + "serializable", 32},
      {list + "snapshot-isolation --session-order off", 32},
      {"shrink --threads 1 " + hard + " --level serializable -o " + folder.path("small"), 32},
      {"generate --sessions 50 --transactions 10000000 -o " + folder.path("large.jsonl"), 32},
      {"synth --allow SI --forbid cerone/SI --txns 9 --no-terms --no-smart", 8},
      {"compare SI cerone/SI --txns 9 --no-terms --no-smart", 8},
      {"lattice SI cerone/SI SER --txns 9 --no-terms --no-smart", 8},
      {"protocol explore" + explore, 32},
      {"protocol trace --violation SER" + explore, 32},
      {"protocol trace --threads 1" + random_run},
      {"protocol simulate -o " + folder.path("run.jsonl") + random_run},
  };
}

bool says_why(const MeasuredRun& run, const std::string& limit) {
  return contains(run.said, limit) || contains(run.said, "a limit was reached");
}

TEST(Limits, EveryCommandKeepsThatOfTime) {
  const TemporaryFolder folder;
  const std::string hard = hard_file(folder);
  for (const Task& task : endless_tasks(folder, hard)) {
    const MeasuredRun run = measured(task.arguments + " --time-limit 100ms");
    EXPECT_EQ(run.use.exit_code, 20) << task.arguments << "\n" << run.said;
    EXPECT_TRUE(says_why(run, "time limit")) << task.arguments << "\n" << run.said;
    EXPECT_LE(run.use.cpu_seconds, 0.1 + seconds_beyond) << task.arguments;
  }
  // These are over soon, so they have even less.
  for (const std::string& task :
       {"stats " + hard, "convert " + hard + " --to litmus", std::string("protocol prove s2pl")}) {
    const MeasuredRun run = measured(task + " --threads 1 --time-limit 1ms");
    EXPECT_EQ(run.use.exit_code, 20) << task << "\n" << run.said;
    EXPECT_LE(run.use.cpu_seconds, 0.001 + seconds_beyond) << task;
  }
}

TEST(Limits, EveryCommandKeepsThatOfMemory) {
  const TemporaryFolder folder;
  const std::string hard = hard_file(folder);
  for (const Task& task : endless_tasks(folder, hard)) {
    if (task.megabytes == 0) continue;
    const MeasuredRun run =
        measured(task.arguments + " --memory-limit " + std::to_string(task.megabytes) + "M");
    EXPECT_EQ(run.use.exit_code, 20) << task.arguments << "\n" << run.said;
    EXPECT_TRUE(says_why(run, "memory limit")) << task.arguments << "\n" << run.said;
    // What we have ourselves counts, too.
    EXPECT_LE(run.use.peak_bytes, std::max(task.megabytes << 20, resident_memory()) + bytes_beyond)
        << task.arguments;
  }
}

}  // namespace
}  // namespace isoscope::cli
