#include "isoscope/synth/lattice.h"

#include <algorithm>

#include "cli/level_library.h"
#include "cli/scope_option.h"
#include "cli/stopped.h"
#include "isoscope/synth/describe.h"

namespace isoscope::cli {

namespace {

/// Smaller than for one question: there are very many of them.
constexpr synth::Scope default_scope{.transactions = 4, .keys = 2};

ExitCode answer(Invocation& invocation, const std::vector<spec::Definition>& definitions,
                const synth::Scope& scope) {
  std::vector<const spec::Definition*> levels;
  for (const spec::Definition& definition : definitions) levels.push_back(&definition);
  const auto lattice = synth::lattice(levels, scope, strategy_option(invocation.options),
                                      invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (!lattice) return not_finished(invocation, lattice.error());
  if (invocation.options.flag("stats")) {
    complain("checks       " + std::to_string(lattice->checks));
    complain("histories    " + std::to_string(lattice->separators.size()));
  }
  const std::string& format = invocation.options.text("format");
  print(format == "json"  ? synth::lattice_json(*lattice, scope)
        : format == "svg" ? synth::lattice_svg(*lattice, scope)
                          : synth::lattice_text(*lattice, scope));
  if (!lattice->is_complete) return stopped(invocation);
  const bool vacuous = std::ranges::count(lattice->extents, synth::Extent::nothing) != 0;
  return vacuous && invocation.options.flag("strict") ? exit_unknown : exit_holds;
}

}  // namespace

ExitCode run_lattice(Invocation& invocation) {
  const bool all = invocation.options.flag("all");
  if (all != invocation.arguments.empty())
    return wrong_usage(Error{"lattice needs levels, or --all"});
  const auto scope = scope_option(invocation.options, default_scope);
  if (!scope) return failed(scope.error());
  const auto levels = read_levels(all ? synth::shipped_level_names() : invocation.arguments);
  if (!levels) return failed(levels.error());
  return within_memory(invocation, [&] { return answer(invocation, *levels, *scope); });
}

}  // namespace isoscope::cli
