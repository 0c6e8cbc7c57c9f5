#include <gtest/gtest.h>

#include <map>
#include <string>

#include "isoscope/base/caret_text.h"
#include "isoscope/spec/level_text.h"
#include "spec/same_definition.h"

namespace isoscope::spec {
namespace {

using Texts = std::map<std::string, std::string>;

FindText among(const Texts& texts) {
  return [texts](std::string_view name, std::string_view) -> std::optional<LevelText> {
    const auto found = texts.find(std::string(name));
    if (found == texts.end()) return std::nullopt;
    return LevelText{found->first, found->second};
  };
}

Definition read(const std::string& text, const Texts& others = {}) {
  Result<Definition> result = read_definition({"my.level", text}, among(others));
  EXPECT_TRUE(result) << caret_text(result.error(), text);
  return result ? *std::move(result) : Definition{};
}

NodePtr formula(const std::string& text) {
  const Definition definition = read(
      "witness co : total order witness vis : relation "
      "witness vo : version order witness some-t : set of transactions "
      "axiom a: " +
      text);
  return definition.axioms.empty() ? nullptr : definition.axioms[0].formula;
}

/// The two texts mean the same node.
void expect_same(const std::string& a, const std::string& b) {
  const NodePtr left = formula(a);
  const NodePtr right = formula(b);
  ASSERT_TRUE(left && right);
  EXPECT_TRUE(same(*left, *right)) << a << "\n" << b;
}

const Texts cerone_base = {{"base", R"(
title "ignored"
witness ar : total order from so
witness vis : relation from so to ar
axiom external: forall t, s: transaction, x: key.
  wr(t,x,s) => vis(t,s) and no ((vis;s) & (writes;x) & (t;ar))
)"}};

TEST(ReadDefinition, AWholeLevel) {
  const std::string text = R"level(
# Snapshot isolation.
title "Snapshot isolation (Cerone et al.)"
cite "CONCUR 2015"
defines snapshot-isolation
include "base"
axiom prefix: ar ; vis in vis
axiom no-conflict: forall x: key. forall t, s in writes;x. t != s => vis(t,s) or vis(s,t)
canonical vis = order? ; (so | wr), ar = order
)level";
  const Definition level = read(text, cerone_base);
  EXPECT_EQ(level.name, "my.level");
  EXPECT_EQ(level.title, "Snapshot isolation (Cerone et al.)");
  EXPECT_EQ(level.citation, "CONCUR 2015");
  EXPECT_EQ(level.defines, "snapshot-isolation");
  ASSERT_EQ(level.witnesses.size(), 2u);
  EXPECT_EQ(level.witnesses[0].name, "ar");
  EXPECT_EQ(level.witnesses[0].kind, Witness::Kind::total_order);
  EXPECT_TRUE(level.witnesses[0].at_least);
  EXPECT_FALSE(level.witnesses[0].at_most);
  EXPECT_EQ(level.witnesses[1].at_most->kind, Node::Kind::witness);
  ASSERT_EQ(level.axioms.size(), 3u);
  EXPECT_EQ(level.axioms[0].name, "external");
  EXPECT_EQ(level.axioms[2].name, "no-conflict");
  ASSERT_EQ(level.canonical.size(), 1u);
  ASSERT_EQ(level.canonical[0].values.size(), 2u);
  EXPECT_EQ(level.canonical[0].values[0]->base, Base::given_order);
  EXPECT_EQ(level.canonical[0].values[1]->kind, Node::Kind::compose);
  EXPECT_TRUE(mentions(level, Base::wr));
  EXPECT_TRUE(mentions(level, Base::so));
  EXPECT_FALSE(mentions(level, Base::rt));
  EXPECT_FALSE(mentions(level, Base::given_order)) << "only the canonical witness does";
}

TEST(ReadDefinition, NodesSayWhereTheyStand) {
  const Definition level = read("axiom a:\n  so in\n    (wr | so)");
  const Node& subset = *level.axioms[0].formula;
  EXPECT_EQ(subset.where, (Position{11, 2, 3}));
  EXPECT_EQ(subset.children[1]->where.line, 3u);
}

TEST(ReadDefinition, Precedence) {
  expect_same("so | wr & rt ; so in co", "(so | (wr & (rt ; so))) in co");
  expect_same("so \\ rt & co in co", "((so \\ rt) & co) in co");
  expect_same("update <: so :> update ; co in co", "((update <: so) :> update) ; co in co");
  expect_same("update * initial ; co in co", "(update * initial) ; co in co");
  expect_same("so ; co+ in co", "so ; (co+) in co");
  expect_same("some so and no so or true => false <=> true",
              "((((some so) and (no so)) or true) => false) <=> true");
  expect_same("true => false => true", "true => (false => true)");
  expect_same("not true and false", "(not true) and false");
  expect_same("not so in co", "not (so in co)");
  expect_same("some so | rt", "some (so | rt)");
  expect_same("true and forall t: transaction. some t or false",
              "true and (forall t: transaction. ((some t) or false))");
}

TEST(ReadDefinition, StarIsAProductBeforeAnOperandAndAClosureElsewhere) {
  EXPECT_EQ(formula("so* in co")->children[0]->kind, Node::Kind::star);
  EXPECT_EQ(formula("update * update in co")->children[0]->kind, Node::Kind::product);
  EXPECT_EQ(formula("co*;so in co")->children[0]->children[0]->kind, Node::Kind::star);
  EXPECT_EQ(formula("update*(so;update) in co")->children[0]->kind, Node::Kind::product);
  EXPECT_EQ(formula("total order so* on update")->children[0]->kind, Node::Kind::star);
  EXPECT_EQ(formula("within update ; so* { true }")->kind, Node::Kind::within);
  EXPECT_EQ(formula("within (update * { t: transaction | true }) ; update { true }")->kind,
            Node::Kind::within);
}

TEST(ReadDefinition, WhatIsShortForWhat) {
  expect_same("update <: so in co", "[update] ; so in co");
  expect_same("so :> update in co", "so ; [update] in co");
  expect_same("no so", "not some so");
  expect_same("so != co", "not so = co");
  expect_same(
      "forall t, s in update. co(t, s)",
      "forall t: transaction. t in update => forall s: transaction. s in update => co(t, s)");
  expect_same("exists t in update. co(t, t)", "exists t: transaction. t in update and co(t, t)");
  expect_same("forall t: transaction, x in t ; writes. reads(t, x)",
              "forall t: transaction. forall x: key. x in t;writes => reads(t, x)");
  expect_same("so in none", "so in { t, s: transaction | false }");
  expect_same("none = update", "{ t: transaction | false } = update");
}

TEST(ReadDefinition, KeyedRelations) {
  EXPECT_EQ(formula("wr in vo")->children[0]->kind, Node::Kind::base) << "key by key";
  EXPECT_EQ(formula("wr in co")->children[0]->kind, Node::Kind::any_key);
  EXPECT_EQ(formula("(wr | vo) in vo")->children[0]->type.kind, Type::Kind::keyed);
  const NodePtr joined = formula("wr | so in co");
  EXPECT_EQ(joined->children[0]->children[0]->kind, Node::Kind::any_key);
  EXPECT_EQ(formula("acyclic wr")->children[0]->kind, Node::Kind::any_key);
  EXPECT_EQ(formula("forall x: key. wr[x] in co")->children[0]->children[0]->kind,
            Node::Kind::slice);
  const NodePtr tuples = formula("forall t: transaction, x: key. wr(t, x, t) or wr(t, t)");
  const Node& either = *tuples->children[0]->children[0];
  EXPECT_EQ(either.children[0]->children.size(), 4u);
  EXPECT_EQ(either.children[1]->children[0]->kind, Node::Kind::any_key);
}

TEST(ReadDefinition, VariablesAreNumberedByDepth) {
  const NodePtr outer =
      formula("forall t: transaction. exists x: key, s: transaction. wr(t, x, s)");
  EXPECT_EQ(outer->index, 0u);
  EXPECT_EQ(outer->free_variables, 0u);
  const Node& key = *outer->children[0];
  EXPECT_EQ(key.index, 1u);
  EXPECT_EQ(key.free_variables, 1u);
  EXPECT_EQ(key.children[0]->index, 2u);
  EXPECT_EQ(key.children[0]->free_variables, 3u);
  EXPECT_EQ(key.children[0]->children[0]->free_variables, 7u);
}

TEST(ReadDefinition, MacrosAreNumberedForTheDepthOfTheirUse) {
  const Definition level = read(R"(
def ww = { t, s: transaction | some (t ; writes & s ; writes) }
axiom outside: acyclic ww
axiom again: irreflexive ww
axiom inside: forall t: transaction. some (t ; ww)
)");
  const NodePtr outside = level.axioms[0].formula->children[0];
  EXPECT_EQ(outside->index, 0u);
  EXPECT_EQ(outside, level.axioms[1].formula->children[0]) << "shared at one depth";
  const Definition written = read(R"(
axiom inside: forall t: transaction. some (t ; { a, b: transaction | some (a ; writes & b ; writes) })
)");
  EXPECT_TRUE(same(*level.axioms[2].formula, *written.axioms[0].formula));
}

TEST(ReadDefinition, ArgumentsAreNotCaughtByTheMacrosVariables) {
  const Definition level = read(R"(
def later(s: transaction, r: relation) = { t: transaction | r(s, t) }
axiom macro: forall t: transaction. some later(t, { s, u: transaction | so(s, u) and t != u })
axiom written: forall t: transaction.
  some { a: transaction | some (({ s, u: transaction | so(s, u) and t != u }) & t * a) }
)");
  const Node& set = *level.axioms[0].formula->children[0]->children[0];
  EXPECT_EQ(set.kind, Node::Kind::comprehension);
  EXPECT_EQ(set.index, 1u);
  const Node& holds = *set.children[0];
  EXPECT_EQ(holds.children[0]->index, 2u) << "the argument's binders stand below the macro's";
  EXPECT_EQ(holds.children[1]->index, 0u);
  EXPECT_EQ(holds.children[2]->index, 1u);
  // The same relation under the same binders, written out.
  const Node& written = *level.axioms[1].formula->children[0]->children[0]->children[0];
  EXPECT_TRUE(same(*holds.children[0], *written.children[0]->children[0]));
}

TEST(ReadDefinition, MacrosTakeSetsRelationsAndFormulas) {
  read(R"(
def writers(x: key) = writes ; x
def untouched(xs: set of keys, ts: set of transactions) = no ((ts ; writes) & xs)
def closed(r: relation) = r ; r in r
def fine = closed(so)
axiom a: forall x: key. some writers(x) and untouched(x, none) and closed(wr) and fine
)");
}

TEST(ReadDefinition, InnerNamesHideOuterOnes) {
  const NodePtr node = formula("forall t: transaction. exists t: transaction. update(t)");
  EXPECT_EQ(node->children[0]->children[0]->children[1]->index, 1u);
}

TEST(ReadDefinition, AWitnessInACanonicalStatementIsItsValue) {
  const Definition level = read(R"(
witness ar : total order
witness vis : relation
def ww = ar & writes ; writes^-1
canonical ar = order, vis = so | ww
canonical ar = order, vis = so | order & writes ; writes^-1
)");
  ASSERT_EQ(level.canonical.size(), 2u);
  EXPECT_TRUE(same(*level.canonical[0].values[1], *level.canonical[1].values[1]));
}

TEST(ReadDefinition, Includes) {
  const Texts texts = {{"a", "include \"c\" def from-a = from-c"},
                       {"b", "include \"c\" def from-b = from-c"},
                       {"c", "def from-c = so axiom c: acyclic from-c"}};
  const Definition level = read("include \"a\" include \"b\" axiom d: from-a = from-b", texts);
  EXPECT_EQ(level.axioms.size(), 2u) << "a text counts once";
}

TEST(ReadDefinition, WitnessesOfEveryKind) {
  const Definition level = read(R"(
witness a : total order witness b : relation from wr to a witness c : version order from wr & none
witness d : set of transactions to update witness e : set of keys from update ; writes
canonical a = order, b = so, c = { t: transaction, x: key, s: transaction | order(t, s) },
  d = none, e = key
)");
  ASSERT_EQ(level.witnesses.size(), 5u);
  EXPECT_EQ(level.witnesses[1].at_least->kind, Node::Kind::any_key);
  EXPECT_EQ(level.witnesses[2].kind, Witness::Kind::version_order);
  EXPECT_EQ(level.witnesses[3].kind, Witness::Kind::transaction_set);
  EXPECT_EQ(level.witnesses[4].kind, Witness::Kind::key_set);
}

TEST(ReadFormula, IsADefinitionWithoutWitnesses) {
  const Result<Definition> one = read_formula({"--where", "exists t: transaction. so(t, t)"}, {});
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_TRUE(one->witnesses.empty());
  EXPECT_EQ(one->axioms.size(), 1u);
  const Texts texts = {{"anomalies", "def loop = some (so & [transaction])"}};
  const Result<Definition> two = read_formula(
      {"--where", "include \"anomalies\" def twice = so;so loop and some twice"}, among(texts));
  ASSERT_TRUE(two) << two.error().text();
  EXPECT_EQ(two->axioms[0].formula->kind, Node::Kind::conjunction);
}

TEST(Shipped, FindsNeighboursFirst) {
  for (const ShippedLevel& level : shipped_levels()) {
    const std::optional<LevelText> found = find_shipped(level.name, "my.level");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->text, level.text);
  }
  const auto base = find_shipped("base", "cerone/SI");
  ASSERT_TRUE(base);
  EXPECT_EQ(base->name, "cerone/base");
  EXPECT_EQ(find_shipped("cerone/base", "adya/PL-3")->name, "cerone/base");
  EXPECT_FALSE(find_shipped("base", "my.level"));
}

}  // namespace
}  // namespace isoscope::spec
