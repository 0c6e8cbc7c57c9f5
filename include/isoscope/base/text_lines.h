#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// Every line with `indent` before it, except for empty ones. The last line is ended, too.
std::string indented(std::string_view text, std::string_view indent);

/// Breaks a text at blanks into lines of at most `width` columns. All except the first have
/// `hanging` columns less. A word that is longer has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t hanging = 0);

/// "a, b, c", broken after commas only.
std::vector<std::string> wrapped_list(const std::vector<std::string>& items, std::size_t width);

}  // namespace isoscope
