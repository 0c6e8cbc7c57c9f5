#include "cli/load.h"
#include "cli/protocol_model.h"
#include "cli/save.h"
#include "isoscope/protocol/simulate.h"

namespace isoscope::cli {

namespace {

Result<protocol::SimulateOptions> simulate_options(const Invocation& invocation,
                                                   protocol::Sizes otherwise) {
  const Options& options = invocation.options;
  ISOSCOPE_TRY(sizes, sizes_option(options, otherwise));
  return protocol::SimulateOptions{.sizes = sizes,
                                   .seed = static_cast<std::uint64_t>(options.number("seed")),
                                   .most_steps = static_cast<std::size_t>(options.number("steps")),
                                   .limits = invocation.limits};
}

/// A part of a run is not the run that the seed stands for.
ExitCode stopped_early(StopReason reason) {
  complain("unknown: stopped: " + std::string(name_of(reason)) + ", with the run not at its end");
  return exit_unknown;
}

/// What is shown of a run besides its steps.
struct Shown {
  std::string title;
  std::vector<std::string> notes;
};

void print_run(const Options& options, const protocol::Model& model, const protocol::Trace& trace,
               const Shown& shown) {
  if (options.text("format") == "svg") {
    print(protocol::svg_of(model, trace, shown.title, shown.notes));
    return;
  }
  print(shown.title + "\n");
  for (const std::string& note : shown.notes) print(note + "\n");
  print(protocol::text_of(model, trace));
}

ExitCode print_violation(Invocation& invocation, const protocol::Model& model,
                         protocol::AbstractLevel level) {
  auto question = explore_options(invocation);
  if (!question) return failed(question.error());
  question->level = level;
  const auto found = protocol::explore(model, *question);
  invocation.progress.finish();
  if (!found) return failed(found.error());
  const auto number = found->at(level).counterexample;
  if (!number) {
    const std::string name(protocol::entry_of(level).name);
    if (!found->complete) {
      complain("unknown: stopped: " + found->stopped);
      return exit_unknown;
    }
    complain("no run with " + protocol::sizes_text(question->sizes) + " violates " + name);
    return exit_usage;
  }
  const protocol::Counterexample& run = found->counterexamples[*number];
  const Shown shown{model.name + ": " + protocol::counterexample_title(model, *found, *number),
                    {run.why}};
  print_run(invocation.options, model, run.trace, shown);
  return exit_holds;
}

}  // namespace

ExitCode protocol_simulate(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  const auto how = simulate_options(invocation, protocol::SimulateOptions().sizes);
  if (!how) return failed(how.error());
  const protocol::Simulation run = protocol::simulate(model, *how);
  if (run.stopped) return stopped_early(*run.stopped);
  const auto to = writable_format(options);
  return save(run.history, *to, options.is_set("output") ? options.text("output") : "");
}

ExitCode protocol_trace(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  const auto level = abstract_level_option(options, "violation");
  if (!level) return failed(level.error());
  if (*level) return print_violation(invocation, model, **level);
  if (options.is_set("shapes"))
    return wrong_usage(Error{"--shapes: only with --violation; a random run chooses its own"});
  const auto how = simulate_options(invocation, {});
  if (!how) return failed(how.error());
  const protocol::Simulation run = protocol::simulate(model, *how);
  if (run.stopped) return stopped_early(*run.stopped);
  const Shown shown{model.name + ": a random run, seed " + options.text("seed"),
                    {protocol::sizes_text(how->sizes)}};
  print_run(options, model, run.trace, shown);
  return exit_holds;
}

}  // namespace isoscope::cli
