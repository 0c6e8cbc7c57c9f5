#include "isoscope/base/tokens.h"

#include <algorithm>

#include "isoscope/base/utf8.h"

namespace isoscope {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_inner(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '\''; }
bool is_in_level_name(char c) { return is_inner(c) || c == '-' || c == '+' || c == '.'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string in_words(char byte) {
  return "the byte " + std::to_string(static_cast<unsigned char>(byte));
}

constexpr std::size_t longest_word = 200;
// The maximum number of bytes of a string that a message shows.
constexpr std::size_t shown_of_string = 60;

class Lexer {
 public:
  Lexer(const std::string& name, std::string_view text, const Spelling& spelling)
      : name_(name), text_(text), spelling_(spelling) {}

  Result<Tokens> run() {
    if (const std::size_t bad = find_invalid_utf8(text_); bad != text_.npos) {
      for (; at_ < bad; ++at_) newline_if(text_[at_]);
      return error("expected UTF-8, found " + in_words(text_[bad]));
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

  Error error(std::string what) const { return {std::move(what), name_, position()}; }

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
    if (is_letter(rest[0])) {
      const std::size_t length = length_of_word(rest);
      if (length > longest_word)
        return error("this word has " + std::to_string(length) + " bytes, more than " +
                     std::to_string(longest_word));
      add(Token::Kind::word, length);
      return Done{};
    }
    if (rest[0] == '"') return take_string();
    for (const std::string_view sign : spelling_.signs) {
      if (!rest.starts_with(sign)) continue;
      add(Token::Kind::sign, sign.size());
      return Done{};
    }
    const std::string shown(rest.substr(0, utf8_length(text_, at_)));
    return error("expected a name or an operator, found " +
                 (is_control(rest[0]) ? in_words(rest[0]) : "`" + shown + "`"));
  }

  std::size_t length_of_word(std::string_view rest) const {
    if (!result_.tokens.empty() && !spelling_.before_level.empty() &&
        result_.tokens.back().is(spelling_.before_level)) {
      return static_cast<std::size_t>(std::ranges::find_if_not(rest, is_in_level_name) -
                                      rest.begin());
    }
    std::size_t length = 1;
    while (length < rest.size() &&
           (is_inner(rest[length]) ||
            (rest[length] == '-' && length + 1 < rest.size() && is_inner(rest[length + 1]))))
      ++length;
    return length;
  }

  Status take_string() {
    std::size_t length = 1;
    const auto next = [&] { return at_ + length < text_.size() ? text_[at_ + length] : '\n'; };
    while (true) {
      const char c = next();
      if (c == '\n' || c == '\r') return error("expected a closing quote on the same line");
      if (is_control(c)) {
        at_ += length;
        return error("expected a printable character in a string, found " + in_words(c));
      }
      ++length;
      if (c == '"') break;
      if (c != '\\') continue;
      if (next() != '"' && next() != '\\') {
        at_ += length;
        return error("expected `\"` or `\\` after a backslash in a string");
      }
      ++length;
    }
    add(Token::Kind::string, length);
    return Done{};
  }

  const std::string& name_;
  std::string_view text_;
  const Spelling& spelling_;
  Tokens result_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

Result<Tokens> split_into_tokens(const std::string& name, std::string_view text,
                                 const Spelling& spelling) {
  return Lexer(name, text, spelling).run();
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  if (token.kind == Token::Kind::string) {
    std::size_t length = 0;
    while (length < std::min(shown_of_string, token.text.size()))
      length += utf8_length(token.text, length);
    return "the string " + std::string(token.text.substr(0, length)) +
           (length < token.text.size() ? "..." : "");
  }
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

}  // namespace isoscope
