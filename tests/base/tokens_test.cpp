#include "isoscope/base/tokens.h"

#include <gtest/gtest.h>

#include <array>

namespace isoscope {
namespace {

constexpr std::array<std::string_view, 3> signs = {"=>", "=", "("};

Result<Tokens> split(std::string_view text) {
  static const std::string name = "a.text";
  return split_into_tokens(name, text, {.signs = signs, .before_level = "defines"});
}

TEST(Tokens, WordsStringsSignsAndComments) {
  const Result<Tokens> tokens = split("read-lock => \"a \\\" b\" # why  \n= x'1");
  ASSERT_TRUE(tokens);
  std::vector<std::string> texts;
  for (const Token& token : tokens->tokens) texts.emplace_back(token.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"read-lock", "=>", "\"a \\\" b\"", "=", "x'1", ""}));
  EXPECT_EQ(unquoted(tokens->tokens[2]), "a \" b");
  ASSERT_EQ(tokens->comments.size(), 1u);
  EXPECT_EQ(tokens->comments[0].text, "# why");
  EXPECT_EQ(tokens->comments[0].before, 3u);
}

TEST(Tokens, NamesOfLevelsHaveMoreSigns) {
  const Result<Tokens> tokens = split("defines PL-2.99");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->tokens[1].text, "PL-2.99");
  EXPECT_FALSE(split("PL-2.99"));
}

TEST(Tokens, MessagesStayShort) {
  const Result<Tokens> word = split(std::string(1'000'000, 'x'));
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().text(), "a.text:1:1: this word has 1000000 bytes, more than 200");
  const std::string text = "\"" + std::string(1'000'000, 'x') + "\"";
  const Result<Tokens> string = split(text);
  ASSERT_TRUE(string);
  EXPECT_EQ(describe(string->tokens[0]), "the string \"" + std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace isoscope
