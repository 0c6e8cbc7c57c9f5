#include "cli/command/check_text.h"

#include "cli/level_library.h"
#include "cli/load.h"
#include "cli/stopped.h"
#include "isoscope/synth/describe.h"

namespace isoscope::cli {

namespace {

ExitCode check_file(Invocation& invocation, const std::string& path,
                    const std::vector<spec::Definition>& levels) {
  const bool json = invocation.options.text("format") == "json";
  const auto loaded = load(invocation, path);
  if (!loaded) {
    const auto stopped = stopped_while_loading(invocation, loaded.error());
    for (const spec::Definition& level : levels) {
      if (!stopped || !json) break;
      synth::RecordedVerdict verdict;
      verdict.reason = "stopped while the history was read: " + std::string(name_of(*stopped));
      print(synth::recorded_json(path, level, verdict));
    }
    return failed(loaded.error());
  }
  const auto& printer = json ? synth::recorded_json : synth::recorded_text;
  ExitCode worst = exit_holds;
  for (const spec::Definition& level : levels) {
    auto verdict = synth::check_recorded(loaded->history, level, invocation.limits);
    if (invocation.options.flag("strict")) verdict = synth::strictly(std::move(verdict));
    print(printer(path, level, verdict));
    worst = worse(worst, code_of(verdict.answer));
  }
  return worst;
}

}  // namespace

bool is_text_name(std::string_view level) {
  return synth::is_level_file(level) || level.find('/') != std::string_view::npos;
}

ExitCode check_texts(Invocation& invocation) {
  const Options& options = invocation.options;
  for (const std::string_view option :
       {"certificate", "session-order", "clock-skew", "indeterminate-cuts"}) {
    if (options.is_set(option))
      return wrong_usage(Error{"--" + std::string(option) + ": not for levels that are texts"});
  }
  if (options.text("format") == "elle-json")
    return wrong_usage(Error{"--format elle-json: not for levels that are texts"});
  const std::vector<std::string> names = options.list("level");
  for (const std::string& name : names) {
    if (!is_text_name(name)) {
      return wrong_usage(Error{"--level: either levels of the catalogue or texts; '" + name +
                               "' is none of the latter"});
    }
  }
  const auto levels = read_levels(names);
  if (!levels) return failed(levels.error());
  ExitCode worst = exit_holds;
  for (const std::string& path : invocation.arguments) {
    const auto check = [&] { return check_file(invocation, path, *levels); };
    worst = worse(worst, within_memory(invocation, check));
  }
  return worst;
}

}  // namespace isoscope::cli
