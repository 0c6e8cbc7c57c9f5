#pragma once

#include <cstdint>

#include "isoscope/base/byte_reader.h"

namespace isoscope {

/// What `\uXXXX`, or two of them that are a pair of surrogates, stand for.
struct UnicodeEscape {
  enum class Problem : std::uint8_t {
    none,
    no_digits,       ///< there are not four hexadecimal digits
    lone_surrogate,  ///< half a pair
  };
  Problem problem = Problem::none;
  std::uint32_t code_point = 0;
};

/// Reads what comes after `\u`.
UnicodeEscape read_unicode_escape(ByteReader& input);

}  // namespace isoscope
