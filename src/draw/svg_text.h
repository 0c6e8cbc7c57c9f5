#pragma once

#include <string>
#include <string_view>

namespace isoscope {

/// Text between tags, or in a quoted attribute.
std::string svg_escaped(std::string_view text);

}  // namespace isoscope
