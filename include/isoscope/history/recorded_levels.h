#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// At which levels the transactions of a history ran, but for aborted ones: those took no effect.
struct RecordedLevels {
  std::array<std::size_t, level_count> counts{};  ///< indexed by LevelId
  std::size_t transactions = 0;                   ///< that did not abort
  std::size_t without = 0;                        ///< that do not say so
  std::optional<TransactionId> first_without = {};

  std::size_t count(LevelId level) const { return counts[static_cast<std::size_t>(level)]; }
  /// Those that some transaction ran at, in the order of the catalogue.
  std::vector<LevelId> levels() const;
};

RecordedLevels recorded_levels_of(const History& history);

}  // namespace isoscope
