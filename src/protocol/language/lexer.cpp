#include "protocol/language/lexer.h"

#include <algorithm>
#include <array>

namespace isoscope::protocol {

Result<Tokens> split_into_tokens(const std::string& name, std::string_view text) {
  static constexpr std::array<std::string_view, 13> signs = {"<=>", "=>", "!=", ":=", "=", "(", ")",
                                                             "{",   "}",  ",",  ":",  ".", "?"};
  return isoscope::split_into_tokens(name, text, {.signs = signs});
}

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 43> words = {
      "title",    "cite",         "claims",  "enum",  "order",   "constant", "state", "history",
      "versions", "participants", "def",     "event", "observe", "map",      "view",  "auxiliary",
      "witness",  "invariant",    "at",      "when",  "then",    "for",      "if",    "else",
      "forall",   "exists",       "no",      "not",   "and",     "or",       "in",    "true",
      "false",    "none",         "initial", "owner", "so",      "client",   "key",   "transaction",
      "bool",     "by",           "refines"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace isoscope::protocol
