#pragma once

#include <cstddef>
#include <string_view>

namespace isoscope {

/// How many letters to insert, delete, change or swap with their neighbour to get from one to the
/// other, each letter being touched once: for "did you mean". O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace isoscope
