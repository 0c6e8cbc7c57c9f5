#include "history/format/jepsen/edn.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "isoscope/base/unicode_escape.h"
#include "isoscope/base/utf8.h"

namespace isoscope::format {

namespace {

enum ByteClass : std::uint8_t { constituent, blank, delimiter };

/// What each byte does to a token: white space and brackets end it, as do the characters that start
/// something else.
constexpr std::array<ByteClass, 256> byte_classes = [] {
  std::array<ByteClass, 256> classes{};
  for (const char c : std::string_view(" \t\r\n\f\v,"))
    classes[static_cast<unsigned char>(c)] = blank;
  for (const char c : std::string_view("()[]{}\";\\^`~@")) {
    classes[static_cast<unsigned char>(c)] = delimiter;
  }
  return classes;
}();

ByteClass class_of(char c) { return byte_classes[static_cast<unsigned char>(c)]; }

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// May stand at the front of a symbol, a keyword's name or a tag.
bool starts_word(int c) {
  return is_letter(c) || c >= 0x80 ||
         (c > 0 && std::string_view(".*+!-_?$%&=<>/|'").find(static_cast<char>(c)) !=
                       std::string_view::npos);
}

constexpr std::size_t longest_token = 65536;

}  // namespace

bool is_edn_keyword(std::string_view text) {
  return text.size() > 1 && text.size() <= longest_token && text[0] == ':' && text[1] != ':' &&
         std::ranges::all_of(text, [](char c) { return class_of(c) == constituent; });
}

bool EdnReader::fail(std::uint64_t offset, std::string what) {
  if (error_) return false;
  Position position = input_.position_of(offset);
  if (position.byte != offset)
    position = {offset, 0, 0};  // it has left the buffer: a long string's start
  error_ = input_.error_at(position, std::move(what));
  return false;
}

bool EdnReader::fail_expected(std::string_view expected) {
  const int c = input_.peek();
  std::string found;
  if (c < 0) {
    found = "the end of the input";
  } else if (c < 0x20 || c >= 0x7F) {
    found = "byte " + std::to_string(c);
  } else {
    found = {'\'', static_cast<char>(c), '\''};
  }
  return fail(input_.offset(), "expected " + std::string(expected) + ", found " + found);
}

int EdnReader::skip_blank(TermTree& tree, int depth) {
  for (;;) {
    const int c = input_.peek();
    if (c < 0) return -1;
    if (class_of(static_cast<char>(c)) == blank) {
      input_.get();
    } else if (c == ';') {
      for (int next = c; next >= 0 && next != '\n';) next = input_.get();
    } else if (c == '#' && input_.window(2).substr(0, 2) == "#_") {
      if (depth >= max_depth) {
        fail(input_.offset(), "expected at most 256 nested forms, found more");
        return failed;
      }
      input_.skip(2);
      const TermTree::Mark mark = tree.mark();
      const int first = skip_blank(tree, depth + 1);
      if (first == failed || !form(tree, first, depth + 1)) return failed;
      tree.rewind(mark);
    } else {
      return c;
    }
  }
}

bool EdnReader::form(TermTree& tree, int first, int depth) {
  if (depth > max_depth)
    return fail(input_.offset(), "expected at most 256 nested forms, found more");
  if (tree.full()) {
    return fail(input_.offset(),
                "expected a form of at most 4194304 terms and 16 MiB of text, found a larger one");
  }
  switch (first) {
    case '"':
      return string(tree);
    case '\\':
      return character(tree);
    case '[':
      return collection(tree, TermKind::vector, 1, ']', depth);
    case '(':
      return collection(tree, TermKind::list, 1, ')', depth);
    case '{':
      return collection(tree, TermKind::map, 1, '}', depth);
    case '#':
      return dispatch(tree, depth);
    case '^':
      return fail_expected("a form (metadata is not read)");
    default:
      break;
  }
  if (is_digit(first)) return number(tree);
  if (first == '+' || first == '-') {
    const std::string_view window = input_.window(2);
    return window.size() > 1 && is_digit(window[1]) ? number(tree) : word(tree);
  }
  if (first == ':' || starts_word(first)) return word(tree);
  return fail_expected("a form");
}

bool EdnReader::collection(TermTree& tree, TermKind kind, std::size_t bracket_size, char closing,
                           int depth) {
  const std::size_t opened = tree.open(kind, input_.offset());
  input_.skip(bracket_size);
  std::size_t children = 0;
  for (;;) {
    const int c = skip_blank(tree, depth);
    if (c == failed) return false;
    if (c == closing) {
      if (kind == TermKind::map && children % 2 != 0)
        return fail_expected("a value for the map's last key");
      input_.get();
      tree.close(opened, children);
      return true;
    }
    if (c < 0 || c == ')' || c == ']' || c == '}')
      return fail_expected({std::array{'\'', closing, '\''}.data(), 3});
    if (!form(tree, c, depth + 1)) return false;
    ++children;
  }
}

/// What starts with '#', except for the discard: a set, a tag, or a symbolic number such as ##NaN.
bool EdnReader::dispatch(TermTree& tree, int depth) {
  const std::uint64_t start = input_.offset();
  const std::string_view window = input_.window(2);
  const int second = window.size() > 1 ? static_cast<unsigned char>(window[1]) : -1;
  if (second == '{') return collection(tree, TermKind::set, 2, '}', depth);
  if (second != '#' && second != ':' && (!starts_word(second) || second == '<' || second == '\'')) {
    return fail(start, "expected a set, a tag or a discard after '#'");
  }
  const std::optional<std::string_view> text = token(2);
  if (!text) return false;
  if (second == '#') {
    if (*text != "##Inf" && *text != "##-Inf" && *text != "##NaN") {
      return fail(start, "expected ##Inf, ##-Inf or ##NaN");
    }
    tree.add_text(TermKind::number, start, *text);
    input_.skip(text->size());
    return true;
  }
  const std::size_t tag = tree.size();
  tree.add_text(TermKind::tagged, start, text->substr(1));
  input_.skip(text->size());
  const int c = skip_blank(tree, depth);
  if (c == failed) return false;
  if (c < 0) return fail_expected("a form after the tag");
  if (!form(tree, c, depth + 1)) return false;
  tree.close_tag(tag);
  return true;
}

std::optional<std::string_view> EdnReader::token(std::size_t least) {
  std::string_view window = input_.window(std::max<std::size_t>(64, least));
  for (std::size_t at = std::min(least, window.size());; ++at) {
    if (at == window.size()) {
      window = input_.window(std::min(window.size() * 2, 2 * longest_token));
      if (at == window.size()) return window;  // the input ends here
    }
    if (at > longest_token) {
      fail(input_.offset(), "expected a token of at most 65536 bytes, found a longer one");
      return std::nullopt;
    }
    if (class_of(window[at]) == constituent) continue;
    window = window.substr(0, at);
    break;
  }
  return window;
}

bool EdnReader::number(TermTree& tree) {
  const std::uint64_t start = input_.offset();
  const std::optional<std::string_view> text = token(1);
  if (!text) return false;
  std::string_view digits = *text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.ends_with('N')) digits.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  const bool leading_zero = digits.size() > first + 1 && digits[first] == '0';
  if (problem == std::errc() && end == digits.data() + digits.size() && !leading_zero) {
    tree.add_integer(start, value);
  } else {
    for (const char c : *text) {
      if (is_digit(c) || is_letter(c) || c == '.' || c == '/' || c == '+' || c == '-') continue;
      return fail(start, "expected a number");
    }
    tree.add_text(TermKind::number, start, *text);
  }
  input_.skip(text->size());
  return true;
}

