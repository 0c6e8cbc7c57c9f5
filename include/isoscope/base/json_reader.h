#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isoscope/base/byte_reader.h"

namespace isoscope {

/// A streaming JSON reader that pulls one value at a time from a ByteReader: nothing but the
/// current string is ever held, so an array of ten million elements costs what one element costs.
///
/// Errors are sticky. After the first one every call returns false (or nothing) and changes
/// nothing, and error() says what was expected, what was found and where. So a caller may write the
/// straight path and look once at the end:
///
///   json.begin_array();
///   while (json.next_element()) { if (auto n = json.integer("a count")) use(*n); }
///   if (json.failed()) return json.error();
///
/// Accepts exactly RFC 8259, with nesting up to max_depth; strings must be valid UTF-8.
class JsonReader {
 public:
  static constexpr int max_depth = 256;

  /// Reads from `input`, which must outlive the reader.
  explicit JsonReader(ByteReader& input) : input_(input) {}

  enum class Kind { object, array, string, number, boolean, null, end, invalid };
  /// What the next value is, by its first character; `end` at the end of the input.
  Kind peek();

  /// Enters an array or object. `expected` completes the message "expected ..., found ...".
  bool begin_array(std::string_view expected = "an array");
  bool begin_object(std::string_view expected = "an object");
  /// True before each element, false after the last one (the closing bracket is consumed) or on
  /// error.
  bool next_element();
  /// The same for objects; the member's name is valid until the next call.
  std::optional<std::string_view> next_member();

  std::optional<std::int64_t> integer(std::string_view expected = "an integer");
  /// Valid until the next call.
  std::optional<std::string_view> string(std::string_view expected = "a string");
  std::optional<bool> boolean(std::string_view expected = "true or false");
  bool null(std::string_view expected = "null");
  /// Any value, checked for well-formedness and dropped.
  bool skip_value();
  /// Only white space is left.
  bool expect_end();

  /// The next value does not fit: records "expected EXPECTED, found FOUND" at its position. Returns
  /// false.
  bool fail_expected(std::string_view expected);
  /// The string or member name read last does not fit: records "expected EXPECTED, found "FOUND""
  /// at its position, a long one cut short. Returns false.
  bool fail_found(std::string_view expected, std::string_view found);
  /// Any other complaint, at the start of the value read last. Returns false.
  bool fail(std::string what) { return fail_at(value_start_, std::move(what)); }
  /// The same at an offset remembered from next_offset().
  bool fail_at(std::uint64_t offset, std::string what);
  /// What stopped the reading, with its kind and its place. Returns false.
  bool fail_with(Error error);

  bool failed() const { return failed_.has_value(); }
  const Error& error() const { return *failed_; }
  /// Where the next value starts (white space skipped), as an offset into the input.
  std::uint64_t next_offset();
  /// Where the value or member name read last starts.
  std::uint64_t last_offset() const { return value_start_; }
  ByteReader& input() { return input_; }

 private:
  /// The next byte that is no white space, or -1; it is not consumed.
  int skip_space() {
    const int c = input_.peek();
    return c > ' ' ? c : skip_space_if_any();
  }
  int skip_space_if_any();
  bool enter(char bracket, std::string_view expected);
  bool more(char closing);
  bool literal(std::string_view word, std::string_view expected);
  std::optional<std::string_view> string_with_escapes(std::size_t plain_prefix);
  bool escape();
  std::string describe_next();

  ByteReader& input_;
  std::string text_;  // the current string, where it had escapes
  std::optional<Error> failed_;
  int depth_ = 0;
  bool after_open_ = false;  // directly after an opening bracket: no comma expected
  std::uint64_t value_start_ = 0;
};

}  // namespace isoscope
