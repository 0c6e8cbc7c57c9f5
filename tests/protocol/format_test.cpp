#include <gtest/gtest.h>

#include <string>

#include "isoscope/base/random.h"
#include "isoscope/protocol/model_text.h"
#include "protocol/language/lexer.h"
#include "protocol/same_model.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

std::string formatted(const std::string& text) {
  const Result<std::string> result = format_model("t", text);
  if (!result) return result.error().text();
  const Result<std::string> again = format_model("t", *result);
  EXPECT_TRUE(again && *again == *result) << *result;
  return *result;
}

TEST(FormatModel, BlanksBetweenTokens) {
  EXPECT_EQ(formatted("enum  E{a,b}"), "enum E { a, b }\n");
  EXPECT_EQ(formatted("state s ( key,transaction  t ):transaction ?=none"),
            "state s(key, transaction t) : transaction? = none\n");
  EXPECT_EQ(formatted("def d ( k:key,t,u:transaction )=s ( k,t )in{a,b}and(not t!=u)"),
            "def d(k: key, t, u: transaction) = s(k, t) in { a, b } and (not t != u)\n");
  EXPECT_EQ(formatted("invariant i:forall k:key.log . last ( k )=initial"),
            "invariant i: forall k: key. log.last(k) = initial\n");
  EXPECT_EQ(formatted("map  installed( k,x )=true"), "map installed(k, x) = true\n");
}

TEST(FormatModel, EventsAndObservations) {
  EXPECT_EQ(formatted("event e(k:key,t:transaction)at k commits t when a(k) then b(k):=c if d(t)"
                      " else e,for u:transaction:f(u):=true,append log(k)t,read log(k)w by t"),
            "event e(k: key, t: transaction) at k commits t\n"
            "  when a(k)\n"
            "  then b(k) := c if d(t) else e, for u: transaction: f(u) := true, append log(k) t,\n"
            "  read log(k) w by t\n");
  EXPECT_EQ(formatted("observe t:transaction{committed when a(t) reads k from w when b(k,t)=w}"),
            "observe t: transaction {\n"
            "  committed when a(t)\n"
            "  reads k from w when b(k, t) = w\n"
            "}\n");
}

TEST(FormatModel, OneStatementPerLineAndFewEmptyLines) {
  EXPECT_EQ(formatted("\n\n  title \"a\" cite \"b\"\n\n\n\norder ts\n\n"),
            "title \"a\"\ncite \"b\"\n\norder ts\n");
  EXPECT_EQ(formatted(""), "");
}

TEST(FormatModel, CommentsStayWhereTheyAre) {
  const std::string text = R"(# about the file

# about s
state s(key) : bool = true  # beside
event e(k: key) at k  # whose step
  # why
  when s(k) and
    # inside
    not s(k)
  then s(k) := true  # last
observe t: transaction {
  # nothing
}
# at the end
)";
  EXPECT_EQ(formatted(text), text);
  EXPECT_EQ(formatted("order # one\nts # two\n# three"), "order  # one\n  ts  # two\n# three\n");
}

TEST(FormatModel, KeepsTheAuthorsLines) {
  EXPECT_EQ(formatted("event e(k: key) at k\nwhen a(k)\n     and b(k)\n then c(k) := d,\n"
                      "       e(k) := f"),
            "event e(k: key) at k\n  when a(k)\n    and b(k)\n  then c(k) := d,\n"
            "       e(k) := f\n");
}

TEST(FormatModel, BreaksLongLines) {
  const std::string part = "forall t, u: transaction, k: key. wants(k, t) => seen(t, u)";
  EXPECT_EQ(formatted("invariant i: " + part + " and (seen(t, u) or seen(u, t)) and wants(k, u)"),
            "invariant i: forall t, u: transaction, k: key.\n"
            "  wants(k, t) => seen(t, u) and (seen(t, u) or seen(u, t)) and wants(k, u)\n");
  const std::string name(120, 'n');
  EXPECT_EQ(formatted("order " + name), "order " + name + "\n");
}

TEST(FormatModel, ShippedModelsAreInHouseStyle) {
  for (const ShippedModel& model : shipped_models())
    EXPECT_EQ(formatted(std::string(model.text)), model.text) << model.name;
}

// Blanks, lines and comments anywhere between the tokens change nothing.
TEST(FormatModel, KeepsTheMeaningOfScatteredTexts) {
  Random random(20);
  for (const ShippedModel& shipped : shipped_models()) {
    const Result<Model> model = read_model("t", shipped.text);
    ASSERT_TRUE(model) << shipped.name;
    const Result<Tokens> tokens = split_into_tokens("t", shipped.text);
    for (int round = 0; round < 3 * test_scale(); ++round) {
      std::string text;
      for (const Token& token : tokens->tokens) {
        text += token.text;
        const std::uint64_t choice = random.below(12);
        text += choice == 0 ? "\n\n" : choice == 1 ? " # c\n  " : choice == 2 ? "\n      " : " ";
      }
      const Result<Model> again = read_model("t", formatted(text));
      ASSERT_TRUE(again) << again.error().text() << "\n" << text;
      EXPECT_TRUE(same(*model, *again)) << text;
    }
  }
}

}  // namespace
}  // namespace isoscope::protocol
