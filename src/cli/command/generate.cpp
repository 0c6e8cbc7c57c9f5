#include <algorithm>
#include <type_traits>

#include "cli/command.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/store/run.h"

namespace isoscope::cli {

namespace {

/// An option that changes the workload's usual plan, and the member of the plan it stands for, as
/// the table of workloads spells it.
struct WorkloadOption {
  std::string_view name;
  std::string_view member;
  void (*set)(WorkloadPlan& plan, const Options& options, std::string_view name);
};

template <auto member>
void set_number(WorkloadPlan& plan, const Options& options, std::string_view name) {
  using Number = std::remove_reference_t<decltype(plan.*member)>;
  plan.*member = static_cast<Number>(options.number(name));
}

void set_distribution(WorkloadPlan& plan, const Options& options, std::string_view name) {
  const std::string& word = options.text(name);
  plan.distribution = word == "zipf"      ? KeyDistribution::zipf
                      : word == "hotspot" ? KeyDistribution::hotspot
                                          : KeyDistribution::uniform;
}

void set_initial(WorkloadPlan& plan, const Options& options, std::string_view name) {
  plan.zero_start = options.text(name) == "0";
}

constexpr WorkloadOption workload_options[] = {
    {"operations", "operations", set_number<&WorkloadPlan::operations>},
    {"keys", "keys", set_number<&WorkloadPlan::keys>},
    {"read-share", "read_percent", set_number<&WorkloadPlan::read_percent>},
    {"key-distribution", "distribution", set_distribution},
    {"key-theta", "distribution", set_number<&WorkloadPlan::key_theta>},
    {"hot-keys", "distribution", set_number<&WorkloadPlan::hot_key_percent>},
    {"hot-share", "distribution", set_number<&WorkloadPlan::hot_use_percent>},
    {"duplicate-keys", "duplicate_percent", set_number<&WorkloadPlan::duplicate_percent>},
    {"values", "value_space", set_number<&WorkloadPlan::value_space>},
    {"value-theta", "value_theta", set_number<&WorkloadPlan::value_theta>},
    {"initial", "zero_start", set_initial},
};

/// Formats of integer registers that start from 0, and nothing else.
bool is_bare(Format format) { return format == Format::dbcop_bincode || format == Format::plume; }

Result<WorkloadPlan> workload_from(const Options& options, Format to) {
  ISOSCOPE_TRY(kind, find_workload(options.text("workload")));
  const WorkloadEntry& entry = entry_of(kind);
  WorkloadPlan plan = entry.usual;
  if (options.is_set("sessions"))
    plan.sessions = static_cast<std::size_t>(options.number("sessions"));
  // EDN cannot say that an aborted transaction read nil.
  const bool wants_zeros = is_bare(to) || to == Format::edn;
  if (wants_zeros && uses(kind, "zero_start")) plan.zero_start = true;
  for (const WorkloadOption& option : workload_options) {
    if (!options.is_set(option.name)) continue;
    if (!uses(kind, option.member)) {
      return Error{"--" + std::string(option.name) + " means nothing to the workload '" +
                   std::string(entry.name) + "'"};
    }
    option.set(plan, options, option.name);
  }
  return plan;
}

Error not_that_bug(StoreKind store, Bug bug) {
  std::string message = "the store '" + std::string(name_of(store)) + "' cannot have the bug '" +
                        std::string(name_of(bug)) + "'; these can:";
  std::string_view separator = " ";
  for (const StoreEntry& other : stores()) {
    if (!can_have(other.kind, bug)) continue;
    message += std::string(separator) + std::string(other.name);
    separator = ", ";
  }
  return Error{message};
}

Result<RunPlan> plan_from(const Options& options, Format to) {
  const auto percent = [&](std::string_view name) {
    return static_cast<unsigned>(options.number(name));
  };
  ISOSCOPE_TRY(store, find_store(options.text("store")));
  ISOSCOPE_TRY(bug, find_bug(options.text("bug")));
  if (!can_have(store, bug)) return not_that_bug(store, bug);
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

template <class Table>
std::string list_of(std::string_view title, const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table) width = std::max(width, row.name.size());
  std::string text = std::string(title) + "\n";
  for (const auto& row : table) {
    text += "  " + std::string(row.name) + std::string(width + 2 - row.name.size(), ' ') +
            std::string(row.summary) + "\n";
  }
  return text;
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
