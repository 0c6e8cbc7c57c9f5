#include "isoscope/shrink/shrink.h"

#include "cli/level_option.h"
#include "cli/load.h"
#include "cli/save.h"
#include "isoscope/base/words.h"

namespace isoscope::cli {

namespace {

std::string size_of(const History& history) {
  return counted(history.transaction_count(), "transaction") + " with " +
         counted(history.operation_count(), "operation");
}

}  // namespace

ExitCode run_shrink(Invocation& invocation) {
  const Options& options = invocation.options;
  if (auto from = readable_format(options); !from) return wrong_usage(from.error());
  const auto to = writable_format(options);
  if (!to) return wrong_usage(to.error());
  const auto levels = levels_option(options);
  if (!levels) return wrong_usage(levels.error());
  if (levels->size() != 1) return wrong_usage(Error{"--level: shrink needs one level"});

  const std::string& path = invocation.arguments[0];
  auto loaded = load(invocation, path);
  if (!loaded) return failed(loaded.error());
  ShrinkResult result = shrink(loaded->history, levels->front(),
                               {.limits = invocation.limits,
                                .progress = invocation.progress,
                                .clock_skew = options.number("clock-skew"),
                                .indeterminate_cuts = indeterminate_cuts_option(options)});
  invocation.progress.finish();
  if (options.flag("strict")) result.verdict = strictly(std::move(result.verdict));
  const std::string subject = path + ": " + text_of(levels->front()) + ": ";
  if (result.verdict.answer == Answer::unknown) {
    complain(subject + "unknown, so there is nothing to shrink: " + result.verdict.reason);
    return exit_unknown;
  }
  if (!result.history) {
    complain(subject + "holds, so there is nothing to shrink");
    return exit_usage;
  }
  complain(subject + "from " + size_of(loaded->history) + " to " + size_of(*result.history) +
           " in " + std::to_string(result.checks) + " checks" +
           (result.minimal ? "" : "; perhaps not minimal") +
           (result.leans_on_time ? "; without writers that real time rules out as sources" : "") +
           (result.stopped ? ", stopped: " + std::string(name_of(*result.stopped)) : ""));
  return save(*result.history, *to, options.text("output"));
}

}  // namespace isoscope::cli
