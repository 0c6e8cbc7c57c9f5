#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "isoscope/spec/definition.h"
#include "isoscope/synth/levels.h"
#include "isoscope/synth/synthesize.h"

namespace isoscope::cli {

/// Levels by name or file, as commands take them.
synth::LevelLibrary level_library();

/// Complains, with the place in the level's text if it is about one, and gives the code for it: an
/// unknown name is wrong usage, a bad or missing text bad input.
ExitCode bad_level(std::string_view typed, const Error& error);

/// Appends the definitions of these levels; complains about the first that has none.
ExitCode read_levels(const std::vector<std::string>& names, std::vector<spec::Definition>& to);

/// --txns, --keys and so on; `otherwise` where they are not given.
Result<synth::Scope> scope_option(const Options& options, synth::Scope otherwise);
/// Everything except what --no-smart and its like switch off.
synth::Strategy strategy_option(const Options& options);

/// `check` with levels that are texts: files, or shipped texts by their full names. Does --level
/// name one?
bool is_text_name(std::string_view level);
ExitCode check_texts(Invocation& invocation);

/// The code for a search that stopped at a limit, or that contradicted itself.
ExitCode not_finished(const Invocation& invocation, const Error& error);
ExitCode stopped(const Invocation& invocation);
/// Does work that may need much memory. Where memory is refused, the limit counts as reached.
ExitCode within_memory(Invocation& invocation, const std::function<ExitCode()>& work);

}  // namespace isoscope::cli
