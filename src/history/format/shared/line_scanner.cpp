#include "history/format/shared/line_scanner.h"

#include <algorithm>
#include <charconv>

namespace isoscope::format {

namespace {

constexpr std::size_t longest_shown = 24;

bool is_printable(char c) { return c > ' ' && c < 0x7F; }

/// What stands at the front of the text: a word, or the punctuation that ends words.
std::string described(std::string_view text) {
  constexpr std::string_view punctuation = "()[],!";
  if (text.empty()) return "the end of the line";
  if (!is_printable(text[0])) return "byte " + std::to_string(static_cast<unsigned char>(text[0]));
  std::size_t length = 1;
  if (punctuation.find(text[0]) == std::string_view::npos) {
    const auto ends = [&](char c) {
      return !is_printable(c) || punctuation.find(c) != std::string_view::npos;
    };
    length = static_cast<std::size_t>(std::ranges::find_if(text, ends) - text.begin());
  }
  std::string shown(text.substr(0, std::min(length, longest_shown)));
  if (length > longest_shown) shown += "...";
  return shown;
}

}  // namespace

void skip_byte_order_mark(ByteReader& input) {
  if (input.offset() == 0 && input.window(3).starts_with("\xEF\xBB\xBF")) input.skip(3);
}

Result<bool> LineScanner::next() {
  do {
    line_start_ = input_.offset();
    ISOSCOPE_TRY(line, input_.next_line());
    if (!line) return false;
    line_ = *line;
    at_ = 0;
  } while (at_end());
  at_ = 0;
  return true;
}

bool LineScanner::take(std::string_view word) {
  skip_spaces();
  if (!line_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

bool LineScanner::take_rule(char c) {
  skip_spaces();
  return !word([&](char next) { return next == c; }).empty();
}

Status LineScanner::expect(char c) {
  if (take(std::string_view(&c, 1))) return Done{};
  return expected({"'" + std::string(1, c) + "'"});
}

Status LineScanner::expect_end() {
  if (at_end()) return Done{};
  return expected("the end of the line");
}

Result<std::uint64_t> LineScanner::number(std::string_view what, std::uint64_t most) {
  skip_spaces();
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(line_.data() + at_, line_.data() + line_.size(), value);
  if (problem == std::errc::invalid_argument) return expected(what);
  if (problem != std::errc() || value > most) {
    return expected(std::string(what) + " of at most " + std::to_string(most));
  }
  at_ = static_cast<std::size_t>(end - line_.data());
  return value;
}

Error LineScanner::expected_at(std::size_t place, std::string_view what) const {
  return error_at(place,
                  "expected " + std::string(what) + ", found " + described(line_.substr(place)));
}

}  // namespace isoscope::format
