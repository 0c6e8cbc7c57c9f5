#include <algorithm>
#include <array>
#include <optional>

#include "isoscope/base/token_lines.h"
#include "isoscope/protocol/model_text.h"
#include "protocol/language/syntax.h"

// The formatter keeps the tokens, their order and most of the author's line breaks, which say what
// belongs together better than any rule. It decides everything else: a statement, `when`, `then`
// and what is observed start a line; blanks between tokens; indentation in steps of two; at most
// one empty line; and a break in lines that are too long. So the meaning cannot change, and
// comments stay beside the tokens they stood beside.

namespace isoscope::protocol {

namespace {

using Piece = TokenLines::Piece;
constexpr std::size_t step = TokenLines::step;
constexpr std::size_t update_indent = 7;  // below the first update: "  then "

bool needs_blank(const Piece& left, const Piece& right) {
  const Token& before = *left.token;
  const Token& after = *right.token;
  if (before.is("(") || before.role == Token::Role::joint) return false;
  if (after.role == Token::Role::type_colon) return true;
  if (after.role == Token::Role::attached || after.role == Token::Role::joint) return false;
  return !after.is(")") && !after.is(",") && !after.is(".") && !after.is(":");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Token& token) {
  static constexpr std::array<std::string_view, 8> breaks = {".",  "=",   "<=>", "=>",
                                                             "or", "and", ",",   ":="};
  if (token.role == Token::Role::joint || token.kind == Token::Kind::string) return std::nullopt;
  const auto found = std::find(breaks.begin(), breaks.end(), token.text);
  if (found == breaks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - breaks.begin());
}

class Formatter {
 public:
  explicit Formatter(const Syntax& syntax)
      : tokens_(syntax.tokens), lines_({needs_blank, break_rank}) {
    for (const Statement& statement : syntax.statements) starts_.push_back(statement.where.byte);
  }

  std::string run() {
    std::size_t next_start = 0;
    std::size_t next_comment = 0;
    std::uint32_t statement_column = 1;
    unsigned brackets = 0;
    bool in_updates = false;
    for (std::size_t i = 0; i < tokens_.tokens.size(); ++i) {
      const Token& token = tokens_.tokens[i];
      const bool at_end = token.kind == Token::Kind::end;
      const bool starts = next_start < starts_.size() && token.where.byte == starts_[next_start];
      if (starts) ++next_start;
      const bool is_clause = token.role == Token::Role::clause;
      const bool is_closing = token.role == Token::Role::closing;
      const std::size_t comment_indent =
          starts || at_end ? 0
          : is_clause || is_closing
              ? step
              : continuation_indent(token.where.column, statement_column, in_updates);
      const std::size_t indent = is_closing ? 0 : comment_indent;
      for (; next_comment < tokens_.comments.size() && tokens_.comments[next_comment].before == i;
           ++next_comment) {
        lines_.add_comment(tokens_.comments[next_comment], comment_indent, starts || at_end);
      }
      if (at_end) break;
      if (starts || is_clause || is_closing || token.where.line != lines_.last_line())
        lines_.start_line(token.where.line, indent, starts);
      if (starts) {
        statement_column = token.where.column;
        brackets = 0;
      }
      if (starts || is_clause) in_updates = is_clause && token.is("then");
      if (closes(token) && brackets > 0) --brackets;
      lines_.add({&token, brackets});
      if (opens(token)) ++brackets;
    }
    return lines_.finished();
  }

 private:
  static bool opens(const Token& token) { return token.is("(") || token.is("{"); }
  static bool closes(const Token& token) { return token.is(")") || token.is("}"); }

  static std::size_t continuation_indent(std::uint32_t column, std::uint32_t statement_column,
                                         bool in_updates) {
    const std::size_t asked = column > statement_column ? column - statement_column : 0;
    if (in_updates && (asked == update_indent || asked + 1 == update_indent)) return update_indent;
    return std::clamp(asked / step * step, step, TokenLines::deepest_indent);
  }

  const Tokens& tokens_;
  std::vector<std::uint64_t> starts_;
  TokenLines lines_;
};

}  // namespace

Result<std::string> format_model(const std::string& name, std::string_view text) {
  ISOSCOPE_TRY(syntax, parse_protocol(name, text));
  return Formatter(syntax).run();
}

}  // namespace isoscope::protocol
