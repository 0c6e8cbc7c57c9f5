#include "isoscope/base/unicode_escape.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace isoscope {

namespace {

std::optional<std::uint32_t> four_hexadecimal_digits(ByteReader& input) {
  std::uint32_t code = 0;
  const std::string_view window = input.window(4);
  if (window.size() < 4) return std::nullopt;
  const auto [end, problem] = std::from_chars(window.data(), window.data() + 4, code, 16);
  if (problem != std::errc() || end != window.data() + 4) return std::nullopt;
  input.skip(4);
  return code;
}

}  // namespace

UnicodeEscape read_unicode_escape(ByteReader& input) {
  using enum UnicodeEscape::Problem;
  const std::optional<std::uint32_t> code = four_hexadecimal_digits(input);
  if (!code) return {no_digits};
  if (*code < 0xD800 || *code > 0xDFFF) return {none, *code};
  // A surrogate: the other half must follow.
  const bool more = *code < 0xDC00 && input.window(2).starts_with("\\u");
  if (more) input.skip(2);
  const std::optional<std::uint32_t> low = more ? four_hexadecimal_digits(input) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return {lone_surrogate};
  return {none, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00)};
}

}  // namespace isoscope
