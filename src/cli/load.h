#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "isoscope/history/format.h"

namespace isoscope::cli {

struct LoadedHistory {
  Format format;
  History history;
};

/// Reads the history at `path` as --from, --cobra-values, --time-from and the limits say. A wrong
/// --from is a usage error, so ask readable_format() first.
Result<LoadedHistory> load(Invocation& invocation, const std::string& path);
/// The same for callers that read several histories at once.
Result<LoadedHistory> load(const Invocation& invocation, const std::string& path,
                           Progress& progress, unsigned threads);

/// Puts the histories of folders that are sets of histories in the place of these folders.
void take_folders_apart(Invocation& invocation);

/// The limit that stopped load(), if it was one that did: a file that is missing or wrong is so
/// whatever was reached meanwhile.
std::optional<StopReason> stopped_while_loading(const Invocation& invocation, const Error& error);

/// --to as a format that can be written.
Result<Format> writable_format(const Options& options);

/// --from as a format; nothing when it was not given.
Result<std::optional<Format>> readable_format(const Options& options);

}  // namespace isoscope::cli
