#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "isoscope/base/contract.h"

namespace isoscope::format {

/// Big-endian numbers from the machine's, or the other way round.
inline std::uint64_t big_endian(std::uint64_t number) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(number) : number;
}

/// The eight hexadecimal digits of a number, the first one in the highest byte. All at once: the
/// number's halves are moved apart, then the halves of these, then the digits.
inline std::uint64_t hex_digits(std::uint32_t number) {
  std::uint64_t digits = number;
  digits = (digits | digits << 16) & 0x0000FFFF0000FFFF;
  digits = (digits | digits << 8) & 0x00FF00FF00FF00FF;
  digits = (digits | digits << 4) & 0x0F0F0F0F0F0F0F0F;
  const std::uint64_t letters = (digits + 0x0606060606060606) >> 4 & 0x0101010101010101;
  return digits + 0x3030303030303030 + letters * ('a' - '9' - 1);
}

/// A short text of words and hexadecimal numbers, for many of them one after the other: it needs no
/// other memory.
///
///   text.clear(), text.add("of "), text.add_hex(0xab12), text.view()      "of ab12"
///
/// With std::to_chars instead, reading Cobra's logs takes a tenth more instructions.
class HexText {
 public:
  void clear() { size_ = 0; }
  void add(std::string_view word) {
    ISOSCOPE_REQUIRE(size_ + word.size() <= sizeof text_);
    size_ += word.copy(text_ + size_, word.size());
  }
  void add(char letter) {
    ISOSCOPE_REQUIRE(size_ < sizeof text_);
    text_[size_++] = letter;
  }
  void add_hex(std::uint64_t number) {
    ISOSCOPE_REQUIRE(size_ + 16 <= sizeof text_);
    const int digits = 16 - std::countl_zero(number | 1) / 4;
    number <<= 64 - 4 * digits;  // zeros at the end instead, to be written over
    const std::array all = {big_endian(hex_digits(static_cast<std::uint32_t>(number >> 32))),
                            big_endian(hex_digits(static_cast<std::uint32_t>(number)))};
    std::memcpy(text_ + size_, all.data(), sizeof all);
    size_ += static_cast<std::size_t>(digits);
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  char text_[80];
  std::size_t size_ = 0;
};

inline std::string hex(std::uint64_t number) {
  HexText text;
  text.add_hex(number);
  return std::string(text.view());
}

}  // namespace isoscope::format
