#pragma once

#include <cstdint>

namespace isoscope::format {

constexpr int plain_digits = 18;  ///< a number with this many digits cannot overflow
constexpr int plain_integer_length = plain_digits + 1;

/// Moves `at` past the integer it points at; false when there is none, or one that needs a closer
/// look. At most one byte after plain_integer_length is looked at.
inline bool take_plain_integer(const char*& at, std::int64_t& value) {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const first = at;
  std::int64_t magnitude = 0;
  for (; *at >= '0' && *at <= '9' && at != first + plain_digits; ++at) {
    magnitude = magnitude * 10 + (*at - '0');
  }
  value = negative ? -magnitude : magnitude;
  return at != first && (*first != '0' || at == first + 1);
}

}  // namespace isoscope::format
