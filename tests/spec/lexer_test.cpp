#include "spec/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace isoscope::spec {
namespace {

std::string joined(const std::string& text) {
  const LevelText source{"t", text};
  const Result<Tokens> tokens = split_into_tokens(source);
  if (!tokens) return tokens.error().text();
  std::string result;
  for (const Token& token : tokens->tokens) result += std::string(token.text) + "~";
  return result;
}

TEST(Lexer, Names) {
  EXPECT_EQ(joined("seen-before t' _x a1 a-1"), "seen-before~t'~_x~a1~a-1~~");
  EXPECT_EQ(joined("a- b"), "t:1:2: expected a name or an operator, found `-`");
}

TEST(Lexer, LongestSignFirst) {
  EXPECT_EQ(joined("a<=>b=>c=d!=e"), "a~<=>~b~=>~c~=~d~!=~e~~");
  EXPECT_EQ(joined("a^-1;b<:c:>d:e"), "a~^-1~;~b~<:~c~:>~d~:~e~~");
}

TEST(Lexer, NamesOfTheCatalogueAfterDefines) {
  EXPECT_EQ(joined("defines PL-2.99 def"), "defines~PL-2.99~def~~");
  EXPECT_EQ(joined("defines PL-2+\ndef"), "defines~PL-2+~def~~");
  EXPECT_EQ(joined("so.x"), "so~.~x~~");
}

TEST(Lexer, CommentsAreKeptApart) {
  const LevelText source{"t", "# one\na # two  \r\n\n  # three"};
  const Result<Tokens> tokens = split_into_tokens(source);
  ASSERT_TRUE(tokens);
  ASSERT_EQ(tokens->comments.size(), 3u);
  EXPECT_EQ(tokens->comments[0].before, 0u);
  EXPECT_EQ(tokens->comments[1].text, "# two");
  EXPECT_EQ(tokens->comments[1].before, 1u);
  EXPECT_EQ(tokens->comments[2].where, (Position{20, 4, 3}));
}

TEST(Lexer, Strings) {
  const LevelText source{"t", R"("a \"b\" \\ ü")"};
  const Result<Tokens> tokens = split_into_tokens(source);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(unquoted(tokens->tokens[0]), R"(a "b" \ ü)");
  EXPECT_EQ(joined("\"a\nb\""), "t:1:1: expected a closing quote on the same line");
  EXPECT_EQ(joined("\"a\\n\""), "t:1:4: expected `\"` or `\\` after a backslash in a string");
  EXPECT_EQ(joined("\"a\tb\""),
            "t:1:3: expected a printable character in a string, found the byte 9");
}

TEST(Lexer, OnlyUtf8) {
  EXPECT_EQ(joined("# ok\n# \xff"), "t:2:3: expected UTF-8, found the byte 255");
  EXPECT_EQ(joined("a ∪ b"), "t:1:3: expected a name or an operator, found `∪`");
  EXPECT_EQ(joined(std::string("a\0b", 3)),
            "t:1:2: expected a name or an operator, found the byte 0");
}

}  // namespace
}  // namespace isoscope::spec
