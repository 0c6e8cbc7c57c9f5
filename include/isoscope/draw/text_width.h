#pragma once

#include <string_view>

namespace isoscope {

/// How wide a line of sans-serif text is at this font size, in whole pixels, rounded up. The widths
/// of letters are fixed (a wide common font's, so that most fonts need less), so a picture has the
/// same bytes on every machine. `text` is UTF-8; a letter outside ASCII counts as a wide one.
int text_width(std::string_view text, int font_size);

}  // namespace isoscope
