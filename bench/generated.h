#pragma once

#include <string>
#include <utility>
#include <vector>

namespace isoscope {

/// Options of `isoscope generate`, without the dashes, and their values.
using GenerateOptions = std::vector<std::pair<std::string, std::string>>;

/// Writes a history to `path` with `program` (isoscope), always from the same seed. False, with a
/// message, if that fails.
bool generate_history(const std::string& program, const GenerateOptions& options,
                      const std::string& path);

}  // namespace isoscope
