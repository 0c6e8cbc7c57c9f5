#include <optional>

#include "cli/caret.h"
#include "cli/level_library.h"
#include "cli/load.h"
#include "cli/save.h"
#include "cli/scope_option.h"
#include "cli/stopped.h"
#include "isoscope/synth/describe.h"
#include "isoscope/synth/examples.h"

namespace isoscope::cli {

namespace {

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

Result<Asked> read_question(const Options& options) {
  Asked asked;
  if (options.is_set("allow")) {
    ISOSCOPE_TRY(levels, read_levels(options.list("allow")));
    asked.allow = std::move(levels);
  }
  if (options.is_set("forbid")) {
    ISOSCOPE_TRY(levels, read_levels(options.list("forbid")));
    asked.forbid = std::move(levels);
  }
  if (!options.is_set("where")) return asked;
  const std::string& formula = options.text("where");
  auto condition = level_library().formula("--where", formula);
  if (!condition) return with_caret(condition.error(), formula);
  condition->title = formula;
  asked.allow.push_back(*std::move(condition));
  return asked;
}

void print_effort(const synth::Effort& effort) {
  complain("candidates   " + std::to_string(effort.candidates));
  complain("clauses      " + std::to_string(effort.clauses) + ", " +
           std::to_string(effort.first_clauses) + " at first");
  complain("variables    " + std::to_string(effort.variables));
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
  const auto wanted = options.flag("all") ? synth::Wanted::all : synth::Wanted::one;
  const auto found = synth::find_examples(asked.question(), scope, strategy_option(options), wanted,
                                          invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (!found) return failed(found.error());
  if (options.flag("stats")) print_effort(found->effort);
  const std::vector<synth::Example>& examples = found->examples;
  if (examples.empty() && !found->is_complete) return stopped(invocation);

  if (options.text("format") == "json") {
    print(synth::examples_json(examples, found->is_complete, scope));
  } else if (examples.empty()) {
    print("no such history " + synth::scope_text(scope) + "\n");
  } else {
    print(options.text("format") == "svg" ? synth::example_svg(examples[0])
                                          : text_of(examples, found->is_complete));
  }
  if (examples.empty()) return exit_violated;
  ExitCode code = exit_holds;
  if (found->stopped) {
    complain("there may be smaller ones, or more: stopped: " +
             std::string(name_of(*found->stopped)));
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
  if (!scope) return failed(scope.error());
  const auto asked = read_question(options);
  if (!asked) return failed(asked.error());
  return within_memory(invocation, [&] { return answer(invocation, *asked, *scope); });
}

}  // namespace isoscope::cli
