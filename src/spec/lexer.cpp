#include "spec/lexer.h"

#include <algorithm>
#include <array>

namespace isoscope::spec {

Result<Tokens> split_into_tokens(const LevelText& text) {
  static constexpr std::array<std::string_view, 23> signs = {
      "<=>", "^-1", "=>", "!=", "<:", ":>", "|", "&", "\\", ";", "*", "+",
      "?",   "=",   "(",  ")",  "[",  "]",  "{", "}", ",",  ":", "."};
  return isoscope::split_into_tokens(text.name, text.text,
                                     {.signs = signs, .before_level = "defines"});
}

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 29> words = {
      "title", "cite",  "defines", "include",     "witness", "def",         "axiom", "canonical",
      "from",  "to",    "on",      "in",          "forall",  "exists",      "not",   "and",
      "or",    "some",  "no",      "acyclic",     "within",  "irreflexive", "total", "order",
      "true",  "false", "none",    "transaction", "key"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace isoscope::spec
