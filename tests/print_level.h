#pragma once

#include <ostream>

#include "isoscope/level/level.h"

namespace isoscope {

/// How tests print a level; otherwise their names have its bytes.
inline void PrintTo(const Level& level, std::ostream* out) { *out << text_of(level); }

}  // namespace isoscope
