#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "history/format/shared/reading.h"
#include "isoscope/base/byte_reader.h"

namespace isoscope::format {

/// Moves over the end of a byte order mark at the start of a text, which some editors leave there.
void skip_byte_order_mark(ByteReader& input);

/// Reads a text line by line and a line field by field, for formats where an operation is a few
/// numbers between punctuation. Every error says line and column.
///
///   LineScanner line(input);
///   for (;;) {
///     ISOSCOPE_TRY(more, line.next());
///     if (!more) break;
///     ISOSCOPE_TRY(key, line.number("a key"));
///     ISOSCOPE_TRY_STATUS(line.expect(','));
///   }
///
/// Spaces and tabs before a field do not count.
class LineScanner {
 public:
  /// Reads from `input`, which must outlive the scanner.
  explicit LineScanner(ByteReader& input) : input_(input) { skip_byte_order_mark(input); }

  /// Moves to the next line that has more than spaces; false at the end of the input.
  Result<bool> next();

  /// Nothing but spaces is left of the line.
  bool at_end() {
    skip_spaces();
    return at_ == line_.size();
  }
  /// The character at this very place, spaces included; 0 at the end of the line.
  char peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  /// Takes the word if it comes next.
  bool take(std::string_view word);
  /// Takes the character if it comes next, with its repetitions.
  bool take_rule(char c);
  Status expect(char c);
  Status expect_end();
  /// A decimal number from 0 to `most`; `what` completes "expected ..., found ...".
  Result<std::uint64_t> number(std::string_view what,
                               std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// Moves over as many characters as `belongs` takes, from here.
  template <class Belongs>
  std::string_view word(const Belongs& belongs) {
    const std::size_t start = at_;
    while (at_ < line_.size() && belongs(line_[at_])) ++at_;
    return line_.substr(start, at_ - start);
  }
  void skip_spaces() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
  }
  void skip_rest() { at_ = line_.size(); }

  /// A place in the current line, for a later error.
  std::size_t place() const { return at_; }
  /// "expected WHAT, found " and what stands here.
  Error expected(std::string_view what) const { return expected_at(at_, what); }
  Error expected_at(std::size_t place, std::string_view what) const;
  Error error_at(std::size_t place, std::string what) const {
    return input_.error_at(input_.position_of(line_start_ + place), std::move(what));
  }

 private:
  ByteReader& input_;
  std::string_view line_;
  std::uint64_t line_start_ = 0;
  std::size_t at_ = 0;
};

/// Recognition by lines: asks `fits` about one line of the text after the other, until it says yes
/// or no. A line about which it says nothing, such as a comment, may be in other formats, too.
template <class Fits>
bool first_line_fits(const Head& head, const Fits& fits) {
  const Source text = Source::from_memory({}, std::string(head.bytes));
  Result<ByteReader> input = text.open_file(0);
  LineScanner line(*input);
  for (;;) {
    const Result<bool> more = line.next();
    if (!more || !*more) return false;
    if (const std::optional<bool> answer = fits(line)) return *answer;
  }
}

}  // namespace isoscope::format
