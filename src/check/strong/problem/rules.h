#pragma once

#include <optional>

#include "isoscope/level/level.h"

namespace isoscope::strong {

/// What the strong levels differ in: all else is one engine.
struct Rules {
  LevelId level;
  /// Begin and commit are one moment. Otherwise a transaction reads at its begin, and two writers
  /// of one key must not overlap.
  bool begin_is_commit;
  bool real_time;  ///< a transaction that ended before another began comes before it
};

inline constexpr Rules all_rules[] = {
    {.level = LevelId::serializable, .begin_is_commit = true, .real_time = false},
    {.level = LevelId::snapshot_isolation, .begin_is_commit = false, .real_time = false},
    {.level = LevelId::strict_serializable, .begin_is_commit = true, .real_time = true},
    {.level = LevelId::strong_snapshot_isolation, .begin_is_commit = false, .real_time = true},
};

inline std::optional<Rules> rules_of(LevelId level) {
  for (const Rules& row : all_rules) {
    if (row.level == level) return row;
  }
  return std::nullopt;
}

}  // namespace isoscope::strong
