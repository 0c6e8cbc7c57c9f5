#include "cli/command.h"
#include "cli/load.h"
#include "cli/save.h"
#include "cli/workload_option.h"
#include "isoscope/store/run.h"

namespace isoscope::cli {

namespace {

/// Formats of integer registers that start from 0, and nothing else.
bool is_bare(Format format) { return format == Format::dbcop_bincode || format == Format::plume; }

Result<WorkloadPlan> workload_from(const Options& options, Format to) {
  // EDN cannot say that an aborted transaction read nil.
  return workload_option(options, is_bare(to) || to == Format::edn);
}

Result<RunPlan> plan_from(const Options& options, Format to) {
  const auto percent = [&](std::string_view name) {
    return static_cast<unsigned>(options.number(name));
  };
  ISOSCOPE_TRY(store, find_store(options.text("store")));
  ISOSCOPE_TRY(bug, bug_option(options, store));
  ISOSCOPE_TRY(workload, workload_from(options, to));
  if (is_bare(to) && options.text("times") == "on") {
    return Error{"--times on: the format has no times"};
  }
  if (is_bare(to) && options.number("indeterminate-share") > 0) {
    return Error{"--indeterminate-share: the format has no transactions of unknown outcome"};
  }
  const bool times = options.is_set("times") ? options.text("times") == "on" : !is_bare(to);
  return RunPlan{.store = store,
                 .bug = bug,
                 .bug_percent = percent("bug-share"),
                 .workload = workload,
                 .transactions = static_cast<std::size_t>(options.number("transactions")),
                 .abort_percent = percent("abort-share"),
                 .indeterminate_percent = percent("indeterminate-share"),
                 .empty_ones = !is_bare(to),
                 .times = times,
                 .clock_skew = options.number("clock-skew"),
                 .lag = static_cast<std::size_t>(options.number("lag")),
                 .seed = static_cast<std::uint64_t>(options.number("seed"))};
}

}  // namespace

std::string_view generate_details() {
  static const std::string text =
      "Runs clients against an embedded store, one step of a random client at a time, and writes "
      "down what they\n"
      "saw: a history of known isolation, or with a known bug, to try checkers with. The same "
      "options give the\n"
      "same bytes on every machine. What is not said is as usual for the workload.\n"
      "\n"
      "Examples:\n"
      "  isoscope generate --sessions 20 --transactions 5000 --operations 20 --output big.jsonl\n"
      "  isoscope generate --workload bank --store snapshot-isolation --bug lost-update --to "
      "litmus\n"
      "  isoscope generate --workload general --duplicate-keys 30 --key-distribution zipf --to "
      "dbcop\n"
      "\n" +
      list_of("Workloads:", workloads()) + "\n" + list_of("Stores:", stores()) + "\n" +
      list_of("Bugs ('isoscope stores' says which store can have which):", bugs());
  return text;
}

ExitCode run_generate(Invocation& invocation) {
  const auto to = writable_format(invocation.options);
  if (!to) return wrong_usage(to.error());
  const auto plan = plan_from(invocation.options, *to);
  if (!plan) return wrong_usage(plan.error());
  const History history = run(*plan, invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (const auto stopped = invocation.limits.reached()) {
    complain("stopped early (" + std::string(name_of(*stopped)) + "): nothing was written");
    return exit_unknown;
  }
  return save(history, *to, invocation.options.text("output"));
}

}  // namespace isoscope::cli
