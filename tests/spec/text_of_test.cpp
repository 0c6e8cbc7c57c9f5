#include <gtest/gtest.h>

#include <string>

#include "isoscope/base/caret_text.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/spec/level_text.h"
#include "spec/random_formula.h"
#include "spec/random_structure.h"
#include "spec/same_definition.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

const std::string witnesses =
    "witness co : total order witness vis : relation witness vo : version order "
    "witness ts : set of transactions witness ks : set of keys ";

Definition read(const std::string& formula) {
  const std::string text = witnesses + "axiom a: " + formula;
  Result<Definition> result = read_definition({"t", text}, {});
  EXPECT_TRUE(result) << caret_text(result.error(), text);
  return result ? *std::move(result) : Definition{};
}

std::string printed(const std::string& formula) {
  const Definition definition = read(formula);
  return definition.axioms.empty() ? "" : text_of(*definition.axioms[0].formula, definition);
}

TEST(TextOf, NamesVariablesBySort) {
  EXPECT_EQ(
      printed("forall a, b: transaction, k: key. wr(a, k, b) => exists c: transaction. co(a, c)"),
      "forall t1, t2: transaction, x1: key. wr(t1, x1, t2) => exists t3: transaction. co(t1, t3)");
}

TEST(TextOf, PutsBracketsWhereTheyHelp) {
  EXPECT_EQ(printed("(so | rt) ; co in co & ((vis ; so) ; co)"),
            "(so | rt) ; co in co & (vis ; so ; co)");
  EXPECT_EQ(printed("so ; (rt ; co) in (co \\ vis) \\ so"), "so ; (rt ; co) in co \\ vis \\ so");
  EXPECT_EQ(printed("not (forall t in update. some t) and true"),
            "not (forall t1 in update. some t1) and true");
  EXPECT_EQ(printed("no (so & rt) or acyclic so*"), "no (so & rt) or acyclic so*");
}

TEST(TextOf, TuplesOfWhatHasNoName) {
  EXPECT_EQ(printed("forall t, s: transaction, x: key. wr(t, s) and wr(t, x, s)"),
            "forall t1, t2: transaction, x1: key. wr(t1, t2) and wr(t1, x1, t2)");
  const Definition level = *read_definition(
      {"t",
       "def rw = { t: transaction, x: key, s: transaction | reads(t, x) and writes(s, x) } "
       "axiom a: exists t, s: transaction, x: key. rw(t, x, s)"},
      {});
  EXPECT_EQ(text_of(*level.axioms[0].formula, level),
            "exists t1, t2: transaction, x1: key. t1 * t2 in "
            "{ t3: transaction, x2: key, t4: transaction | reads(t3, x2) and writes(t4, x2) }[x1]");
}

TEST(TextOf, OpenExpressions) {
  const Definition level = read("forall a: transaction, k: key. some (a ; co & writes ; k)");
  const Node& inner = *level.axioms[0].formula->children[0]->children[0]->children[0];
  EXPECT_EQ(text_of(inner, level), "(t1 ; co) & (writes ; x1)");
}

TEST(TextOf, AVariableIsNotCalledAsAWitness) {
  const Definition level = *read_definition(
      {"t", "witness t1 : relation axiom a: forall t: transaction. some (t ; t1)"}, {});
  const std::string text = text_of(*level.axioms[0].formula, level);
  EXPECT_EQ(text, "forall t1': transaction. some (t1' ; t1)");
}

TEST(TextOf, ShippedLevelsComeBack) {
  for (const ShippedLevel& shipped : shipped_levels()) {
    const auto level =
        read_definition({std::string(shipped.name), std::string(shipped.text)}, find_shipped);
    ASSERT_TRUE(level) << level.error().text();
    std::string text;
    for (const Witness& witness : level->witnesses) {
      text += "witness " + witness.name + " : ";
      text += witness.kind == Witness::Kind::version_order ? "version order\n" : "relation\n";
    }
    for (const Axiom& axiom : level->axioms)
      text += "axiom " + axiom.name + ": " + text_of(*axiom.formula, *level) + "\n";
    const auto again = read_definition({"again", text}, {});
    ASSERT_TRUE(again) << caret_text(again.error(), text);
    for (std::size_t i = 0; i < level->axioms.size(); ++i)
      EXPECT_TRUE(same(*level->axioms[i].formula, *again->axioms[i].formula)) << text;
  }
}

/// The same node with its free variables filled in, which hand-made ones lack.
NodePtr complete(const Node& node) {
  Node copy = node;
  copy.free_variables = node.kind == Node::Kind::variable ? std::uint64_t{1} << node.index : 0;
  for (NodePtr& child : copy.children) {
    child = complete(*child);
    copy.free_variables |= child->free_variables;
  }
  for (std::size_t i = 0; i < node.sorts.size(); ++i)
    copy.free_variables &= ~(std::uint64_t{1} << (node.index + i));
  return std::make_shared<const Node>(std::move(copy));
}

TEST(TextOf, MeansTheSameWhenReadAgain) {
  Random random(77);
  RandomFormula any(random);
  const Definition names = read("true");
  for (int i = 0; i < 3'000 * test_scale(); ++i) {
    const NodePtr node = complete(*any.formula(1 + static_cast<int>(random.below(4))));
    const std::string text = text_of(*node, names);
    const Definition again = read(text);
    ASSERT_EQ(again.axioms.size(), 1u) << text;
    for (int j = 0; j < 5; ++j) {
      const Structure history = random_structure(random, random.below(5), random.below(4));
      const Execution execution = random_execution(random, history);
      ASSERT_EQ(evaluate(*node, history, execution),
                evaluate(*again.axioms[0].formula, history, execution))
          << text;
    }
  }
}

}  // namespace
}  // namespace isoscope::spec
