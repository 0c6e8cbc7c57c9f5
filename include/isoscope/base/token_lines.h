#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/tokens.h"

namespace isoscope {

/// Tokens and comments as lines of a formatted text. format_tokens() says where lines start; this
/// class puts blanks between tokens and breaks lines that are too long. It takes linear time.
class TokenLines {
 public:
  static constexpr std::size_t columns = 100;
  static constexpr std::size_t step = 2;  ///< of indentation
  static constexpr std::size_t deepest_indent = 20;

  struct Piece {
    const Token* token = nullptr;
    unsigned brackets = 0;  ///< open around it
  };
  /// What a language has of its own.
  struct Style {
    bool (*needs_blank)(const Token& left, const Token& right);
    /// Whether a line may be broken after the token; lower numbers are preferred.
    std::optional<std::size_t> (*break_rank)(const Token& token);
    /// How far a line inside a statement is indented that begins with the token. The author's line
    /// was `asked` columns right of the statement; `clause` is the word that began the clause.
    std::size_t (*indent)(const Token& token, std::size_t asked, std::string_view clause);
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

/// A text in house style. It keeps the tokens, their order and most of the author's line breaks,
/// which say what belongs together better than any rule. It decides everything else: a statement
/// and a clause start a line; blanks between tokens; indentation; at most one empty line; and a
/// break in lines that are too long. So the meaning cannot change, and comments stay beside the
/// tokens they stood beside. `starts` are the first bytes of statements.
std::string format_tokens(const Tokens& tokens, std::span<const std::uint64_t> starts,
                          const TokenLines::Style& style);

}  // namespace isoscope
