#include "isoscope/base/token_reader.h"

#include <algorithm>

namespace isoscope {

const Token& TokenReader::peek(std::size_t ahead) const {
  return tokens_.tokens[std::min(at_ + ahead, tokens_.tokens.size() - 1)];
}

bool TokenReader::take_if(std::string_view sign_or_word, Token::Role role) {
  if (!peek().is(sign_or_word)) return false;
  if (role != Token::Role::plain) mark(role);
  take();
  return true;
}

Error TokenReader::unexpected(std::string_view expected) const {
  return error_at(peek().where,
                  "expected " + std::string(expected) + ", found " + describe(peek()));
}

Status TokenReader::expect(std::string_view sign_or_word, Token::Role role,
                           std::string_view where) {
  if (take_if(sign_or_word, role)) return Done{};
  return unexpected("`" + std::string(sign_or_word) + "` " + std::string(where));
}

Status TokenReader::expect(std::string_view sign_or_word, std::string_view where) {
  return expect(sign_or_word, Token::Role::plain, where);
}

Result<Name> TokenReader::free_name(std::string_view what) {
  if (peek().kind != Token::Kind::word) return unexpected(what);
  const Token token = take();
  return Name{std::string(token.text), token.where};
}

Result<Name> TokenReader::name(std::string_view what) {
  if (peek().kind == Token::Kind::word && is_reserved_(peek().text)) {
    return error_at(peek().where, "expected " + std::string(what) + ", found the word " +
                                      describe(peek()) + ", which has a meaning of its own");
  }
  return free_name(what);
}

Result<Name> TokenReader::string(std::string_view what) {
  if (peek().kind != Token::Kind::string) return unexpected(what);
  const Token token = take();
  return Name{unquoted(token), token.where};
}

}  // namespace isoscope
