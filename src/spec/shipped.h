#pragma once

#include <vector>

#include "isoscope/spec/level_text.h"

namespace isoscope::spec {

/// Every file of levels/, by name. Its source is written by cmake/embed_texts.cmake.
std::vector<ShippedLevel> embedded_levels();

}  // namespace isoscope::spec
