#include "draw/svg_text.h"

namespace isoscope {

std::string svg_number(int value) { return std::to_string(value); }

std::string svg_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string svg_text(std::string_view css_class, int x, int baseline, std::string_view text) {
  return "<text class=\"" + std::string(css_class) + "\" x=\"" + svg_number(x) + "\" y=\"" +
         svg_number(baseline) + "\">" + svg_escaped(text) + "</text>\n";
}

std::string svg_rectangle(const DrawnBox& box, int radius, std::string_view fill,
                          std::string_view stroke) {
  return "<rect x=\"" + svg_number(box.x) + "\" y=\"" + svg_number(box.y) + "\" width=\"" +
         svg_number(box.width) + "\" height=\"" + svg_number(box.height) + "\" rx=\"" +
         svg_number(radius) + "\" fill=\"" + svg_escaped(fill) + "\" stroke=\"" +
         svg_escaped(stroke) + "\"/>\n";
}

}  // namespace isoscope
