#pragma once

#include <optional>

#include "isoscope/level/level.h"

namespace isoscope {

/// The weakest of the strong levels that imply this one; nothing if there is none.
std::optional<Level> weakest_strong_level(Level level);

}  // namespace isoscope
