#include "cli/workload_option.h"

#include <type_traits>

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

}  // namespace

Result<WorkloadPlan> workload_option(const Options& options, bool wants_zeros) {
  ISOSCOPE_TRY(kind, find_workload(options.text("workload")));
  const WorkloadEntry& entry = entry_of(kind);
  WorkloadPlan plan = entry.usual;
  if (options.is_set("sessions"))
    plan.sessions = static_cast<std::size_t>(options.number("sessions"));
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

Result<Bug> bug_option(const Options& options, StoreKind store) {
  ISOSCOPE_TRY(bug, find_bug(options.text("bug")));
  if (!can_have(store, bug)) return not_that_bug(store, bug);
  return bug;
}

}  // namespace isoscope::cli
