#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/tokens.h"

namespace isoscope {

/// Tokens and comments as lines of a formatted text. The formatter says where lines start; this
/// class puts blanks between tokens and breaks lines that are too long. It takes linear time.
class TokenLines {
 public:
  static constexpr std::size_t columns = 100;
  static constexpr std::size_t step = 2;  ///< of indentation
  static constexpr std::size_t deepest_indent = 20;

  struct Piece {
    const Token* token = nullptr;
    unsigned brackets = 0;       ///< open around it
    bool is_type_colon = false;  ///< with a blank on both sides
  };
  /// What a language has of its own.
  struct Style {
    bool (*needs_blank)(const Piece& left, const Piece& right);
    /// Whether a line may be broken after the token; lower numbers are preferred.
    std::optional<std::size_t> (*break_rank)(const Token& token);
  };

  explicit TokenLines(Style style) : style_(style) {}

  /// The line of the author's text that was looked at last.
  std::uint32_t last_line() const { return last_line_; }
  /// `line` is the author's line number. An empty line before it is kept if that is allowed.
  void start_line(std::uint32_t line, std::size_t indent, bool may_be_apart);
  void add(Piece piece) { line_.push_back(piece); }
  /// Puts the comment behind the line, if it stood there, or on a line of its own.
  void add_comment(const Comment& comment, std::size_t indent, bool between_statements);
  /// The whole text.
  std::string finished();

 private:
  std::string text(std::size_t from, std::size_t to) const;
  std::size_t width(std::size_t from, std::size_t i) const;
  bool fits(std::size_t from) const;
  std::size_t find_break(std::size_t from) const;
  void flush();

  Style style_;
  std::string result_;
  std::vector<Piece> line_;
  std::string_view comment_;  // at the end of the line
  std::size_t indent_ = 0;
  std::uint32_t last_line_ = 0;
};

}  // namespace isoscope
