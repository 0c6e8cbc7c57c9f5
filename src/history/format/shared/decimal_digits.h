#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace isoscope::format {

/// How many bytes take_digits() looks at, from where the number starts.
inline constexpr std::size_t digits_look_ahead = 24;

/// The digits that a text starts with, at most eight of them.
///
/// Eight bytes are taken at once, and nothing depends on how many of them are digits. A loop over
/// the digits would guess wrong where each number ends, and that takes longer than all the rest.
struct DigitBlock {
  explicit DigitBlock(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    std::uint64_t digits = bytes ^ 0x3030303030303030;  // of what is a digit: its value
    // What is no digit gets its highest bit set. Carries spoil only the bytes behind the first one.
    const std::uint64_t others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
    count = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (count == 0) return;
    // The digits come behind zeros; then neighbours are put together, two, four and eight.
    digits <<= 64 - 8 * count;
    digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF;
    digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFF;
    value = (digits * 10'000 + (digits >> 32)) & 0xFFFFFFFF;
  }

  int count = 0;
  std::uint64_t value = 0;
};

/// Moves `at` past the decimal number it points at; false when there is none, or one of more than
/// 16 digits, which needs a closer look.
inline bool take_digits(const char*& at, std::uint64_t& value) {
  const DigitBlock first(at);
  at += first.count;
  value = first.value;
  if (first.count < 8) [[likely]]
    return first.count != 0;
  const DigitBlock second(at);
  at += second.count;
  for (int i = 0; i < second.count; ++i) value *= 10;
  value += second.value;
  return second.count < 8 || DigitBlock(at).count == 0;
}

}  // namespace isoscope::format
