#include "isoscope/base/token_lines.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace isoscope {

void TokenLines::start_line(std::uint32_t line, std::size_t indent, bool may_be_apart) {
  flush();
  // An empty line of the author's; inside statements there are none.
  if (may_be_apart && line > last_line_ + 1 && !result_.empty()) result_ += '\n';
  indent_ = indent;
  last_line_ = line;
}

void TokenLines::add_comment(const Comment& comment, std::size_t indent, bool between_statements) {
  const bool trailing = !line_.empty() && comment.where.line == last_line_;
  if (trailing) {
    comment_ = comment.text;
    flush();
    return;
  }
  start_line(comment.where.line, indent, between_statements);
  result_ += std::string(indent, ' ') + std::string(comment.text) + '\n';
}

std::string TokenLines::finished() {
  flush();
  return std::move(result_);
}

std::string TokenLines::text(std::size_t from, std::size_t to) const {
  std::string result;
  for (std::size_t i = from; i < to; ++i) {
    if (i > from && style_.needs_blank(*line_[i - 1].token, *line_[i].token)) result += ' ';
    result += line_[i].token->text;
  }
  return result;
}

/// What piece number i adds to a line that starts with piece number `from`.
std::size_t TokenLines::width(std::size_t from, std::size_t i) const {
  const bool blank = i > from && style_.needs_blank(*line_[i - 1].token, *line_[i].token);
  return line_[i].token->text.size() + (blank ? 1 : 0);
}

/// Looks no further than the end of the line, so that a long text takes linear time.
bool TokenLines::fits(std::size_t from) const {
  std::size_t length = indent_;
  for (std::size_t i = from; i < line_.size() && length <= columns; ++i) length += width(from, i);
  return length <= columns;
}

// The last of the best places to break the pieces from `from` on, so that what comes before fits;
// if nothing does, the first place at all.
std::size_t TokenLines::find_break(std::size_t from) const {
  std::size_t best = line_.size();
  std::pair<unsigned, std::size_t> best_rank{std::numeric_limits<unsigned>::max(), 0};
  std::size_t length = indent_;
  for (std::size_t i = from; i + 1 < line_.size(); ++i) {
    length += width(from, i);
    if (length > columns && best != line_.size()) break;
    const auto rank = style_.break_rank(*line_[i].token);
    if (!rank) continue;
    const std::pair<unsigned, std::size_t> here{line_[i].brackets, *rank};
    if (here > best_rank) continue;
    best = i + 1;
    best_rank = here;
    if (length > columns) break;
  }
  return best;
}

void TokenLines::flush() {
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

namespace {

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

/// What the formatter knows about the statement that it is in.
struct Inside {
  std::uint32_t column = 1;  ///< where the author began it
  std::string_view clause = {};
  unsigned brackets = 0;
};

}  // namespace

std::string format_tokens(const Tokens& tokens, std::span<const std::uint64_t> starts,
                          const TokenLines::Style& style) {
  TokenLines lines(style);
  Inside inside;
  std::size_t next_start = 0;
  std::size_t next_comment = 0;
  for (std::size_t i = 0; i < tokens.tokens.size(); ++i) {
    const Token& token = tokens.tokens[i];
    const bool at_end = token.kind == Token::Kind::end;
    const bool is_start = next_start < starts.size() && token.where.byte == starts[next_start];
    const bool is_clause = token.role == Token::Role::clause;
    const bool is_closing = token.role == Token::Role::closing;
    if (is_start) ++next_start;
    std::size_t comment_indent = 0;
    if (is_clause || is_closing) {
      comment_indent = TokenLines::step;
    } else if (!is_start && !at_end) {
      const std::uint32_t column = token.where.column;
      const std::size_t asked = column > inside.column ? column - inside.column : 0;
      comment_indent = style.indent(token, asked, inside.clause);
    }
    for (; next_comment < tokens.comments.size() && tokens.comments[next_comment].before == i;
         ++next_comment) {
      lines.add_comment(tokens.comments[next_comment], comment_indent, is_start || at_end);
    }
    if (at_end) break;
    if (is_start || is_clause || is_closing || token.where.line != lines.last_line())
      lines.start_line(token.where.line, is_closing ? 0 : comment_indent, is_start);
    if (is_start) inside = {.column = token.where.column};
    if (is_clause) inside.clause = token.text;
    if (closes(token) && inside.brackets > 0) --inside.brackets;
    lines.add({&token, inside.brackets});
    if (opens(token)) ++inside.brackets;
  }
  return lines.finished();
}

}  // namespace isoscope
