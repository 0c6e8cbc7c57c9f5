#include <algorithm>
#include <array>
#include <optional>

#include "isoscope/base/token_lines.h"
#include "isoscope/spec/level_text.h"
#include "spec/syntax.h"

// The formatter keeps the tokens, their order and the author's line breaks, which say what belongs
// together better than any rule. It decides everything else: one statement starts per line, blanks
// between tokens, indentation in steps of two, at most one empty line, and a break in lines that
// are too long. So the meaning cannot change, and comments stay beside the tokens they stood
// beside.

namespace isoscope::spec {

namespace {

using Piece = TokenLines::Piece;
constexpr std::size_t step = TokenLines::step;

bool needs_blank(const Piece& left, const Piece& right) {
  const Token& before = *left.token;
  const Token& after = *right.token;
  if (before.is("(") || before.is("[")) return false;
  if (after.role != Token::Role::plain) return false;
  if (after.is(":")) return right.is_type_colon;
  return !after.is(")") && !after.is("]") && !after.is(",") && !after.is(".");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Token& token) {
  static constexpr std::array<std::string_view, 12> breaks = {".", "=",  "<=>", "=>", "or", "and",
                                                              ",", "in", "|",   "&",  "\\", ";"};
  if (token.kind != Token::Kind::sign && token.kind != Token::Kind::word) return std::nullopt;
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
    std::string_view keyword;
    std::size_t since_keyword = 0;
    unsigned brackets = 0;
    for (std::size_t i = 0; i < tokens_.tokens.size(); ++i) {
      const Token& token = tokens_.tokens[i];
      const bool at_end = token.kind == Token::Kind::end;
      const bool starts = next_start < starts_.size() && token.where.byte == starts_[next_start];
      if (starts) ++next_start;
      const std::size_t indent =
          starts || at_end ? 0 : continuation_indent(token, statement_column);
      for (; next_comment < tokens_.comments.size() && tokens_.comments[next_comment].before == i;
           ++next_comment) {
        lines_.add_comment(tokens_.comments[next_comment], indent, starts || at_end);
      }
      if (at_end) break;
      if (starts || token.where.line != lines_.last_line())
        lines_.start_line(token.where.line, indent, starts);
      if (starts) {
        statement_column = token.where.column;
        keyword = token.text;
        since_keyword = 0;
        brackets = 0;
      }
      if (closes(token) && brackets > 0) --brackets;
      lines_.add({&token, brackets, keyword == "witness" && since_keyword == 2});
      if (opens(token)) ++brackets;
      ++since_keyword;
    }
    return lines_.finished();
  }

 private:
  static bool opens(const Token& t) { return t.is("(") || t.is("[") || t.is("{"); }
  static bool closes(const Token& t) { return t.is(")") || t.is("]") || t.is("}"); }

  // The author's indentation, but deeper than the statement's. Only a closing bracket of the
  // statement may stand in line with its start.
  static std::size_t continuation_indent(const Token& token, std::uint32_t statement_column) {
    const std::uint32_t column = token.where.column;
    const std::size_t asked = column > statement_column ? column - statement_column : 0;
    return std::clamp(asked / step * step, closes(token) ? 0 : step, TokenLines::deepest_indent);
  }

  const Tokens& tokens_;
  std::vector<std::uint64_t> starts_;
  TokenLines lines_;
};

}  // namespace

Result<std::string> format_level(const LevelText& text) {
  ISOSCOPE_TRY(syntax, parse_level(text));
  return Formatter(syntax).run();
}

}  // namespace isoscope::spec
