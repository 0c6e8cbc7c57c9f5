#pragma once

#include <optional>

#include "isoscope/level/level.h"

namespace isoscope::strong {

/// What the levels of this engine differ in: all else is the same for all of them.
struct Rules {
  LevelId level;
  /// Begin and commit are one moment. Otherwise a transaction reads at its begin.
  bool begin_is_commit;
  /// Two writers of one key must not overlap: a writer holds its keys from its begin on. Otherwise
  /// it changes them at the moment of its commit, and what else was changed meanwhile is no matter.
  bool writers_conflict;
  /// What a predicate says about rows that it did not return, and about rows that it changed, is
  /// right for the moment at which the transaction reads. Otherwise it was right at some moment
  /// before: such a row has a candidate before the reader, and writers in between say nothing.
  bool rows_are_current;
  bool real_time;  ///< a transaction that ended before another began comes before it
};

inline constexpr Rules all_rules[] = {
    {.level = LevelId::prefix_consistency,
     .begin_is_commit = false,
     .writers_conflict = false,
     .rows_are_current = true,
     .real_time = false},
    {.level = LevelId::repeatable_read,
     .begin_is_commit = true,
     .writers_conflict = false,
     .rows_are_current = false,
     .real_time = false},
    {.level = LevelId::serializable,
     .begin_is_commit = true,
     .writers_conflict = false,
     .rows_are_current = true,
     .real_time = false},
    {.level = LevelId::snapshot_isolation,
     .begin_is_commit = false,
     .writers_conflict = true,
     .rows_are_current = true,
     .real_time = false},
    {.level = LevelId::strict_serializable,
     .begin_is_commit = true,
     .writers_conflict = false,
     .rows_are_current = true,
     .real_time = true},
    {.level = LevelId::strong_snapshot_isolation,
     .begin_is_commit = false,
     .writers_conflict = true,
     .rows_are_current = true,
     .real_time = true},
};

inline std::optional<Rules> rules_of(LevelId level) {
  for (const Rules& row : all_rules) {
    if (row.level == level) return row;
  }
  return std::nullopt;
}

}  // namespace isoscope::strong
