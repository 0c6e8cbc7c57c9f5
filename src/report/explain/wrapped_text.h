#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope::report {

/// Breaks a text at blanks into lines of at most `width` columns. A word that is longer has a line
/// of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// "a, b, c", broken after commas only.
std::vector<std::string> wrapped_list(const std::vector<std::string>& items, std::size_t width);

}  // namespace isoscope::report
