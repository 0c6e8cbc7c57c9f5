#include "isoscope/draw/text_width.h"

#include <array>

namespace isoscope {
namespace {

// Thousandths of the font size, from blank to tilde. Measured from DejaVu Sans, which is as wide as
// Verdana and wider than Arial or Helvetica.
constexpr std::array<int, 95> widths = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr int width_of_others = 1000;

}  // namespace

int text_width(std::string_view text, int font_size) {
  int sum = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~') {
      sum += widths[static_cast<std::size_t>(byte - ' ')];
    } else if ((byte & 0xC0) != 0x80) {  // the first byte of a letter
      sum += width_of_others;
    }
  }
  return (sum * font_size + 999) / 1000;
}

}  // namespace isoscope
