#include "isoscope/base/json_reader.h"

#include <algorithm>
#include <charconv>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/unicode_escape.h"
#include "isoscope/base/utf8.h"

namespace isoscope {

namespace {

bool is_digit(int c) { return c >= '0' && c <= '9'; }

/// True for bytes a string may contain without any further look.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

constexpr std::size_t longest_number = 64;
constexpr std::size_t longest_shown = 24;  // of what was found, in a message

}  // namespace

int JsonReader::skip_space_if_any() {
  int c;
  while ((c = input_.peek()) == ' ' || c == '\n' || c == '\r' || c == '\t') input_.get();
  return c;
}

std::uint64_t JsonReader::next_offset() {
  skip_space();
  return input_.offset();
}

JsonReader::Kind JsonReader::peek() {
  if (failed_) return Kind::invalid;
  const int c = skip_space();
  if (c == '{') return Kind::object;
  if (c == '[') return Kind::array;
  if (c == '"') return Kind::string;
  if (c == '-' || is_digit(c)) return Kind::number;
  if (c == 't' || c == 'f') return Kind::boolean;
  if (c == 'n') return Kind::null;
  return c < 0 ? Kind::end : Kind::invalid;
}

std::string JsonReader::describe_next() {
  const int c = skip_space();
  if (c < 0) return "the end of the input";
  if (c < 0x20 || c >= 0x7F) return "byte " + std::to_string(c);
  std::string_view window = input_.window(longest_number);
  std::size_t length = 1;
  if (c == '"') {
    while (length < window.size() && length < longest_shown && is_plain(window[length])) ++length;
    if (length < window.size() && window[length] == '"') ++length;
  } else if (c == '-' || is_digit(c) || (c >= 'a' && c <= 'z')) {
    while (length < window.size() && length < longest_shown && is_plain(window[length]) &&
           std::string_view(",]}: ").find(window[length]) == std::string_view::npos) {
      ++length;
    }
  }
  return std::string(window.substr(0, length));
}

bool JsonReader::fail_with(Error error) {
  if (!failed_) failed_ = std::move(error);
  return false;
}

bool JsonReader::fail_at(std::uint64_t offset, std::string what) {
  if (!failed_) failed_ = input_.error_at(input_.position_of(offset), std::move(what));
  return false;
}

bool JsonReader::fail_expected(std::string_view expected) {
  if (failed_) return false;
  std::string found = describe_next();
  return fail_at(input_.offset(), "expected " + std::string(expected) + ", found " + found);
}

bool JsonReader::fail_found(std::string_view expected, std::string_view found) {
  return fail("expected " + std::string(expected) + ", found " + quoted_for_message(found));
}

bool JsonReader::enter(char bracket, std::string_view expected) {
  if (failed_) return false;
  if (skip_space() != bracket) return fail_expected(expected);
  value_start_ = input_.offset();
  if (depth_ == max_depth) {
    return fail_at(value_start_, "expected at most " + std::to_string(max_depth) +
                                     " nested brackets, found more");
  }
  ++depth_;
  input_.get();
  after_open_ = true;
  return true;
}

bool JsonReader::begin_array(std::string_view expected) { return enter('[', expected); }
bool JsonReader::begin_object(std::string_view expected) { return enter('{', expected); }

bool JsonReader::more(char closing) {
  if (failed_) return false;
  const int c = skip_space();
  const bool first = after_open_;
  after_open_ = false;
  if (c == closing) {
    input_.get();
    --depth_;
    return false;
  }
  if (first) return true;
  if (c != ',') return fail_expected(closing == ']' ? "',' or ']'" : "',' or '}'");
  input_.get();
  return true;
}

bool JsonReader::next_element() { return more(']'); }

std::optional<std::string_view> JsonReader::next_member() {
  if (!more('}')) return std::nullopt;
  std::optional<std::string_view> name = string("a member name");
  if (!name) return std::nullopt;
  // The name may point into the buffer, which looking further can move.
  if (name->data() != text_.data()) text_.assign(*name);
  if (skip_space() != ':') {
    fail_expected("':'");
    return std::nullopt;
  }
  input_.get();
  return text_;
}

std::optional<std::int64_t> JsonReader::integer(std::string_view expected) {
  if (failed_) return std::nullopt;
  const std::size_t first_digit = skip_space() == '-' ? 1 : 0;
  value_start_ = input_.offset();
  const std::string_view window = input_.window(longest_number);
  // Almost all have at most the 18 digits that cannot overflow; only the others are worth a careful
  // look.
  const std::size_t safe = std::min(window.size(), first_digit + 18);
  std::int64_t value = 0;
  std::size_t length = first_digit;
  for (; length < safe && is_digit(window[length]); ++length)
    value = value * 10 + (window[length] - '0');
  if (first_digit == 1) value = -value;
  bool good = length > first_digit;
  if (length == first_digit + 18) {
    const auto [end, problem] =
        std::from_chars(window.data(), window.data() + window.size(), value);
    good = problem == std::errc();
    length = static_cast<std::size_t>(end - window.data());
  }
  const char after = length < window.size() ? window[length] : ' ';
  const bool leading_zero = length > first_digit + 1 && window[first_digit] == '0';
  if (!good || leading_zero || after == '.' || after == 'e' || after == 'E') {
    fail_expected(expected);
    return std::nullopt;
  }
  input_.skip(length);
  return value;
}

std::optional<std::string_view> JsonReader::string(std::string_view expected) {
  if (failed_) return std::nullopt;
  if (skip_space() != '"') {
    fail_expected(expected);
    return std::nullopt;
  }
  value_start_ = input_.offset();
  std::string_view window = input_.window(32);
  for (std::size_t at = 1;; ++at) {
    if (at == window.size()) {
      if (window.size() >= ByteReader::max_window) {
        fail_at(value_start_, "expected a string of at most 64 MiB, found a longer one");
        return std::nullopt;
      }
      window = input_.window(std::min(ByteReader::max_window, window.size() * 2));
      if (at == window.size()) {
        input_.skip(at);
        fail_expected("'\"' at the end of a string");
        return std::nullopt;
      }
    }
    if (is_plain(window[at])) continue;
    if (window[at] != '"') return string_with_escapes(at);
    input_.skip(at + 1);
    return window.substr(1, at - 1);
  }
}

std::optional<std::string_view> JsonReader::string_with_escapes(std::size_t plain_prefix) {
  text_.assign(input_.window(plain_prefix).substr(1, plain_prefix - 1));
  input_.skip(plain_prefix);
  for (;;) {
    if (text_.size() >= ByteReader::max_window) {
      fail_at(value_start_, "expected a string of at most 64 MiB, found a longer one");
      return std::nullopt;
    }
    const int c = input_.peek();
    if (c == '"') {
      input_.get();
      return text_;
    }
    if (c == '\\') {
      input_.get();
      if (!escape()) return std::nullopt;
    } else if (c < 0) {
      fail_expected("'\"' at the end of a string");
      return std::nullopt;
    } else if (c < 0x20) {
      fail_at(input_.offset(),
              "expected no control character in a string, found byte " + std::to_string(c));
      return std::nullopt;
    } else {
      const std::string_view window = input_.window(4);
      const std::size_t length = utf8_length(window, 0);
      if (length == 0) {
        fail_expected("valid UTF-8 in a string");
        return std::nullopt;
      }
      text_.append(window.substr(0, length));
      input_.skip(length);
    }
  }
}

bool JsonReader::escape() {
  const std::uint64_t start = input_.offset() - 1;
  const int c = input_.get();
  static constexpr std::string_view letters = "\"\\/bfnrt";
  static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    const UnicodeEscape escape = read_unicode_escape(input_);
    if (escape.problem == UnicodeEscape::Problem::no_digits)
      return fail_at(start, "expected four hexadecimal digits after \\u, found something else");
    if (escape.problem == UnicodeEscape::Problem::lone_surrogate)
      return fail_at(start, "expected a pair of surrogates, found one");
    append_utf8(text_, escape.code_point);
    return true;
  }
  const std::size_t letter = c < 0 ? std::string_view::npos : letters.find(static_cast<char>(c));
  if (letter == std::string_view::npos) {
    return fail_at(start,
                   "expected an escape such as \\n or \\u0041, found a \\ and something else");
  }
  text_.push_back(meanings[letter]);
  return true;
}

