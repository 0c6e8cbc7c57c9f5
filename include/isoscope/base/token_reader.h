#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "isoscope/base/result.h"
#include "isoscope/base/tokens.h"

namespace isoscope {

/// A word or a string of a text, and where it stands.
struct Name {
  std::string text = {};
  Position where = {};
};

/// Goes through the tokens of a text, for a parser by recursive descent to be made of. Errors say
/// what was expected, what was found, and where.
class TokenReader {
 protected:
  /// `source` is the text's name and must outlive this; `is_reserved`: words that cannot be names.
  TokenReader(const std::string& source, Tokens tokens, bool (*is_reserved)(std::string_view))
      : source_(source), tokens_(std::move(tokens)), is_reserved_(is_reserved) {}

  const Token& peek(std::size_t ahead = 0) const;
  bool is_at_start() const { return at_ == 0; }
  bool is_at_end() const { return peek().kind == Token::Kind::end; }
  Token take() { return tokens_.tokens[at_ + 1 < tokens_.tokens.size() ? at_++ : at_]; }
  /// The token gets the role, if it is taken.
  bool take_if(std::string_view sign_or_word, Token::Role role = Token::Role::plain);
  Status expect(std::string_view sign_or_word, std::string_view where);
  Status expect(std::string_view sign_or_word, Token::Role role, std::string_view where);
  Result<Name> name(std::string_view what);
  /// Any word, reserved or not: where only a name can stand, there is nothing to confuse it with.
  Result<Name> free_name(std::string_view what);
  Result<Name> string(std::string_view what);
  void mark(Token::Role role) { tokens_.tokens[at_].role = role; }

  Error unexpected(std::string_view expected) const;
  Error error_at(Position where, std::string what) const {
    return {std::move(what), source_, where};
  }

  /// All of them, with their roles.
  Tokens finished() { return std::move(tokens_); }

 private:
  const std::string& source_;
  Tokens tokens_;
  bool (*is_reserved_)(std::string_view);
  std::size_t at_ = 0;
};

}  // namespace isoscope
