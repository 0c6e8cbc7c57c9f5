#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/command.h"
#include "cli/level_option.h"
#include "cli/workload_option.h"
#include "isoscope/base/words.h"
#include "isoscope/record/open_database.h"
#include "isoscope/record/recorder.h"

namespace isoscope::cli {

namespace {

constexpr std::string_view usual_database = "serializable-2pl";

constexpr std::string_view about =
    "Each client is a thread with a connection of its own. It runs the transactions of the "
    "workload, and what it saw is\n"
    "written at once, one line for each transaction (docs/formats/native.md). Nothing is lost when "
    "this program is killed:\n"
    "a transaction is written before COMMIT is sent, and its outcome when the answer is there. "
    "Ctrl-C ends the run.\n"
    "A file that exists is never written over; without --output it is recorded-1.jsonl, or the "
    "next number.\n"
    "DATABASE is the name of an embedded store, or a connection string. Its tables isoscope and "
    "isoscope_... are dropped\n"
    "and made anew; nothing else is touched. docs/recording.md tells the rest, also how to record "
    "your own application.\n"
    "\n"
    "Examples:\n"
    "  isoscope record snapshot-isolation --workload write-skew --check\n"
    "  isoscope record sqlite:test.db --workload bank --duration 10s --output bank.jsonl\n"
    "  isoscope record postgresql://me@localhost/test --isolation repeatable-read --check\n"
    "\n";

constexpr std::string_view exit_codes =
    "\nExit code: 0 recorded; with --check that of isoscope check; 2 wrong usage, unknown "
    "database or level; 3 the database\n"
    "cannot be reached, refuses, or was lost, or the file cannot be written.\n";

std::string_view record_details() {
  static const std::string text = [] {
    std::string databases = "Databases:\n";
    for (const record::DatabaseEntry& entry : record::databases()) {
      std::string line = "  " + std::string(entry.example);
      line.resize(std::max<std::size_t>(line.size() + 2, 36), ' ');
      databases += line + std::string(entry.summary) + "\n";
    }
    return std::string(about) + databases + "\n" + list_of("Embedded stores:", stores()) + "\n" +
           list_of("Workloads:", workloads()) + std::string(exit_codes);
  }();
  return text;
}

std::string first_free_name() {
  for (std::size_t number = 1;; ++number) {
    std::string name = "recorded-" + std::to_string(number) + ".jsonl";
    std::error_code problem;
    if (!std::filesystem::exists(std::filesystem::symlink_status(name, problem))) return name;
  }
}

struct Question {
  record::OpenOptions open;
  record::RecordPlan plan;
  std::vector<std::string> levels;  ///< to check
};

Result<Question> question_of(const Invocation& invocation, const std::string& database) {
  const Options& options = invocation.options;
  Question question;
  ISOSCOPE_TRY(workload, workload_option(options, false));
  workload.seed = static_cast<std::uint64_t>(options.number("seed"));
  question.levels = options.list("level");
  for (const std::string& level : question.levels) {
    if (level != "all") ISOSCOPE_TRY_STATUS(find_level(level));
  }
  const auto store = find_store(database);
  ISOSCOPE_TRY(bug, store ? bug_option(options, *store) : find_bug(options.text("bug")));
  question.open = {.isolation = options.text("isolation"),
                   .bug = bug,
                   .bug_percent = static_cast<unsigned>(options.number("bug-share")),
                   .lag = static_cast<std::size_t>(options.number("lag")),
                   .clients = workload.sessions,
                   .seed = workload.seed};
  record::RecordPlan& plan = question.plan;
  plan.workload = workload;
  plan.abort_percent = static_cast<unsigned>(options.number("abort-share"));
  if (options.is_set("duration"))
    plan.duration = std::chrono::nanoseconds(options.number("duration"));
  if (options.is_set("transactions") || !plan.duration)
    plan.transactions = static_cast<std::size_t>(options.number("transactions"));
  if (options.is_set("pause")) plan.pause = std::chrono::nanoseconds(options.number("pause"));
  plan.path = options.is_set("output") ? options.text("output") : first_free_name();
  return question;
}

/// 12345 as 12,345.
std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string summary(const Question& question, const record::Recording& recording,
                    const record::Database& database) {
  const record::Tally& tally = recording.tally;
  const double seconds = static_cast<double>(recording.time.count()) / 1e9;
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(tally.transactions()) /
                                               std::max(seconds, 1e-9));
  char time[32];
  std::snprintf(time, sizeof time, "%.1f s", seconds);
  std::string text = question.plan.path + ": " + recording.database.server + " at " +
                     std::string(database.isolation()) + "\n  " +
                     with_commas(tally.transactions()) + " transactions of " +
                     with_commas(question.plan.workload.sessions) + " clients in " + time + " (" +
                     with_commas(rate) + "/s): " + with_commas(tally.committed) + " committed, " +
                     with_commas(tally.rolled_back + tally.aborted_by_database()) + " aborted, " +
                     with_commas(tally.indeterminate) + " of unknown outcome\n";
  if (tally.rolled_back != 0)
    text += "  " + with_commas(tally.rolled_back) + " aborted by their client\n";
  for (std::size_t i = 0; i < record::trouble_count; ++i) {
    if (tally.aborted[i] == 0) continue;
    text += "  " + with_commas(tally.aborted[i]) +
            " aborted: " + std::string(name_of(static_cast<record::Trouble>(i))) + ", as in \"" +
            tally.examples[i] + "\"\n";
  }
  if (tally.reconnected != 0)
    text += "  connected again " + with_commas(tally.reconnected) + " times\n";
  if (const auto promise = database.promise()) text += "  promised: " + text_of(*promise) + "\n";
  return text;
}

/// As `isoscope check FILE` does, with --expect what was promised, or with --level.
ExitCode check_recording(const Question& question, const record::Database& database) {
  const Command& command = *std::ranges::find(commands(), "check", &Command::name);
  const std::vector<OptionSpec> table = options_of(command);
  Invocation check(table);
  check.arguments = {question.plan.path};
  const auto promise = database.promise();
  if (!question.levels.empty()) {
    for (const std::string& level : question.levels) {
      if (const Status set = check.options.set("level", level); !set)
        return wrong_usage(set.error());
    }
  } else if (promise) {
    const Status set = check.options.set("expect", name_of(promise->id));
    if (!set) return wrong_usage(set.error());
  }
  print("\n");
  return run_check(check);
}

}  // namespace