bool JsonReader::literal(std::string_view word, std::string_view expected) {
  if (failed_) return false;
  skip_space();
  value_start_ = input_.offset();
  if (!input_.window(word.size()).starts_with(word)) return fail_expected(expected);
  input_.skip(word.size());
  return true;
}

std::optional<bool> JsonReader::boolean(std::string_view expected) {
  if (failed_) return std::nullopt;
  const bool value = skip_space() == 't';
  if (!literal(value ? "true" : "false", expected)) return std::nullopt;
  return value;
}

bool JsonReader::null(std::string_view expected) { return literal("null", expected); }

bool JsonReader::skip_value() {
  switch (peek()) {
    case Kind::object:
      begin_object();
      while (next_member()) skip_value();
      return !failed_;
    case Kind::array:
      begin_array();
      while (next_element()) skip_value();
      return !failed_;
    case Kind::string:
      return string().has_value();
    case Kind::boolean:
      return boolean().has_value();
    case Kind::null:
      return null();
    case Kind::number: {
      value_start_ = input_.offset();
      const auto digits = [&] {
        std::size_t count = 0;
        for (; is_digit(input_.peek()); input_.get()) ++count;
        return count;
      };
      if (input_.peek() == '-') input_.get();
      const bool zero = input_.peek() == '0';
      const std::size_t whole = digits();
      bool good = whole == 1 || (whole > 1 && !zero);
      if (good && input_.peek() == '.') {
        input_.get();
        good = digits() > 0;
      }
      if (good && (input_.peek() == 'e' || input_.peek() == 'E')) {
        input_.get();
        if (input_.peek() == '+' || input_.peek() == '-') input_.get();
        good = digits() > 0;
      }
      return good || fail_expected("a number");
    }
    case Kind::end:
    case Kind::invalid:
      break;
  }
  return fail_expected("a value");
}

bool JsonReader::expect_end() {
  if (failed_) return false;
  if (skip_space() >= 0) return fail_expected("the end of the input");
  if (Status status = input_.stream_status(); !status) {
    failed_ = status.error();
    return false;
  }
  return true;
}

}  // namespace isoscope
