#pragma once

#include <string>

#include "cli/command.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {

struct LoadedHistory {
  Format format;
  History history;
};

/// Reads the history at `path` as --from, --cobra-values and the limits say. A wrong --from is a
/// usage error, so ask format_option() first.
Result<LoadedHistory> load(Invocation& invocation, const std::string& path);

/// Complains that the history could not be loaded and gives the code for it: unknown where a limit
/// was reached, else bad input.
ExitCode not_loaded(const Invocation& invocation, const Error& error);

/// --from or --to as a format; nothing when it was not given.
Result<std::optional<Format>> format_option(const Options& options, std::string_view name);

}  // namespace isoscope::cli
