#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope {

/// The length of the UTF-8 sequence that starts at `at`, 1 to 4; 0 if there is no valid one
/// (truncated, overlong, a surrogate, or beyond U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The offset of the first byte that is no part of valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// Appends a code point (which must be a valid scalar value) as UTF-8.
void append_utf8(std::string& text, std::uint32_t code_point);

}  // namespace isoscope
