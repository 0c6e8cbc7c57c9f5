#include "report/explain/shortened.h"

namespace isoscope::report {

std::string shortened(std::string text) {
  constexpr std::size_t longest = 72;
  constexpr std::size_t kept_front = 24;
  constexpr std::size_t kept_back = 40;
  if (text.size() <= longest) return text;
  const auto inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t front = kept_front;
  while (inside_character(front)) --front;
  std::size_t back = text.size() - kept_back;
  while (back < text.size() && inside_character(back)) ++back;
  return text.substr(0, front) + " ... " + text.substr(back);
}

}  // namespace isoscope::report
