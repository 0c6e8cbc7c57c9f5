#include <chrono>
#include <optional>

#include "cli/level_text.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/base/caret_text.h"
#include "isoscope/synth/describe.h"

namespace isoscope::cli {

namespace {

/// The maximum number of histories that are looked for; hardly any question has as many.
constexpr std::size_t most_histories = 1000;
/// The time for explaining what was found when a limit was reached.
constexpr std::chrono::seconds time_to_explain{5};

/// The levels of the question, which refers to them.
struct Asked {
  std::vector<spec::Definition> allow;
  std::vector<spec::Definition> forbid;

  synth::Question question() const {
    synth::Question result;
    for (const spec::Definition& level : allow) result.allow.push_back(&level);
    for (const spec::Definition& level : forbid) result.forbid.push_back(&level);
    return result;
  }
};

ExitCode read_question(const Options& options, Asked& asked) {
  if (options.is_set("allow")) {
    const ExitCode code = read_levels(options.list("allow"), asked.allow);
    if (code != exit_holds) return code;
  }
  if (options.is_set("forbid")) {
    const ExitCode code = read_levels(options.list("forbid"), asked.forbid);
    if (code != exit_holds) return code;
  }
  if (!options.is_set("where")) return exit_holds;
  const std::string& formula = options.text("where");
  auto condition = level_library().formula("--where", formula);
  if (!condition) {
    complain(caret_text(condition.error(), formula));
    return exit_bad_input;
  }
  condition->title = formula;
  asked.allow.push_back(*std::move(condition));
  return exit_holds;
}

void print_effort(const synth::Effort& effort) {
  complain("candidates   " + std::to_string(effort.candidates));
  complain("clauses      " + std::to_string(effort.clauses) + ", " +
           std::to_string(effort.first_clauses) + " at first");
  complain("variables    " + std::to_string(effort.variables));
}

/// One smallest history, or all of them.
synth::AllFound search(Invocation& invocation, const synth::Question& question,
                       const synth::Scope& scope) {
  const synth::Strategy strategy = strategy_option(invocation.options);
  if (invocation.options.flag("all")) {
    return synth::find_all_smallest(question, scope, strategy, most_histories, invocation.limits,
                                    invocation.progress);
  }
  synth::Synthesis answer =
      synth::find_smallest(question, scope, strategy, invocation.limits, invocation.progress);
  synth::AllFound found{.found = {}, .is_complete = false, .effort = answer.effort};
  if (answer.found) found.found.push_back(*std::move(answer.found));
  found.is_complete = answer.kind == synth::Synthesis::Kind::none;
  return found;
}

std::string text_of(const std::vector<synth::Example>& examples, bool are_all) {
  if (examples.size() == 1) return synth::example_text(examples[0]);
  std::string text;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    text += "--- " + std::to_string(i + 1) + " of " + (are_all ? "" : "at least ") +
            std::to_string(examples.size()) + "\n" + synth::example_text(examples[i]) + "\n";
  }
  return text;
}

ExitCode answer(Invocation& invocation, const Asked& asked, const synth::Scope& scope) {
  const Options& options = invocation.options;
  const synth::Question question = asked.question();
  const synth::AllFound all = search(invocation, question, scope);
  invocation.progress.finish();
  if (options.flag("stats")) print_effort(all.effort);
  if (all.found.empty() && !all.is_complete) return stopped(invocation);

  // What was found before a limit was reached is still worth a look.
  const auto stop_reason = all.is_complete ? std::nullopt : invocation.limits.reached_now();
  Limits afterwards;
  if (stop_reason) afterwards.set_time(time_to_explain);
  const Limits& limits = stop_reason ? afterwards : invocation.limits;
  std::vector<synth::Example> examples;
  for (const synth::Found& found : all.found) {
    auto example = synth::confirmed(question, found, limits);
    if (!example) return not_finished(invocation, example.error());
    synth::explain(*example, limits);
    examples.push_back(*std::move(example));
  }
  if (options.text("format") == "json") {
    print(synth::examples_json(examples, all.is_complete, scope));
  } else if (examples.empty()) {
    print("no such history " + synth::scope_text(scope) + "\n");
  } else {
    print(options.text("format") == "svg" ? synth::example_svg(examples[0])
                                          : text_of(examples, all.is_complete));
  }
  if (examples.empty()) return exit_violated;
  ExitCode code = exit_holds;
  if (stop_reason) {
    complain("there may be smaller ones, or more: stopped: " + std::string(name_of(*stop_reason)));
    code = exit_unknown;
  }
  if (!options.is_set("output")) return code;
  const auto to = writable_format(options);
  return worse(code, save(synth::recorded(examples[0]), *to, options.text("output")));
}

}  // namespace

ExitCode run_synth(Invocation& invocation) {
  const Options& options = invocation.options;
  if (!options.is_set("allow") && !options.is_set("forbid") && !options.is_set("where"))
    return wrong_usage(Error{"synth needs --allow, --forbid or --where"});
  if (options.flag("all") && (options.is_set("output") || options.text("format") == "svg"))
    return wrong_usage(Error{"--all: takes no --output and no --format svg, which are for one"});
  if (options.is_set("output") && options.flag("any-session-order"))
    return wrong_usage(Error{"--output: a file holds sessions, so not with --any-session-order"});
  if (const auto to = writable_format(options); !to) return wrong_usage(to.error());
  const auto scope = scope_option(options, {});
  if (!scope) return wrong_usage(scope.error());
  Asked asked;
  if (const ExitCode code = read_question(options, asked); code != exit_holds) return code;
  return within_memory(invocation, [&] { return answer(invocation, asked, *scope); });
}

}  // namespace isoscope::cli
