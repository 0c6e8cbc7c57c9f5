#include "history/format/litmus/litmus_lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "isoscope/base/json_reader.h"
#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

using Kind = LitmusToken::Kind;

/// A longer word is a mistake, and would be held in memory.
constexpr std::size_t longest_word = 4096;
constexpr std::size_t longest_shown = 24;

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_word_start(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(int c) { return is_word_start(c) || is_digit(c) || c == '-'; }

constexpr std::array<std::string_view, 12> reserved = {
    "nil", "none", "null", "true", "false", "and", "or", "not", "between", "in", "is", "like",
};

/// The two-character signs; every other sign is one character.
constexpr std::array<std::string_view, 5> long_signs = {"..", "<>", "<=", ">=", "!="};
constexpr std::string_view short_signs = "(){}[],;|:.=<>!?@^";

}  // namespace

std::string LitmusToken::describe() const {
  switch (kind) {
    case Kind::newline:
      return "the end of the line";
    case Kind::end:
      return "the end of the input";
    case Kind::integer:
      return std::to_string(number);
    case Kind::error:
      return "something else";
    case Kind::sign:
      return "'" + text + "'";
    case Kind::word:
      return text.size() <= longest_shown ? text : text.substr(0, longest_shown) + "...";
    case Kind::string:
      break;
  }
  std::string shown;
  if (text.size() <= longest_shown) {
    append_json_string(shown, text);
    return shown;
  }
  return "a string of " + std::to_string(text.size()) + " bytes";
}

LitmusLexer::LitmusLexer(ByteReader& input) : input_(input) {
  if (input_.window(3).starts_with("\xEF\xBB\xBF")) input_.skip(3);
}

const LitmusToken& LitmusLexer::ahead(std::size_t count) {
  while (ahead_count_ <= count) ahead_[ahead_count_++] = scan();
  return ahead_[count];
}

LitmusToken LitmusLexer::take() {
  ahead(0);
  LitmusToken token = std::move(ahead_[0]);
  ahead_[0] = std::move(ahead_[1]);
  --ahead_count_;
  return token;
}

bool LitmusLexer::take_if(std::string_view sign) {
  if (!peek().is(sign)) return false;
  take();
  return true;
}

bool LitmusLexer::take_if_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  take();
  return true;
}

Error LitmusLexer::unexpected(std::string_view expected) {
  const LitmusToken& token = peek();
  if (token.kind == Kind::error) return error_at(token, problem_);
  return error_at(token, "expected " + std::string(expected) + ", found " + token.describe());
}

Status LitmusLexer::expect(std::string_view sign, std::string_view where) {
  if (take_if(sign)) return Done{};
  return unexpected("'" + std::string(sign) + "' " + std::string(where));
}

void LitmusLexer::skip_comment() {
  for (int c = input_.peek(); c >= 0 && c != '\n'; c = input_.peek()) {
    const std::string_view window = input_.window(1);
    input_.skip(std::min(window.find('\n'), window.size()));
  }
}

void LitmusLexer::take_newline() {
  input_.get();
  ++line_;
  line_start_ = input_.offset();
}

LitmusToken LitmusLexer::fail(LitmusToken token, std::string what) {
  if (problem_.empty()) problem_ = std::move(what);
  token.kind = Kind::error;
  return token;
}

int LitmusLexer::skip_blanks() {
  for (;;) {
    const int c = input_.peek();
    if (c == '#' || (c == '/' && input_.window(2).starts_with("//"))) {
      skip_comment();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      input_.get();
    } else if (c == '\n' && depth_ > 0) {
      take_newline();
    } else {
      return c;
    }
  }
}

LitmusToken LitmusLexer::scan() {
  const int c = skip_blanks();
  LitmusToken token;
  token.position = position();
  if (c < 0) {
    if (Status status = input_.stream_status(); !status) return fail(token, status.error().what);
    token.kind = Kind::end;
    return token;
  }
  if (c == '\n') {
    take_newline();
    token.kind = Kind::newline;
    return token;
  }
  if (c == '"') return scan_string(std::move(token));
  if (c == '-' || is_digit(c)) return scan_integer(std::move(token));
  if (!is_word_start(c)) return scan_sign(std::move(token));
  token.kind = Kind::word;
  for (; is_word_part(input_.peek()); input_.get()) {
    if (token.text.size() == longest_word) {
      return fail(token, "expected a name of at most 4096 letters, found a longer one");
    }
    token.text.push_back(static_cast<char>(input_.peek()));
  }
  return token;
}

LitmusToken LitmusLexer::scan_sign(LitmusToken token) {
  const int c = input_.peek();
  token.kind = Kind::sign;
  const std::string_view window = input_.window(2);
  for (const std::string_view sign : long_signs) {
    if (!window.starts_with(sign)) continue;
    token.text = sign == "!=" ? "<>" : sign;
    input_.skip(2);
    return token;
  }
  if (short_signs.find(window[0]) == std::string_view::npos) {
    const bool printable = c > ' ' && c < 0x7F;
    return fail(token, "expected a name, a number, a string or a sign, found " +
                           (printable ? "'" + std::string(1, window[0]) + "'"
                                      : "byte " + std::to_string(c)));
  }
  token.text = window.substr(0, 1);
  if (c == '(' || c == '{' || c == '[') {
    if (depth_ == max_depth) {
      return fail(token,
                  "expected at most " + std::to_string(max_depth) + " nested brackets, found more");
    }
    ++depth_;
  }
  if ((c == ')' || c == '}' || c == ']') && depth_ > 0) --depth_;
  input_.skip(1);
  return token;
}

LitmusToken LitmusLexer::scan_integer(LitmusToken token) {
  const std::string_view window = input_.window(longest_shown);
  const auto [end, problem] =
      std::from_chars(window.data(), window.data() + window.size(), token.number);
  const auto length = static_cast<std::size_t>(end - window.data());
  if (problem == std::errc::invalid_argument)
    return fail(token, "expected a digit after '-', found none");
  if (problem != std::errc())
    return fail(token, "expected an integer of 64 bits, found a larger one");
  if (length < window.size() && is_word_part(window[length])) {
    return fail(token,
                "expected an integer, found a name that starts with a digit: put it in quotes");
  }
  token.kind = Kind::integer;
  input_.skip(length);
  return token;
}

LitmusToken LitmusLexer::scan_string(LitmusToken token) {
  JsonReader json(input_);
  const auto text = json.string();
  if (!text) {
    token.position = json.error().position;
    return fail(token, json.error().what);
  }
  token.kind = Kind::string;
  token.text = *text;
  return token;
}

bool is_litmus_word(std::string_view text) {
  return !text.empty() && text.size() <= longest_word && is_word_start(text[0]) &&
         std::ranges::all_of(text, is_word_part) &&
         std::ranges::find(reserved, text) == reserved.end();
}

void append_litmus_string(std::string& to, std::string_view text) {
  if (is_litmus_word(text)) {
    to += text;
  } else {
    append_json_string(to, text);
  }
}

}  // namespace isoscope::format
