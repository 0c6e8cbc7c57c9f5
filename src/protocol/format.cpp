#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "isoscope/protocol/model_text.h"
#include "protocol/syntax.h"

// The formatter keeps the tokens, their order and most of the author's line breaks, which say what
// belongs together better than any rule. It decides everything else: a statement, `when`, `then`
// and what is observed start a line; blanks between tokens; indentation in steps of two; at most
// one empty line; and a break in lines that are too long. So the meaning cannot change, and
// comments stay beside the tokens they stood beside.

namespace isoscope::protocol {

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t step = 2;
constexpr std::size_t deepest_indent = 20;
constexpr std::size_t update_indent = 7;  // below the first update: "  then "

/// A token as the start, or inside, of a line.
struct Piece {
  const Token* token = nullptr;
  unsigned brackets = 0;  ///< open around it
};

bool needs_blank(const Piece& left, const Piece& right) {
  const Token& before = *left.token;
  const Token& after = *right.token;
  if (before.is("(") || before.role == Token::Role::joint) return false;
  if (after.role == Token::Role::type_colon) return true;
  if (after.role == Token::Role::attached || after.role == Token::Role::joint) return false;
  return !after.is(")") && !after.is(",") && !after.is(".") && !after.is(":");
}

/// Where a line may be broken: after these, the earlier the better.
std::optional<std::size_t> break_rank(const Piece& piece) {
  static constexpr std::array<std::string_view, 8> breaks = {".",  "=",   "<=>", "=>",
                                                             "or", "and", ",",   ":="};
  const Token& token = *piece.token;
  if (token.role == Token::Role::joint || token.kind == Token::Kind::string) return std::nullopt;
  const auto found = std::find(breaks.begin(), breaks.end(), token.text);
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
        add_comment(tokens_.comments[next_comment], comment_indent, starts || at_end);
      }
      if (at_end) break;
      if (starts || is_clause || is_closing || token.where.line != last_line_)
        start_line(token.where.line, indent, starts);
      if (starts) {
        statement_column = token.where.column;
        brackets = 0;
      }
      if (starts || is_clause) in_updates = is_clause && token.is("then");
      if (closes(token) && brackets > 0) --brackets;
      line_.push_back({&token, brackets});
      if (opens(token)) ++brackets;
    }
    flush();
    return std::move(result_);
  }

 private:
  static bool opens(const Token& token) { return token.is("(") || token.is("{"); }
  static bool closes(const Token& token) { return token.is(")") || token.is("}"); }

  static std::size_t continuation_indent(std::uint32_t column, std::uint32_t statement_column,
                                         bool in_updates) {
    const std::size_t asked = column > statement_column ? column - statement_column : 0;
    if (in_updates && (asked == update_indent || asked + 1 == update_indent)) return update_indent;
    return std::clamp(asked / step * step, step, deepest_indent);
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

  // The last of the best places to break the pieces from `from` on, so that what comes before fits;
  // if nothing does, the first place at all.
  std::size_t find_break(std::size_t from) const {
    std::size_t best = line_.size();
    std::pair<unsigned, std::size_t> best_rank{std::numeric_limits<unsigned>::max(), 0};
    std::size_t length = indent_;
    for (std::size_t i = from; i + 1 < line_.size(); ++i) {
      length +=
          line_[i].token->text.size() + (i > from && needs_blank(line_[i - 1], line_[i]) ? 1 : 0);
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
      std::size_t to = line_.size();
      std::string shown = text(from, to);
      if (indent_ + shown.size() > columns) {
        to = find_break(from);
        shown = text(from, to);
      }
      result_ += std::string(indent_, ' ') + shown;
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

Result<std::string> format_model(const std::string& name, std::string_view text) {
  ISOSCOPE_TRY(syntax, parse_protocol(name, text));
  return Formatter(syntax).run();
}

}  // namespace isoscope::protocol
