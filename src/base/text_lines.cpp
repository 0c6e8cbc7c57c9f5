#include "isoscope/base/text_lines.h"

#include <algorithm>

namespace isoscope {

namespace {

void add_piece(std::vector<std::string>& lines, std::string_view piece, std::size_t width) {
  if (!lines.empty() && lines.back().size() + 1 + piece.size() <= width) {
    lines.back() += ' ';
    lines.back() += piece;
  } else {
    lines.emplace_back(piece);
  }
}

}  // namespace

std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty()) result += std::string(indent) + std::string(line);
    result += '\n';
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t hanging) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    text.remove_prefix(text.empty() ? 0 : 1);
    if (!word.empty()) add_piece(lines, word, lines.size() > 1 ? width - hanging : width);
  }
  return lines;
}

std::vector<std::string> wrapped_list(const std::vector<std::string>& items, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < items.size(); ++i) {
    add_piece(lines, i + 1 < items.size() ? items[i] + "," : items[i], width);
  }
  return lines;
}

}  // namespace isoscope
