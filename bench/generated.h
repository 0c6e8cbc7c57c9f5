#pragma once

#include <cstddef>
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

/// A history of a store, which satisfies what its store promises.
struct GenerateRecipe {
  std::string name;
  std::size_t sessions = 0;
  std::size_t transactions = 0;  ///< of all sessions
  std::size_t operations = 0;
  std::size_t keys = 0;
  unsigned duplicate_percent = 0;
  std::string store = "serializable-ssi";
  std::string format = "dbcop";
};

/// The same for such a history.
bool generate_history(const std::string& program, const GenerateRecipe& recipe,
                      const std::string& path);

}  // namespace isoscope
