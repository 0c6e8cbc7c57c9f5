#include <algorithm>

#include "cli/command.h"
#include "isoscope/base/text_lines.h"
#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/history/statistics.h"
#include "isoscope/report/verdict_report.h"
#include "isoscope/store/run.h"

namespace isoscope::cli {

namespace {

constexpr Level demo_level{LevelId::valid_reads, true};
/// Before the lines of a history or a verdict.
constexpr std::string_view margin = "    ";

std::string summary(const History& history) {
  const HistoryStatistics stats = statistics_of(history);
  return std::to_string(stats.transactions) + " transactions (" +
         std::to_string(stats.count(Outcome::committed)) + " committed, " +
         std::to_string(stats.count(Outcome::aborted)) + " aborted), " +
         std::to_string(stats.operations) + " operations on " + std::to_string(stats.keys) +
         " keys";
}

/// Most short runs do not happen to show a bug: the demo looks for the first seed whose run has a
/// client that read what was rolled back.
constexpr int seeds_to_try = 1000;

bool shows_the_bug(const RunPlan& plan) {
  const Verdict verdict = check(run(plan), demo_level);
  return std::ranges::any_of(
      verdict.evidence, [](const BadRead& bad) { return bad.kind == ReadFinding::aborted_read; });
}

RunPlan plan_that_shows_the_bug(std::uint64_t first_seed) {
  RunPlan plan;
  plan.store = StoreKind::read_committed;
  plan.workload.sessions = 3;
  plan.workload.operations = 3;
  plan.workload.keys = 3;
  plan.transactions = 3;
  plan.abort_percent = 25;
  plan.times = false;
  plan.bug = Bug::dirty_read;
  plan.seed = first_seed;
  for (int i = 0; i < seeds_to_try && !shows_the_bug(plan); ++i) ++plan.seed;
  return plan;
}

/// Nobody wrote what Ann read, and still she cannot have seen this: rows that a query did not
/// return say something, too.
constexpr std::string_view phantom =
    "ann: T1 rp(booking: room = 7, {}) rp(booking: room = 7, {1:{hour:10 room:7 who:bob}})\n"
    "bob: T2 i(booking.1,{hour:10 room:7 who:bob})\n";

Result<Answer> show_phantom() {
  const Source source = Source::from_memory("booking", std::string(phantom));
  ISOSCOPE_TRY(history, read_history(source, {.format = Format::litmus}));
  print(indented(phantom, margin) + "\n");
  const Verdict verdict = check(history, {LevelId::snapshot_isolation, true});
  print(indented(report::verdict_text("the booking", history, verdict), margin) + "\n");
  return verdict.answer;
}

Result<Answer> show(const RunPlan& plan) {
  const History history = run(plan);
  print("  Recorded " + summary(history) +
        ".\n  In litmus notation, r = read, w = write, ! = aborted:\n\n");
  ISOSCOPE_TRY(litmus, format_history(history, Format::litmus));
  print(indented(litmus, margin) + "\n");
  const Verdict verdict = check(history, demo_level);
  print(indented(report::verdict_text("this run", history, verdict), margin) + "\n");
  return verdict.answer;
}

}  // namespace

ExitCode run_demo(Invocation& invocation) {
  const RunPlan buggy =
      plan_that_shows_the_bug(static_cast<std::uint64_t>(invocation.options.number("seed")));
  RunPlan sound = buggy;
  sound.bug = Bug::none;
  print(
      "Three clients run transactions against a small embedded database.\n\n1. The database as it "
      "should be\n\n");
  const auto first = show(sound);
  if (!first) return failed(first.error());
  print("2. The same clients, with the bug '" + std::string(name_of(buggy.bug)) +
        "' switched on in the database\n\n");
  const auto second = show(buggy);
  if (!second) return failed(second.error());
  print(
      "3. Queries: Ann asked twice for bookings of room 7 in one transaction, while Bob made "
      "one\n\n"
      "  rp = SELECT ... WHERE and the rows it returned, i = INSERT:\n\n");
  const auto third = show_phantom();
  if (!third) return failed(third.error());
  if (*first != Answer::holds || *second != Answer::violated || *third != Answer::violated) {
    complain("internal error: the demo did not show what it should");
    return exit_internal_error;
  }
  print(
      "Next: check a history of your own.\n\n"
      "    isoscope check FILE --level serializable    Jepsen, Elle, dbcop, Cobra, PolySI, Plume, "
      "... or native JSON\n"
      "    isoscope stats FILE                         what is in it, and what it can be checked "
      "for\n"
      "    isoscope generate --help                    more histories: other workloads, stores and "
      "bugs\n"
      "    isoscope levels                             the isolation levels and what they "
      "forbid\n");
  return exit_holds;
}

}  // namespace isoscope::cli