Command record_command() {
  return {
      "record",
      "run a workload on a database, and record what its clients saw",
      "[DATABASE]",
      0,
      1,
      {"isolation",
       "workload",
       "sessions",
       {"transactions",
        {},
        {},
        "the number of transactions of each client, aborted ones included (with --duration: "
        "any number)"},
       "duration",
       {"output", {}, {}, "the file to make (default: recorded-1.jsonl, or the next number)"},
       "check",
       {"level", {}, {}, "check the recording at these levels when it is done"},
       "operations",
       "keys",
       "read-share",
       "key-distribution",
       "key-theta",
       "hot-keys",
       "hot-share",
       "duplicate-keys",
       "values",
       "value-theta",
       {"initial", {}, {}, "what keys hold before the run (default: as usual for the workload)"},
       "abort-share",
       "pause",
       "seed",
       {"bug", {}, {}, "a bug to switch on in an embedded store ('isoscope stores')"},
       "bug-share",
       "lag"},
      record_details(),
      run_record};
}

ExitCode run_record(Invocation& invocation) {
  const std::string name =
      invocation.arguments.empty() ? std::string(usual_database) : invocation.arguments.front();
  auto question = question_of(invocation, name);
  if (!question) return wrong_usage(question.error());
  const auto opened = record::open_database(name, question->open);
  if (!opened) return failed(opened.error());
  question->plan.database = opened->shown;
  record::Database& database = *opened->database;
  const auto recording =
      record::record(database, question->plan, invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (!recording) return failed(recording.error());
  print(summary(*question, *recording, database));
  ExitCode code = exit_holds;
  if (recording->ended_by) {
    complain("ended early: " + recording->ended_by->text());
    code = exit_bad_input;
  }
  if (!invocation.options.flag("check") && question->levels.empty()) return code;
  return worse(code, check_recording(*question, database));
}

}  // namespace isoscope::cli
