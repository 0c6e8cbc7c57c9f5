#include "isoscope/check/check.h"

#include "cli/level_option.h"
#include "cli/load.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::cli {

namespace {

ExitCode code_of(Answer answer) {
  switch (answer) {
    case Answer::holds:
      return exit_holds;
    case Answer::violated:
      return exit_violated;
    case Answer::unknown:
      return exit_unknown;
  }
  return exit_internal_error;
}

ExitCode list_findings(Invocation& invocation, const std::string& path, const History& history,
                       bool json) {
  const FirstPassResult result =
      first_pass(history, {.limits = &invocation.limits, .progress = &invocation.progress});
  invocation.progress.finish();
  if (result.stopped) {
    complain(path + ": stopped: " + std::string(name_of(*result.stopped)));
    return exit_unknown;
  }
  const auto& printer = json ? report::findings_json : report::findings_text;
  print(printer(path, history, result.findings));
  return exit_holds;
}

ExitCode check_file(Invocation& invocation, const std::string& path,
                    const std::vector<Level>& levels, bool json) {
  auto loaded = load(invocation, path);
  if (!loaded) return not_loaded(invocation, loaded.error());
  if (levels.empty()) return list_findings(invocation, path, loaded->history, json);
  ExitCode worst = exit_holds;
  for (const Level level : levels) {
    const Verdict verdict = check(loaded->history, level,
                                  {.limits = &invocation.limits, .progress = &invocation.progress});
    invocation.progress.finish();
    const auto& printer = json ? report::verdict_json : report::verdict_text;
    print(printer(path, loaded->history, verdict));
    worst = worse(worst, code_of(verdict.answer));
  }
  return worst;
}

}  // namespace

ExitCode run_check(Invocation& invocation) {
  if (auto from = readable_format(invocation.options); !from) return wrong_usage(from.error());
  const std::string& format = invocation.options.text("format");
  if (format == "svg") return wrong_usage(Error{"--format: check prints text or json"});
  const auto levels = levels_option(invocation.options);
  if (!levels) return wrong_usage(levels.error());
  ExitCode worst = exit_holds;
  for (const std::string& path : invocation.arguments) {
    worst = worse(worst, check_file(invocation, path, *levels, format == "json"));
  }
  return worst;
}

}  // namespace isoscope::cli
