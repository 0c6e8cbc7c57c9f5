#include <algorithm>
#include <chrono>

#include "cli/load.h"
#include "cli/protocol_model.h"
#include "cli/save.h"
#include "isoscope/judge/opinions.h"

namespace isoscope::cli {

namespace {

using protocol::AbstractLevel;
using protocol::LevelOutcome;

/// The levels that the question is about.
std::vector<AbstractLevel> asked_levels(const protocol::Model& model,
                                        const protocol::ExploreOptions& options) {
  if (options.level) return {*options.level};
  std::vector<AbstractLevel> levels = protocol::claimed_levels(model);
  if (!levels.empty()) return levels;
  for (const protocol::AbstractLevelEntry& entry : protocol::abstract_levels())
    levels.push_back(entry.level);
  return levels;
}

/// A violation counts even if not all states were seen. That there is none counts only if all were.
ExitCode code_of(const protocol::Model& model, const protocol::ExploreOptions& options,
                 const protocol::Exploration& found) {
  if (found.breaks_invariant()) return exit_violated;
  ExitCode code = found.complete ? exit_holds : exit_unknown;
  for (const AbstractLevel level : asked_levels(model, options)) {
    const LevelOutcome::Kind kind = found.at(level).kind;
    if (kind == LevelOutcome::Kind::violated) return exit_violated;
    if (kind == LevelOutcome::Kind::violated_in_version_order) code = exit_unknown;
  }
  return code;
}

/// The first counterexample of a level that the question is about, else of any.
std::optional<std::size_t> first_counterexample(const protocol::Model& model,
                                                const protocol::ExploreOptions& options,
                                                const protocol::Exploration& found) {
  for (const AbstractLevel level : asked_levels(model, options)) {
    if (const auto number = found.at(level).counterexample) return number;
  }
  if (found.counterexamples.empty()) return std::nullopt;
  return 0;
}

void print_effort(const protocol::Exploration& found, std::chrono::steady_clock::duration time) {
  using std::chrono::milliseconds;
  complain("time         " +
           std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms");
  complain("memory       " + std::to_string(found.memory) + " bytes for states, " +
           std::to_string(found.bits_per_state) + " bits each");
}

}  // namespace

ExitCode protocol_explore(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  auto question = explore_options(invocation);
  if (!question) return failed(question.error());
  const auto level = abstract_level_option(options, "level");
  if (!level) return failed(level.error());
  question->level = *level;

  const auto start = std::chrono::steady_clock::now();
  const auto found = protocol::explore(model, *question);
  invocation.progress.finish();
  if (!found) return failed(found.error());
  if (options.flag("stats")) print_effort(*found, std::chrono::steady_clock::now() - start);
  const auto opinions = opinions_on(*found);
  if (!opinions) return failed(opinions.error());
  const protocol::ExplorationReport report{model, *question, *found, *opinions};
  print(options.text("format") == "json" ? protocol::exploration_json(report)
                                         : protocol::exploration_text(report));
  ExitCode code = code_of(model, *question, *found);
  for (const std::string& reason : protocol::vacuities(report)) {
    complain(reason);
    code = worse(code, exit_unknown);
  }
  for (const std::string& reason : protocol::left_out_by_shapes(report))
    complain(reason + " with these sizes and shapes");
  if (code == exit_unknown) {
    for (const AbstractLevel asked : asked_levels(model, *question)) {
      if (found->at(asked).kind != LevelOutcome::Kind::violated_in_version_order) continue;
      complain("unknown: " + std::string(protocol::entry_of(asked).name) +
               " is violated only relative to version order");
    }
  }
  if (!found->complete && code == exit_unknown) complain("unknown: stopped: " + found->stopped);
  if (!options.is_set("output")) return code;
  const auto number = first_counterexample(model, *question, *found);
  if (!number) {
    complain("--output: there is no history to write");
    return code;
  }
  const auto to = writable_format(options);
  return worse(code, save(found->counterexamples[*number].history, *to, options.text("output")));
}

}  // namespace isoscope::cli
