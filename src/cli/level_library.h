#pragma once

#include <string>
#include <vector>

#include "isoscope/spec/definition.h"
#include "isoscope/synth/levels.h"

namespace isoscope::cli {

/// Levels by name or file, as commands take them.
synth::LevelLibrary level_library();

/// The Error of a level library as it is shown: with the line and a caret if it is about a place in
/// a level's text. So it may have several lines.
Error shown(const Error& error);

/// The definitions of these levels, or what is wrong with the first that has none, as it is shown.
Result<std::vector<spec::Definition>> read_levels(const std::vector<std::string>& names);

}  // namespace isoscope::cli
