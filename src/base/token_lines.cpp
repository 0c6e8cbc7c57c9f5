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
    if (i > from && style_.needs_blank(line_[i - 1], line_[i])) result += ' ';
    result += line_[i].token->text;
  }
  return result;
}

/// What piece number i adds to a line that starts with piece number `from`.
std::size_t TokenLines::width(std::size_t from, std::size_t i) const {
  const bool blank = i > from && style_.needs_blank(line_[i - 1], line_[i]);
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

}  // namespace isoscope
