#include <gtest/gtest.h>

#include <string>

#include "isoscope/base/random.h"
#include "isoscope/spec/level_text.h"
#include "spec/lexer.h"
#include "spec/same_definition.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

std::string formatted(const std::string& text) {
  const Result<std::string> result = format_level({"t", text});
  if (!result) return result.error().text();
  const Result<std::string> again = format_level({"t", *result});
  EXPECT_TRUE(again && *again == *result) << *result;
  return *result;
}

TEST(FormatLevel, BlanksBetweenTokens) {
  EXPECT_EQ(formatted("axiom  a :forall t,s:transaction.so ( t,s )=>t!=s"),
            "axiom a: forall t, s: transaction. so(t, s) => t != s\n");
  EXPECT_EQ(formatted("def f(x:key,r:relation)=r&(writes;x)*(writes;x)"),
            "def f(x: key, r: relation) = r & (writes ; x) * (writes ; x)\n");
  EXPECT_EQ(formatted("def g=(so *|wr ?) ^-1;[ update ]\\wr [ x ] +"),
            "def g = (so* | wr?)^-1 ; [update] \\ wr[x]+\n");
  EXPECT_EQ(formatted("def h={t:transaction|update<:so:>update;t in none}"),
            "def h = { t: transaction | update <: so :> update ; t in none }\n");
  EXPECT_EQ(formatted("witness co:total  order from so|wr to rt"),
            "witness co : total order from so | wr to rt\n");
  EXPECT_EQ(formatted("axiom a:within update{acyclic co}and not(true)"),
            "axiom a: within update { acyclic co } and not (true)\n");
  EXPECT_EQ(formatted("defines   PL-2.99"), "defines PL-2.99\n");
}

TEST(FormatLevel, OneStatementPerLineAndFewEmptyLines) {
  EXPECT_EQ(formatted("\n\n  title \"a\" cite \"b\"\n\n\n\ndef a = so\n\n"),
            "title \"a\"\ncite \"b\"\n\ndef a = so\n");
  EXPECT_EQ(formatted(""), "");
}

TEST(FormatLevel, CommentsStayWhereTheyAre) {
  const std::string text = R"(# about the file

# about a
def a = so  # beside
axiom b: some so and
  # inside
  some wr
# at the end
)";
  EXPECT_EQ(formatted(text), text);
  EXPECT_EQ(formatted("#x\n   # y\ndef a=so#z\n#last"), "#x\n# y\ndef a = so  #z\n#last\n");
  EXPECT_EQ(formatted("def # one\na # two\n# three\n= # four\nso"),
            "def  # one\n  a  # two\n  # three\n  =  # four\n  so\n");
}

TEST(FormatLevel, KeepsTheAuthorsLines) {
  EXPECT_EQ(formatted("axiom a: exists t: transaction.\n     some t and\n some so"),
            "axiom a: exists t: transaction.\n    some t and\n  some so\n");
  EXPECT_EQ(formatted("   axiom a:\n      some so"), "axiom a:\n  some so\n");
}

TEST(FormatLevel, BreaksLongLines) {
  const std::string part = "forall t, s: transaction, x: key. wr(t, x, s) => vis(t, s)";
  EXPECT_EQ(formatted("axiom a: " + part + " and no ((vis ; s) & (writes ; x) & (t ; ar))"),
            "axiom a: forall t, s: transaction, x: key.\n"
            "  wr(t, x, s) => vis(t, s) and no ((vis ; s) & (writes ; x) & (t ; ar))\n");
  const std::string name(120, 'n');
  EXPECT_EQ(formatted("def " + name + " = so"), "def " + name + " =\n  so\n");
  EXPECT_EQ(formatted("cite \"" + name + "\""), "cite \"" + name + "\"\n");
}

TEST(FormatLevel, WrongTextsAreErrors) {
  EXPECT_EQ(formatted("axiom a: so in"),
            "t:1:15: expected an expression or a formula, found the end of the text");
}

// The texts that come with the program, with their blanks and line breaks shaken up.
TEST(FormatLevel, MeansTheSame) {
  Random random(11);
  for (const ShippedLevel& level : shipped_levels()) {
    const LevelText text{std::string(level.name), std::string(level.text)};
    const Result<Definition> before = read_definition(text, find_shipped);
    ASSERT_TRUE(before) << before.error().text();
    for (int round = 0; round < 5 * test_scale(); ++round) {
      const Result<Tokens> tokens = split_into_tokens(text);
      ASSERT_TRUE(tokens);
      LevelText shaken{text.name, ""};
      std::size_t comment = 0;
      for (std::size_t i = 0; i < tokens->tokens.size(); ++i) {
        for (; comment < tokens->comments.size() && tokens->comments[comment].before == i;
             ++comment)
          shaken.text += std::string(tokens->comments[comment].text) + "\n";
        shaken.text += tokens->tokens[i].text;
        shaken.text += std::string(1 + random.below(3), random.chance(20) ? '\n' : ' ');
      }
      const std::string result = formatted(shaken.text);
      const Result<Definition> after = read_definition({text.name, result}, find_shipped);
      ASSERT_TRUE(after) << after.error().text() << "\n" << result;
      EXPECT_TRUE(same(*before, *after)) << result;
      const LevelText out{text.name, result};
      const Result<Tokens> kept = split_into_tokens(out);
      ASSERT_TRUE(kept);
      EXPECT_EQ(kept->comments.size(), tokens->comments.size());
    }
  }
}

}  // namespace
}  // namespace isoscope::spec
