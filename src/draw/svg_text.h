#pragma once

#include <string>
#include <string_view>

#include "isoscope/draw/layered_layout.h"

namespace isoscope {

/// The first line of every picture's style: the font and the colour of all text.
inline constexpr std::string_view svg_text_style =
    "text { font-family: 'DejaVu Sans', Verdana, Arial, Helvetica, sans-serif; fill: #1c2733; }\n";

std::string svg_number(int value);

/// Text between tags, or in a quoted attribute.
std::string svg_escaped(std::string_view text);

/// A line of text in a line of its own.
std::string svg_text(std::string_view css_class, int x, int baseline, std::string_view text);

/// A box with round corners.
std::string svg_rectangle(const DrawnBox& box, int radius, std::string_view fill,
                          std::string_view stroke);

}  // namespace isoscope
