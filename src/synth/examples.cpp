#include "isoscope/synth/examples.h"

#include <chrono>

namespace isoscope::synth {

namespace {

/// The time for explaining what was found when a limit was reached.
constexpr std::chrono::seconds time_to_explain{5};

AllFound search(const Question& question, const Scope& scope, const Strategy& strategy,
                Wanted wanted, const Limits& limits, Progress& progress) {
  if (wanted == Wanted::all)
    return find_all_smallest(question, scope, strategy, most_examples, limits, progress);
  Synthesis answer = find_smallest(question, scope, strategy, limits, progress);
  AllFound found{.found = {}, .is_complete = false, .effort = answer.effort};
  if (answer.found) found.found.push_back(*std::move(answer.found));
  found.is_complete = answer.kind == Synthesis::Kind::none;
  return found;
}

}  // namespace

Result<Examples> find_examples(const Question& question, const Scope& scope,
                               const Strategy& strategy, Wanted wanted, const Limits& limits,
                               Progress& progress) {
  const AllFound all = search(question, scope, strategy, wanted, limits, progress);
  Examples result{
      .examples = {}, .is_complete = all.is_complete, .stopped = {}, .effort = all.effort};
  if (!all.is_complete) result.stopped = limits.reached_now();

  // What was found before a limit was reached is still worth a look.
  Limits afterwards;
  if (result.stopped) afterwards.set_time(time_to_explain);
  const Limits& limits_now = result.stopped ? afterwards : limits;
  for (const Found& found : all.found) {
    auto example = confirmed(question, found, limits_now);
    if (!example && example.error().kind == ErrorKind::stopped) {
      return Examples{.examples = {},
                      .is_complete = false,
                      .stopped = limits.reached_now(),
                      .effort = all.effort};
    }
    if (!example) return std::move(example).error();
    explain(*example, limits_now);
    result.examples.push_back(*std::move(example));
  }
  return result;
}

}  // namespace isoscope::synth
