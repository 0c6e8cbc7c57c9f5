#include "reference/reference_checker.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "reference/definitions.h"
#include "reference/dirty_reads.h"
#include "reference/execution_search.h"
#include "reference/replay.h"
#include "reference/valid_reads.h"

namespace isoscope::reference {
namespace {

using enum LevelId;

/// Decided without looking at an order of versions.
LevelSet judging_single_reads() { return {valid_reads, cut_isolation}; }

LevelSet judging_dirty_reads() { return {read_uncommitted, strong_read_uncommitted}; }

/// Session guarantees that say nothing without sessions: "Without session order read-your-writes,
/// monotonic-reads, monotonic-writes (also per key) and pram ask for no more than valid-reads"
/// (docs/levels.md).
LevelSet vacuous_without_sessions() {
  return {read_your_writes, monotonic_reads, monotonic_writes_per_key, monotonic_writes, pram};
}

/// Each level by what its definition speaks of.
LevelSet decide(const Scenario& scenario, LevelSet levels, bool session_order) {
  LevelSet result;
  const auto take = [&](LevelSet some) {
    some = levels & some;
    levels = levels - some;
    return some;
  };
  if (const LevelSet some = take(judging_single_reads()); !some.empty()) {
    result = result | valid_read_levels(scenario, some);
  }
  if (const LevelSet some = take(judging_dirty_reads()); !some.empty()) {
    result = result | dirty_read_levels(scenario, some);
  }
  if (const LevelSet some = take(replayed_levels()); !some.empty()) {
    result = result | replay(scenario, some);
  }
  if (!session_order) {
    const LevelSet some = take(vacuous_without_sessions());
    if (!some.empty() && !valid_read_levels(scenario, {valid_reads}).empty()) {
      result = result | some;
    }
  }
  if (levels.empty()) return result;
  return result | search_executions(scenario, levels, [](const Execution& part, LevelSet open) {
           return Definitions(part).satisfied(open);
         });
}

/// Takes what is assumed of the versions that the scenario has. False if no order of some key's
/// versions is like that.
bool take_assumptions(const History& history, const Options& options, Scenario& scenario) {
  if (options.assumed.empty()) return true;
  scenario.assumed.assign(history.key_count(), Relation());
  const auto number = [&](std::optional<TransactionId> t) {
    if (!t) return 0;
    const auto at = std::ranges::find(scenario.ids, *t);
    return at == scenario.ids.end() ? -1 : static_cast<int>(at - scenario.ids.begin()) + 1;
  };
  for (const AssumedOrder& order : options.assumed) {
    const int earlier = number(order.earlier);
    const int later = number(order.later);
    if (earlier < 0 || later < 0) continue;
    scenario.assumed[order.key.index()].add(earlier, later);
  }
  return std::ranges::all_of(scenario.assumed, [&](const Relation& of_key) {
    Relation with_initial = of_key;
    for (int t = 1; t < scenario.size; ++t) with_initial.add(0, t);
    return acyclic(with_initial);
  });
}

LevelSet decide(const History& history, LevelSet levels, bool session_order,
                const Options& options) {
  LevelSet found;
  if (levels.empty()) return found;
  const Scenario::SessionRule rule{
      session_order, options.indeterminate_cuts.value_or(history.indeterminate_cuts())};
  for (Scenario& scenario : all_scenarios(history, rule, options.clock_skew)) {
    if (!take_assumptions(history, options, scenario)) continue;
    found = found | decide(scenario, levels - found, session_order);
  }
  return found;
}

}  // namespace

std::vector<bool> satisfied(const History& history, std::span<const Level> levels,
                            const Options& options) {
  ISOSCOPE_REQUIRE(is_within_limits(history));
  LevelSet with, without;
  for (const Level& level : levels) (level.session_order ? with : without).add(level.id);
  with = decide(history, with, true, options);
  without = decide(history, without, false, options);
  std::vector<bool> result;
  for (const Level& level : levels) {
    result.push_back((level.session_order ? with : without).has(level.id));
  }
  return result;
}

bool satisfies(const History& history, Level level, const Options& options) {
  return satisfied(history, std::span(&level, 1), options).front();
}

}  // namespace isoscope::reference
