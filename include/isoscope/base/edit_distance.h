#pragma once

#include <cstddef>
#include <string_view>

namespace isoscope {

/// How many letters must be inserted, deleted, changed or swapped with their neighbour to get from
/// one text to the other, if each letter is touched only once. For "did you mean". O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace isoscope