/// A keyword, a symbol, or one of the symbols that are values.
bool EdnReader::word(TermTree& tree) {
  const std::uint64_t start = input_.offset();
  const std::optional<std::string_view> text = token(1);
  if (!text) return false;
  if (find_invalid_utf8(*text) != std::string_view::npos)
    return fail(start, "expected valid UTF-8");
  if (text->starts_with(':')) {
    if (text->size() == 1 || (*text)[1] == ':')
      return fail(start, "expected a keyword such as :type");
    tree.add_text(TermKind::keyword, start, text->substr(1));
  } else if (*text == "nil") {
    tree.add_nil(start);
  } else if (*text == "true" || *text == "false") {
    tree.add_boolean(start, *text == "true");
  } else {
    tree.add_text(TermKind::symbol, start, *text);
  }
  input_.skip(text->size());
  return true;
}

bool EdnReader::character(TermTree& tree) {
  const std::uint64_t start = input_.offset();
  // The character itself may be a delimiter: \( or \"; longer names are \newline, \u0041.
  const std::string_view window = input_.window(5);
  const std::size_t length = window.size() > 1 ? utf8_length(window, 1) : 0;
  if (length == 0 || class_of(window[1]) == blank)
    return fail(start, "expected a character after '\\'");
  const std::optional<std::string_view> text = token(1 + length);
  if (!text) return false;
  if (find_invalid_utf8(*text) != std::string_view::npos)
    return fail(start, "expected valid UTF-8");
  tree.add_text(TermKind::character, start, text->substr(1));
  input_.skip(text->size());
  return true;
}

