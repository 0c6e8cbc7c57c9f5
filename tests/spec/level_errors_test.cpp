// What a wrong text is told. The messages stand in level_errors.txt, each below its text, so that a
// change of wording is a change to look at.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "golden.h"
#include "isoscope/base/caret_text.h"
#include "isoscope/spec/level_text.h"

namespace isoscope::spec {
namespace {

std::optional<LevelText> find(std::string_view name, std::string_view) {
  if (name == "base") return LevelText{"base", "witness co : total order\ndef both = so | co"};
  if (name == "wrong") return LevelText{"wrong", "def a =\n  so ; update ; update"};
  if (name == "circle") return LevelText{"circle", "include \"round\""};
  if (name == "round") return LevelText{"round", "include \"circle\""};
  return std::nullopt;
}

std::string complaint(const std::string& text) {
  const Result<Definition> result = read_definition({"my.level", text}, find);
  if (result) return "fine";
  EXPECT_EQ(result.error().text().find('\n'), std::string::npos);
  return result.error().source == "my.level" ? caret_text(result.error(), text)
                                             : result.error().text();
}

TEST(LevelErrors, Golden) {
  const std::vector<std::string> texts = {
      // Statements.
      "so in wr",
      "axiom a: so in wr so",
      "axiom so in wr",
      "axiom a so in wr",
      "axiom a: so in",
      "title Serializability",
      "title \"a\"\ntitle \"b\"",
      "defines",
      "defines a\ndefines b",
      "witness : relation",
      "witness not : relation",
      "witness co total order",
      "witness co : order",
      "witness co : set of things",
      "witness co : total order from update",
      "witness vo : version order from so",
      "def f(t) = so",
      "def f(t: number) = so",
      "def f(t: key, t: key) = so",
      "def f(so: relation) = so",
      "def so = rt",
      "def a = so\ndef a = rt",
      "include \"base\"\ndef co = so",
      "axiom a: true\naxiom a: false",
      "include base",
      "include \"nothing\"",
      "include \"circle\"",
      "include \"wrong\"",
      "canonical co = order",
      "include \"base\"\ncanonical co = order, co = order",
      "witness co : total order\nwitness vis : relation\ncanonical co = order",
      "witness co : total order\nwitness vis : relation\ncanonical vis = co, co = order",
      "witness co : total order\ncanonical co = update",
      "witness ar : total order\ncanonical at = order",
      // Names.
      "axiom a: acyclic wrr",
      "axiom a: acyclic seen-befor",
      "axiom a: some transactions",
      "axiom a: some xyzzy",
      "axiom a: forall txn: transaction. update(tnx)",
      "axiom a: acyclic late\ndef late = so",
      "def loop = so | loop ; so",
      "axiom a: order in so",
      "axiom a: acyclic order",
      "axiom a: forall so: transaction. true",
      "axiom a: forall t, t: transaction. true",
      // Types.
      "axiom a: so",
      "axiom a: so | update in so",
      "axiom a: so in update",
      "axiom a: so in writes",
      "axiom a: update in key",
      "axiom a: some (update ; update)",
      "axiom a: some (writes ; update)",
      "axiom a: some (update ; writes^-1)",
      "axiom a: some (writes ; so)",
      "axiom a: acyclic writes",
      "axiom a: irreflexive update",
      "axiom a: some writes+",
      "axiom a: some so * update",
      "axiom a: some update*",
      "axiom a: some [so]",
      "axiom a: some (key <: so)",
      "axiom a: some so and update",
      "axiom a: some so = some wr",
      "axiom a: some (so | some so)",
      "axiom a: some none",
      "axiom a: none = none",
      "axiom a: total order so on key",
      "axiom a: within so { true }",
      "axiom a: within update { so }",
      "axiom a: forall t in so. true",
      "axiom a: some { t: transaction | so }",
      "axiom a: some { t, s, u: transaction | true }",
      "axiom a: forall x: key. some so[x]",
      "axiom a: some wr[update]",
      "axiom a: forall t: transaction. some wr[t]",
      // Tuples and calls.
      "axiom a: forall t: transaction. so(t)",
      "axiom a: forall t: transaction. wr(t)",
      "axiom a: forall t: transaction. so(t, update)",
      "axiom a: forall t: transaction, x: key. so(t, x)",
      "axiom a: forall t, s: transaction. t(s)",
      "def f = true\naxiom a: forall t: transaction. f(t)",
      "def f(x: key) = writes ; x\naxiom a: some f",
      "def f(x: key) = writes ; x\naxiom a: some f(key, key)",
      "def f(x: key) = writes ; x\naxiom a: some f(key)",
      "def f(r: relation) = r ; r\naxiom a: some f(update)",
      // Syntax of expressions.
      "axiom a: so in wr in rt",
      "axiom a: (so in rt",
      "axiom a: some so )",
      "axiom a: forall t. true",
      "axiom a: forall t: transaction true",
      "axiom a: forall t: txn. true",
      "axiom a: { t in update | true } in update",
      "axiom a: { t: transaction } in update",
      "axiom a: total so on update",
      "axiom a: total order so",
      "axiom a: within update true",
      "axiom a: so <= rt",
      "axiom a: so ∪ rt in so",
      "axiom grün: true",
      "\taxiom a: \"ü\" in so",
  };
  std::string all;
  for (const std::string& text : texts) all += complaint(text) + "\n\n";
  expect_golden("tests/spec/level_errors.txt", all);
}

TEST(LevelErrors, AFormulaOnTheHistoryAloneHasNoWitnesses) {
  const auto what = [](const std::string& text) {
    const Result<Definition> result = read_formula({"--where", text}, find);
    return result ? "fine" : result.error().text();
  };
  EXPECT_EQ(what("some so"), "fine");
  EXPECT_EQ(
      what("include \"base\" some so"),
      "--where:1:9: expected a text with definitions only, for a formula on the history alone "
      "has no witnesses; found a level");
  EXPECT_EQ(what("some so some so"), "--where:1:9: expected the end of the formula, found `some`");
  EXPECT_EQ(what("so"), "--where:1:1: expected a formula, found a relation between transactions");
  EXPECT_EQ(what(""),
            "--where:1:1: expected an expression or a formula, found the end of the text");
}

std::string repeated(const std::string& part, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += part;
  return result;
}

std::string what_of(const std::string& text) {
  const Result<Definition> result = read_definition({"t", text}, find);
  return result ? "fine" : result.error().what;
}

TEST(LevelErrors, DeepTextsAreRefused) {
  const std::string deep = "this is nested more than 200 deep; a def with a name can shorten it";
  for (const int count : {1'000, 100'000}) {
    EXPECT_EQ(what_of("axiom a: " + repeated("(", count)), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("not ", count) + "true"), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("[", count)), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("{ t: transaction | ", count)), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("so(", count)), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("true => ", count) + "true"), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("within update { ", count)), deep);
    EXPECT_EQ(what_of("axiom a: some " + repeated("so | ", count) + "so"), deep);
    EXPECT_EQ(what_of("axiom a: some so" + repeated("+", count)), deep);
    EXPECT_EQ(what_of("axiom a: " + repeated("forall t in ", count)), deep);
  }
  EXPECT_EQ(what_of("axiom a: " + repeated("true and ", 50'000) + "true"), "fine");
}

TEST(LevelErrors, BindersAreAtMost64Deep) {
  const auto bound = [](int count) {
    std::string names = "t0";
    for (int i = 1; i < count; ++i) names += ", t" + std::to_string(i);
    return names + ": transaction";
  };
  EXPECT_EQ(what_of("axiom a: forall " + bound(64) + ". true"), "fine");
  const std::string deep = "variables are bound more than 64 deep here";
  EXPECT_EQ(what_of("axiom a: forall " + bound(65) + ". true"), deep);
  EXPECT_EQ(what_of("axiom a: some { " + bound(100'000) + " | true }"), deep);
  EXPECT_EQ(
      what_of("def d = { a, b: transaction | true } axiom a: forall " + bound(63) + ". some d"),
      deep);
  EXPECT_EQ(what_of("axiom a: forall " + bound(64) + ". so = none"), deep);
}

TEST(LevelErrors, DefinitionsThatExplodeAreRefused) {
  std::string doubling = "def d0 = so\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "d" + std::to_string(i - 1);
    doubling += "def d" + std::to_string(i) + " = " + before + " | " + before + "\n";
  }
  EXPECT_EQ(what_of(doubling),
            "too large: with its definitions expanded this has more than 100000 operators");

  std::string calls = "def d0(r: relation) = r ; r\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "d" + std::to_string(i - 1);
    calls += "def d" + std::to_string(i) + "(r: relation) = " + before + "(" + before + "(r))\n";
  }
  EXPECT_EQ(what_of(calls),
            "too large: with its definitions expanded this has more than 100000 operators");

  std::string chain = "def d0 = so\n";
  for (int i = 1; i <= 20'000; ++i)
    chain += "def d" + std::to_string(i) + " = d" + std::to_string(i - 1) + "+\n";
  EXPECT_EQ(what_of(chain),
            "nested too deep: with its definitions expanded this is nested more than 256 deep");

  std::string forwarded = "def d0 = { t: transaction | true }\n";
  for (int i = 1; i <= 20'000; ++i)
    forwarded += "def d" + std::to_string(i) + " = d" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(what_of(forwarded + "axiom a: forall t: transaction. some d20000"),
            "nested too deep: with its definitions expanded this is nested more than 256 deep");

  std::string many = "def big = some (" + repeated("so | ", 150) + "so)\n";
  for (int i = 0; i < 1'000; ++i) many += "axiom a" + std::to_string(i) + ": big\n";
  EXPECT_EQ(what_of(many),
            "too large: with definitions expanded, the text has more than 100000 operators up to "
            "here");
}

TEST(LevelErrors, NestedCallsAreNotSlow) {
  std::string nested = "so";
  for (int i = 0; i < 60; ++i) nested = "f(" + nested + ")";
  EXPECT_EQ(what_of("def f(r: relation) = r | so\naxiom a: acyclic " + nested), "fine");
}

TEST(CaretText, PointsAtTheColumn) {
  const Error error{"expected more", "f", {0, 2, 6}};
  EXPECT_EQ(caret_text(error, "one\n\tü ab\r\nthree"), "f:2:6: expected more\n  \tü ab\n  \t   ^");
  EXPECT_EQ(caret_text({"no place"}, "text"), "no place");
  EXPECT_EQ(caret_text({"escape", "f", {0, 1, 3}}, "a\x1b[b"), "f:1:3: escape\n  a [b\n    ^");
  const std::string long_line(1'000'000, 'x');
  EXPECT_EQ(caret_text({"long", "f", {0, 1, 500'000}}, long_line),
            "f:1:500000: long\n  " + std::string(400, 'x') + "\n  " + std::string(300, ' ') + "^");
  EXPECT_EQ(caret_text({"beyond", "f", {0, 9, 1}}, "text"), "f:9:1: beyond");
}

}  // namespace
}  // namespace isoscope::spec
