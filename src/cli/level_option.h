#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/option_table.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/level/level.h"

namespace isoscope::cli {

/// A level by name, as --names and --session-order say.
Result<Level> level_named(std::string_view name, const Options& options);

/// The levels of --level, each once; none when it was not given. "all" is the whole catalogue. With
/// --time trust they are real-time variants.
Result<std::vector<Level>> levels_option(const Options& options);

/// Why --level all answers only a part of the catalogue, if --time leaves out levels; otherwise
/// empty.
std::string levels_left_out(const Options& options);

/// --indeterminate-cuts; nothing when it was not given.
std::optional<bool> indeterminate_cuts_option(const Options& options);

/// What --assume says, each once.
Result<std::vector<VersionAssumption>> assumptions_option(const Options& options);

/// "; did you mean `NAME`?" for the anomaly that was probably meant, or "".
std::string did_you_mean_anomaly(std::string_view typed);

/// The anomalies of --anomalies NAME,NAME, each once.
Result<std::vector<Anomaly>> anomalies_named(std::string_view names);

}  // namespace isoscope::cli
