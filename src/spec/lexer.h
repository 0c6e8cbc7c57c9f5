#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/spec/level_text.h"

namespace isoscope::spec {

/// One token of a level text. `text` points into the text.
struct Token {
  enum class Kind : std::uint8_t {
    word,    ///< a letter or _, then letters, digits, _ ' and inner hyphens
    string,  ///< with its quotes, as written
    sign,
    end,
  };
  /// What the parser found a sign to be, where the sign alone does not say. Only the formatter
  /// asks.
  enum class Role : std::uint8_t { plain, postfix, call, slice };

  Kind kind = Kind::end;
  Role role = Role::plain;
  std::string_view text = {};
  Position where = {};

  bool is(std::string_view sign_or_word) const {
    return text == sign_or_word && (kind == Kind::sign || kind == Kind::word);
  }
};

/// From # to the end of the line, trailing blanks cut off.
struct Comment {
  std::string_view text;
  Position where;
  std::size_t before = 0;  ///< number of the token that comes next
};

struct Tokens {
  std::vector<Token> tokens;  ///< the last one is `end`
  std::vector<Comment> comments;
};

/// Splits a text, which must outlive the tokens. Linear.
Result<Tokens> split_into_tokens(const LevelText& text);

/// A token for messages: "`in`", "the end of the text".
std::string describe(const Token& token);

/// A string token without its quotes and backslashes.
std::string unquoted(const Token& token);

/// Words that mean something in expressions or start statements, and cannot be names.
bool is_reserved(std::string_view word);

}  // namespace isoscope::spec
