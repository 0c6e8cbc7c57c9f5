#pragma once

#include <compare>
#include <cstdint>

namespace isoscope {

/// A variable or its negation. Literals are ordered by variable, positive before negative.
class SatLiteral {
 public:
  constexpr SatLiteral() = default;

  static constexpr SatLiteral positive(std::uint32_t variable) { return from_code(2 * variable); }
  static constexpr SatLiteral negative(std::uint32_t variable) {
    return from_code(2 * variable + 1);
  }
  /// The inverse of code().
  static constexpr SatLiteral from_code(std::uint32_t code) {
    SatLiteral literal;
    literal.code_ = code;
    return literal;
  }

  constexpr std::uint32_t variable() const { return code_ >> 1; }
  constexpr bool is_negative() const { return (code_ & 1) != 0; }
  /// Twice the variable, plus one if negative: an index for tables with one entry per literal.
  constexpr std::uint32_t code() const { return code_; }

  constexpr SatLiteral operator!() const { return from_code(code_ ^ 1); }
  constexpr auto operator<=>(const SatLiteral&) const = default;

 private:
  std::uint32_t code_ = 0;
};

}  // namespace isoscope
