#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace isoscope::format {

/// A read or write of the native format in the one form that nearly all of a large file has: an
/// integer written to or read from an integer key, as programs print it, without a space.
///
///   ["r",17,4]   ["w",-3,0]      but not ["r", 17, 4], ["r","x",4], ["r",17], ["r",017,4]
///
/// Taking these apart in one go, instead of piece by piece through the JSON reader, makes reading a
/// file of two million of them about twice as fast. What is not plain is not wrong: the JSON reader
/// decides.
struct PlainOperation {
  /// No plain operation is longer.
  static constexpr std::size_t max_length = 64;

  bool is_write;
  std::int64_t key;
  std::int64_t value;
  std::size_t length;  ///< of its text
};

/// The plain operation at the front of `text`, if there is one. A `text` shorter than max_length is
/// not looked at.
std::optional<PlainOperation> find_plain_operation(std::string_view text);

}  // namespace isoscope::format
