#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace isoscope::format {

/// A line of Plume's text in the one form that nearly all lines of a large file have: as programs
/// print it, without a space, of a transaction that committed.
///
///   r(17,4,1,2)\n      but not r(17, 4, 1, 2), r(17,4,1,-1), or the last line without its end
///
/// Taking these apart in one go makes reading several times as fast. What is not plain is not
/// wrong: the LineScanner decides.
struct PlainPlumeLine {
  /// No plain line is longer, with what is looked at behind it.
  static constexpr std::size_t max_length = 96;

  std::uint64_t key;
  std::uint64_t value;
  std::uint64_t session;
  std::uint64_t transaction;
  std::uint32_t length;  ///< of its text, with the end of the line
  bool is_write;
  bool goes_on;  ///< the transaction of the line before it
};

/// Takes apart the plain lines that the text starts with, up to the first one that is not plain, or
/// that stands in the last max_length bytes. Fills `into` from its beginning; returns how many.
std::size_t take_plain_lines(std::string_view text, std::span<PlainPlumeLine> into);

}  // namespace isoscope::format
