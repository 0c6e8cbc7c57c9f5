#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "isoscope/spec/level_text.h"
#include "spec/syntax.h"

// The formatter keeps the tokens, their order and the author's line breaks, which say what belongs
// together better than any rule. It decides everything else: one statement starts per line, blanks
// between tokens, indentation in steps of two, at most one empty line, and a break in lines that
// are too long. So the meaning cannot change, and comments stay beside the tokens they stood
// beside.

namespace isoscope::spec {

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t step = 2;
constexpr std::size_t deepest_indent = 20;

/// A token as the start, or inside, of a line.
struct Piece {
  const Token* token = nullptr;
  unsigned brackets = 0;  ///< open around it
  bool witness_colon = false;
};

bool needs_blank(const Piece& left, const Piece& right) {
  const Token& before = *left.token;
  const Token& after = *right.token;
  if (before.is("(") || before.is("[")) return false;
  if (after.role != Token::Role::plain) return false;
  if (after.is(":")) return right.witness_colon;
  return !after.is(")") && !after.is("]") && !after.is(",") && !after.is(".");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Piece& piece) {
  static constexpr std::array<std::string_view, 12> breaks = {".", "=",  "<=>", "=>", "or", "and",
                                                              ",", "in", "|",   "&",  "\\", ";"};
  if (piece.token->kind != Token::Kind::sign && piece.token->kind != Token::Kind::word)
    return std::nullopt;
  const auto found = std::find(breaks.begin(), breaks.end(), piece.token->text);
  if (found == breaks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - breaks.begin());
}

class Formatter {
 public:
  explicit Formatter(const Syntax& syntax) : tokens_(syntax.tokens) {
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
        add_comment(tokens_.comments[next_comment], indent, starts || at_end);
      }
      if (at_end) break;
      if (starts || token.where.line != last_line_) start_line(token.where.line, indent, starts);
      if (starts) {
        statement_column = token.where.column;
        keyword = token.text;
        since_keyword = 0;
        brackets = 0;
      }
      if (closes(token) && brackets > 0) --brackets;
      line_.push_back({&token, brackets, keyword == "witness" && since_keyword == 2});
      if (opens(token)) ++brackets;
      ++since_keyword;
    }
    flush();
    return std::move(result_);
  }

 private:
  static bool opens(const Token& t) { return t.is("(") || t.is("[") || t.is("{"); }
  static bool closes(const Token& t) { return t.is(")") || t.is("]") || t.is("}"); }

  // As the author has it, but deeper than the statement, of which only a bracket may end in line
  // with its start.
  static std::size_t continuation_indent(const Token& token, std::uint32_t statement_column) {
    const std::uint32_t column = token.where.column;
    const std::size_t asked = column > statement_column ? column - statement_column : 0;
    return std::clamp(asked / step * step, closes(token) ? 0 : step, deepest_indent);
  }

  void start_line(std::uint32_t line, std::size_t indent, bool may_be_apart) {
    flush();
    // An empty line of the author's; inside statements there are none.
    if (may_be_apart && line > last_line_ + 1 && !result_.empty()) result_ += '\n';
    indent_ = indent;
    last_line_ = line;
  }

  void add_comment(const Comment& comment, std::size_t indent, bool between_statements) {
    const bool trailing = !line_.empty() && comment.where.line == last_line_;
    if (trailing) {
      comment_ = comment.text;
      flush();
      return;
    }
    start_line(comment.where.line, indent, between_statements);
    result_ += std::string(indent, ' ') + std::string(comment.text) + '\n';
  }

  std::string text(std::size_t from, std::size_t to) const {
    std::string result;
    for (std::size_t i = from; i < to; ++i) {
      if (i > from && needs_blank(line_[i - 1], line_[i])) result += ' ';
      result += line_[i].token->text;
    }
    return result;
  }

  /// What piece number i adds to a line that starts with piece number `from`.
  std::size_t width(std::size_t from, std::size_t i) const {
    const bool blank = i > from && needs_blank(line_[i - 1], line_[i]);
    return line_[i].token->text.size() + (blank ? 1 : 0);
  }

  /// Looks no further than the end of the line, so that a long text takes linear time.
  bool fits(std::size_t from) const {
    std::size_t length = indent_;
    for (std::size_t i = from; i < line_.size() && length <= columns; ++i) length += width(from, i);
    return length <= columns;
  }

  // The last of the best places to break the pieces from `from` on, so that what comes before fits;
  // if nothing does, the first place at all.
  std::size_t find_break(std::size_t from) const {
    std::size_t best = line_.size();
    std::pair<unsigned, std::size_t> best_rank{std::numeric_limits<unsigned>::max(), 0};
    std::size_t length = indent_;
    for (std::size_t i = from; i + 1 < line_.size(); ++i) {
      length += width(from, i);
      if (length > columns && best != line_.size()) break;
      const auto rank = break_rank(line_[i]);
      if (!rank) continue;
      const std::pair<unsigned, std::size_t> here{line_[i].brackets, *rank};
      if (here > best_rank) continue;
      best = i + 1;
      best_rank = here;
      if (length > columns) break;
    }
    return best;
  }

  void flush() {
    std::size_t from = 0;
    while (from < line_.size()) {
      const std::size_t to = fits(from) ? line_.size() : find_break(from);
      result_ += std::string(indent_, ' ') + text(from, to);
      from = to;
      if (from < line_.size()) {
        result_ += '\n';
        indent_ = std::max(indent_, step);
      }
    }
    if (!line_.empty()) {
      if (!comment_.empty()) result_ += "  " + std::string(comment_);
      result_ += '\n';
    }
    line_.clear();
    comment_ = {};
  }

  const Tokens& tokens_;
  std::vector<std::uint64_t> starts_;
  std::string result_;
  std::vector<Piece> line_;
  std::string_view comment_;  // at the end of the line
  std::size_t indent_ = 0;
  std::uint32_t last_line_ = 0;
};

}  // namespace

Result<std::string> format_level(const LevelText& text) {
  ISOSCOPE_TRY(syntax, parse_level(text));
  return Formatter(syntax).run();
}

}  // namespace isoscope::spec
