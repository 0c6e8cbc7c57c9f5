#include "spec/lexer.h"

#include <algorithm>
#include <array>

#include "isoscope/base/utf8.h"

namespace isoscope::spec {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_inner(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '\''; }
bool is_in_level_name(char c) { return is_inner(c) || c == '-' || c == '+' || c == '.'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Longer ones before those they start with.
constexpr std::array<std::string_view, 23> signs = {"<=>", "^-1", "=>", "!=", "<:", ":>", "|", "&",
                                                    "\\",  ";",   "*",  "+",  "?",  "=",  "(", ")",
                                                    "[",   "]",   "{",  "}",  ",",  ":",  "."};

class Lexer {
 public:
  explicit Lexer(const LevelText& source) : source_(source), text_(source.text) {}

  Result<Tokens> run() {
    if (const std::size_t bad = find_invalid_utf8(text_); bad != text_.npos) {
      for (; at_ < bad; ++at_) newline_if(text_[at_]);
      return error("expected UTF-8, found the byte " +
                   std::to_string(static_cast<unsigned char>(text_[bad])));
    }
    while (true) {
      skip_blanks_and_comments();
      if (at_ == text_.size()) break;
      ISOSCOPE_TRY_STATUS(take_token());
    }
    add_end();
    return std::move(result_);
  }

 private:
  Position position() const {
    return {at_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }

  Error error(std::string what) const { return {std::move(what), source_.name, position()}; }

  void newline_if(char c) {
    if (c != '\n') return;
    ++line_;
    line_start_ = at_ + 1;
  }

  void skip_blanks_and_comments() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#') {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view comment = text_.substr(at_, end - at_);
        while (is_blank(comment.back())) comment.remove_suffix(1);
        result_.comments.push_back({comment, position(), result_.tokens.size()});
        at_ = end;
        if (at_ == text_.size()) return;
      }
      if (!is_blank(text_[at_])) return;
      newline_if(text_[at_]);
    }
  }

  void add(Token::Kind kind, std::size_t length) {
    result_.tokens.push_back({kind, Token::Role::plain, text_.substr(at_, length), position()});
    at_ += length;
  }

  // Right after the last token, for that is the line to look at when something is missing.
  void add_end() {
    Token end;
    end.where = position();
    if (!result_.tokens.empty()) {
      const Token& last = result_.tokens.back();
      end.where = last.where;
      end.where.byte += last.text.size();
      end.where.column += static_cast<std::uint32_t>(last.text.size());
    }
    result_.tokens.push_back(end);
  }

  Status take_token() {
    const std::string_view rest = text_.substr(at_);
    // Names of the catalogue may be such as PL-2.99, and stand only here.
    if (!result_.tokens.empty() && result_.tokens.back().is("defines") && is_letter(rest[0])) {
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_in_level_name);
      add(Token::Kind::word, static_cast<std::size_t>(end - rest.begin()));
      return Done{};
    }
    if (is_letter(rest[0])) {
      std::size_t length = 1;
      while (length < rest.size() &&
             (is_inner(rest[length]) ||
              (rest[length] == '-' && length + 1 < rest.size() && is_inner(rest[length + 1]))))
        ++length;
      add(Token::Kind::word, length);
      return Done{};
    }
    if (rest[0] == '"') return take_string();
    for (const std::string_view sign : signs) {
      if (!rest.starts_with(sign)) continue;
      add(Token::Kind::sign, sign.size());
      return Done{};
    }
    const std::size_t length = utf8_length(text_, at_);
    const auto first = static_cast<unsigned char>(rest[0]);
    return error("expected a name or an operator, found " +
                 (first < 0x20 || first == 0x7f ? "the byte " + std::to_string(first)
                                                : "`" + std::string(rest.substr(0, length)) + "`"));
  }

  Status take_string() {
    std::size_t length = 1;
    while (true) {
      const char c = at_ + length < text_.size() ? text_[at_ + length] : '\n';
      if (c == '\n' || c == '\r') return error("expected a closing quote on the same line");
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7f) {
        at_ += length;
        return error("expected a printable character in a string, found the byte " +
                     std::to_string(byte));
      }
      ++length;
      if (c == '"') break;
      if (c != '\\') continue;
      const char escaped = at_ + length < text_.size() ? text_[at_ + length] : '\n';
      if (escaped != '"' && escaped != '\\') {
        at_ += length;
        return error("expected `\"` or `\\` after a backslash in a string");
      }
      ++length;
    }
    add(Token::Kind::string, length);
    return Done{};
  }

  const LevelText& source_;
  std::string_view text_;
  Tokens result_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

Result<Tokens> split_into_tokens(const LevelText& text) { return Lexer(text).run(); }

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  if (token.kind == Token::Kind::string) return "the string " + std::string(token.text);
  return "`" + std::string(token.text) + "`";
}

std::string unquoted(const Token& token) {
  std::string result;
  for (std::size_t i = 1; i + 1 < token.text.size(); ++i) {
    if (token.text[i] == '\\') ++i;
    result += token.text[i];
  }
  return result;
}

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 29> words = {
      "title", "cite",  "defines", "include",     "witness", "def",         "axiom", "canonical",
      "from",  "to",    "on",      "in",          "forall",  "exists",      "not",   "and",
      "or",    "some",  "no",      "acyclic",     "within",  "irreflexive", "total", "order",
      "true",  "false", "none",    "transaction", "key"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace isoscope::spec
