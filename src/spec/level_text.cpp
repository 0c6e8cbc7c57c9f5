#include "isoscope/spec/level_text.h"

#include "spec/resolve.h"

namespace isoscope::spec {

Result<Definition> read_definition(const LevelText& text, const FindText& find) {
  return Resolver(find).definition(text);
}

Result<Definition> read_formula(const LevelText& text, const FindText& find) {
  return Resolver(find).formula(text);
}

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
  result += "\n  " + std::string(shown) + "\n  ";
  // Columns count bytes. A tab stays one, and of a character of many bytes only the first counts.
  for (const char c : shown.substr(0, error.position.column - 1)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) result += c == '\t' ? '\t' : ' ';
  }
  return result + "^";
}

}  // namespace isoscope::spec
