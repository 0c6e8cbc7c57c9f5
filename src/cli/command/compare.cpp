#include "isoscope/synth/compare.h"

#include "cli/level_library.h"
#include "cli/scope_option.h"
#include "cli/stopped.h"
#include "isoscope/synth/describe.h"

namespace isoscope::cli {

namespace {

ExitCode answer(Invocation& invocation, const std::vector<spec::Definition>& levels,
                const synth::Scope& scope) {
  const auto comparison =
      synth::compare(levels[0], levels[1], scope, strategy_option(invocation.options),
                     invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (!comparison) return not_finished(invocation, comparison.error());
  const bool json = invocation.options.text("format") == "json";
  const auto& printer = json ? synth::comparison_json : synth::comparison_text;
  print(printer(*comparison, levels[0], levels[1], scope));
  const bool vacuous = comparison->first_allows == synth::Extent::nothing ||
                       comparison->second_allows == synth::Extent::nothing;
  if (vacuous && invocation.options.flag("strict")) return exit_unknown;
  switch (comparison->kind()) {
    case synth::Comparison::Kind::equivalent:
      return exit_holds;
    case synth::Comparison::Kind::unknown:
      return exit_unknown;
    default:
      return exit_violated;
  }
}

}  // namespace

ExitCode run_compare(Invocation& invocation) {
  const auto scope = scope_option(invocation.options, {});
  if (!scope) return failed(scope.error());
  const auto levels = read_levels(invocation.arguments);
  if (!levels) return failed(levels.error());
  return within_memory(invocation, [&] { return answer(invocation, *levels, *scope); });
}

}  // namespace isoscope::cli
