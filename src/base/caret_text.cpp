#include "isoscope/base/caret_text.h"

#include <algorithm>

namespace isoscope {

namespace {

// The maximum number of bytes of a long line that are shown, and how many of them may stand before
// the caret.
constexpr std::size_t most_shown = 400;
constexpr std::size_t most_before_caret = 300;

}  // namespace

std::string caret_text(const Error& error, std::string_view text) {
  std::string result = error.text();
  if (error.position.line == 0) return result;
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < error.position.line; ++line) {
    start = text.find('\n', start);
    if (start == text.npos) return result;
    ++start;
  }
  std::string_view shown = text.substr(start, text.find('\n', start) - start);
  while (!shown.empty() && shown.back() == '\r') shown.remove_suffix(1);
  // Columns count bytes.
  std::size_t caret = std::min<std::size_t>(error.position.column - 1, shown.size());
  const std::size_t left_out = caret > most_before_caret ? caret - most_before_caret : 0;
  shown = shown.substr(left_out, most_shown);
  caret -= left_out;
  std::string line;
  std::string below;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto c = static_cast<unsigned char>(shown[i]);
    // Other control characters become blanks, because a terminal would act upon them.
    line += c == '\t' || (c >= ' ' && c != 0x7f) ? shown[i] : ' ';
    // A tab stays a tab, and only the first byte of a character of many bytes counts.
    if (i < caret && (c & 0xc0) != 0x80) below += c == '\t' ? '\t' : ' ';
  }
  return result + "\n  " + line + "\n  " + below + "^";
}

}  // namespace isoscope
