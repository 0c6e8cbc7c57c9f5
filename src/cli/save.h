#pragma once

#include <functional>
#include <string>

#include "cli/exit_code.h"
#include "isoscope/base/byte_sink.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {

/// Writes the history to the file, or to standard output where `path` is empty. Complains if that
/// cannot be done, or if the format cannot hold it.
ExitCode save(const History& history, Format format, const std::string& path);

/// The same with whatever `write` puts into the sink.
ExitCode save(const std::function<Status(ByteSink&)>& write, const std::string& path);

}  // namespace isoscope::cli