bool EdnReader::string(TermTree& tree) {
  const std::uint64_t start = input_.offset();
  input_.get();
  std::string& text = tree.text();
  const std::size_t text_start = text.size();
  for (;;) {
    const std::string_view window = input_.window(1);
    if (window.empty()) return fail_expected("'\"' at the end of a string");
    const std::size_t plain = std::min(window.find_first_of("\"\\"), window.size());
    if (text.size() + plain > TermTree::max_text) {
      return fail(start, "expected a form of at most 16 MiB of text, found a larger one");
    }
    text.append(window.substr(0, plain));
    const bool at_end = plain < window.size() && window[plain] == '"';
    const bool at_escape = plain < window.size() && window[plain] == '\\';
    input_.skip(plain);
    if (at_escape && !escape(text)) return false;
    if (at_end) break;
  }
  input_.get();
  if (find_invalid_utf8(std::string_view(text).substr(text_start)) != std::string_view::npos) {
    return fail(start, "expected valid UTF-8 in a string");
  }
  tree.add_text_from(TermKind::string, start, text_start);
  return true;
}

bool EdnReader::escape(std::string& text) {
  const std::uint64_t start = input_.offset();
  input_.get();
  const int c = input_.get();
  if (c == 'u') {
    const UnicodeEscape escape = read_unicode_escape(input_);
    if (escape.problem == UnicodeEscape::Problem::no_digits)
      return fail(start, "expected four hexadecimal digits after \\u");
    if (escape.problem == UnicodeEscape::Problem::lone_surrogate)
      return fail(start, "expected a pair of surrogates, found one");
    append_utf8(text, escape.code_point);
    return true;
  }
  static constexpr std::string_view letters = "\"\\bfnrt";
  static constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  const std::size_t letter = c < 0 ? std::string_view::npos : letters.find(static_cast<char>(c));
  if (letter == std::string_view::npos)
    return fail(start, "expected an escape such as \\n or \\u0041");
  text += meanings[letter];
  return true;
}

bool EdnReader::enter_enclosing(TermTree& tree) {
  started_ = true;
  if (input_.window(3).starts_with("\xEF\xBB\xBF")) input_.skip(3);
  const int c = skip_blank(tree, 0);
  if (c == failed) return false;
  if (c == '[' || c == '(') {
    enclosing_ = c == '[' ? ']' : ')';
    input_.get();
  }
  return true;
}

Result<bool> EdnReader::at_end() {
  ISOSCOPE_TRY_STATUS(input_.stream_status());
  return false;
}

Result<bool> EdnReader::next(TermTree& tree) {
  tree.clear();
  if (!started_ && !enter_enclosing(tree)) return *error_;
  const int c = skip_blank(tree, 0);
  if (c == failed) return *error_;
  if (enclosing_ != 0 && c == enclosing_) {
    input_.get();
    const int after = skip_blank(tree, 0);
    if (after >= 0) fail_expected("the end of the input");
    if (error_) return *error_;
    return at_end();
  }
  if (c < 0) {
    if (enclosing_ == 0) return at_end();
    fail_expected({std::array{'\'', enclosing_, '\''}.data(), 3});
    return *error_;
  }
  if (!form(tree, c, enclosing_ != 0 ? 1 : 0)) return *error_;
  return true;
}

}  // namespace isoscope::format
