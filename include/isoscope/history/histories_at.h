#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope {

/// The histories that a path names, sorted by name. A file is one, and so is a folder that a format
/// takes as a whole:
///
///   runs/cobra/T1.log, T2.log       "runs/cobra": the logs of one history
///   runs/a.edn, runs/b.edn          "runs/a.edn", "runs/b.edn"
///   runs/                           all three
///
/// Files and subfolders that begin with a dot are passed over. Nothing else is: a file that is no
/// history is there for its reader to complain of, and so is a folder without files. `format` is
/// the one that the user named, if any.
std::vector<std::string> histories_at(const std::string& path,
                                      std::optional<Format> format = std::nullopt);

}  // namespace isoscope
