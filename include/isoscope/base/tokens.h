#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope {

/// One token of a text in one of the project's languages. `text` points into the text.
struct Token {
  enum class Kind : std::uint8_t {
    word,    ///< a letter or _, then letters, digits, _ ' and inner hyphens
    string,  ///< with its quotes, as written
    sign,
    end,
  };
  /// What the parser found a token to be, where the token alone does not say. Only the formatter
  /// asks.
  enum class Role : std::uint8_t {
    plain,
    attached,  ///< belongs to the token before it: the bracket of arguments, a `?`, a closure's `+`
    joint,     ///< between the parts of a name: the dot of `log.last`
    type_colon,  ///< has a blank on both sides
    clause,      ///< starts a line: `when`, `then`
    closing,     ///< stands on a line of its own: the last `}` of `observe`
  };

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

/// How a language is spelt: words and strings are alike everywhere, signs are not.
struct Spelling {
  std::span<const std::string_view> signs;  ///< longer ones before those they start with
  /// After this word a name may have `-`, `+` and `.` anywhere behind its first letter: levels are
  /// called such as PL-2.99.
  std::string_view before_level = {};
};

/// Splits a text, which must outlive the tokens; `name` is the text's, for errors. Linear. Words of
/// more than 200 bytes are an error: they would stand in every message.
Result<Tokens> split_into_tokens(const std::string& name, std::string_view text,
                                 const Spelling& spelling);

/// A token for messages: "`in`", "the end of the text".
std::string describe(const Token& token);

/// A string token without its quotes and backslashes.
std::string unquoted(const Token& token);

}  // namespace isoscope
