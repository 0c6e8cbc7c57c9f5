#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "child.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// One check to be measured, and what it may cost. A bar of 0 means that there is none.
struct CheckCase {
  std::string name;
  std::string path;  ///< of the history
  LevelId level = LevelId::serializable;
  /// Further levels of the same run, of which the same is true: "read-atomic,causal".
  std::string further_levels = {};
  std::string time = "hint";  ///< what --time says
  bool holds = true;          ///< the right verdict
  double most_units = 0;
  double most_megabytes = 0;
  double most_milliseconds = 0;
  /// The name of another case. This case may take at most `most_times` times the processor time of
  /// that one, at the same level unless another is given.
  std::string compared_with = {};
  std::optional<LevelId> compared_level = {};
  double most_times = 0;

  std::string level_names() const {
    return std::string(name_of(level)) + (further_levels.empty() ? "" : "," + further_levels);
  }
  LevelId level_compared_with() const { return compared_level.value_or(level); }
};

enum class BenchSize { small, full };

/// The recorded histories in this folder that have a bar. None if there is no such folder.
std::vector<CheckCase> recorded_cases(const std::string& histories);
/// dbcop's histories in the same folder, each at serializable and at snapshot isolation.
std::vector<CheckCase> dbcop_cases(const std::string& histories);

/// Makes histories in `folder` with `program` (isoscope). Nothing if that fails, with a message.
std::vector<CheckCase> generated_cases(const std::string& program, const TemporaryFolder& folder,
                                       BenchSize size);
/// The same for weak levels.
std::vector<CheckCase> weak_cases(const std::string& program, const TemporaryFolder& folder,
                                  BenchSize size);

}  // namespace isoscope
