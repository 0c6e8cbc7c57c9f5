#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "golden.h"
#include "isoscope/base/caret_text.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/spec/level_text.h"
#include "small_protocol.h"

// Every complaint about a protocol, in golden files: the message, and where it points.

namespace isoscope::protocol {
namespace {

std::string complaint(const std::string& text) {
  const Result<Model> model = read_model("my.protocol", text);
  if (model) return "no error in:\n" + text;
  return caret_text(model.error(), text);
}

std::string complaints(const std::string& before, const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += complaint(before + text) + "\n\n";
  return result;
}

/// An event of the client c with transactions t and u.
std::string at_client(const std::string& rest) {
  return "event e(c: client, t, u: transaction) at c begins t commits u\n  " + rest;
}

/// An event of the key k with another key and a transaction.
std::string at_key(const std::string& rest) {
  return "event e(k, j: key, t: transaction) at k begins t\n  when j != k " + rest;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(ModelErrors, OfGrammar) {
  expect_golden("tests/protocol/grammar_errors.txt",
                complaints("", {"",
                                "lock",
                                "title Locking",
                                "title \"a",
                                "title \"a\\n\"",
                                "cite 1",
                                "%",
                                "enum",
                                "enum E",
                                "enum E {}",
                                "enum E { a b }",
                                "enum key { a }",
                                "state s",
                                "state s(",
                                "state s(int) : bool = true",
                                "state s(key and) : bool = true",
                                "state s(key) = true",
                                "state s(key) : key = true",
                                "state s(key) : bool",
                                "constant s(key) : =",
                                "def d(k) = true",
                                "def d(k: int) = true",
                                "def d(k: key) true",
                                "event e",
                                "event e(k: key)",
                                "event e(k: key) at",
                                "event e(k: key) at when",
                                "event e(k: key) at k commits",
                                "event e(k: key) at k begins t begins t",
                                "event e(k: key) at k when",
                                "event e(k: key) at k then",
                                "event e(k: key) at k then s",
                                "event e(k: key) at k then s(k)",
                                "event e(k: key) at k then s(k) := a if",
                                "event e(k: key) at k then append log k",
                                "event e(k: key) at k then read log(k) w t",
                                "event e(k: key) at k then for u: s(k) := a",
                                "event e(k: key) at k when a b",
                                "event e(k: key) at k when a = b = c",
                                "event e(k: key) at k when a in b",
                                "event e(k: key) at k when a in { b",
                                "event e(k: key) at k when forall. true",
                                "event e(k: key) at k when forall k: key true",
                                "event e(k: key) at k when (a",
                                "event e(k: key) at k when log.(k)",
                                "observe t: transaction",
                                "observe t: transaction { aborted when true }",
                                "observe t: transaction { reads k when true }",
                                "map f = true",
                                "map f(k: key) = true",
                                "witness",
                                "invariant i true",
                                "invariant i: " + repeated("not ", 300) + "true",
                                "invariant i: " + repeated("(", 300)}));
  const auto error = [](const std::string& text) {
    return read_model("my.protocol", text).error().text();
  };
  EXPECT_EQ(error("title \"\x01\""),
            "my.protocol:1:8: expected a printable character in a string, found the byte 1");
  EXPECT_EQ(error("order\n \xff"), "my.protocol:2:2: expected UTF-8, found the byte 255");
}

TEST(ModelErrors, OfNamesAndTypes) {
  expect_golden(
      "tests/protocol/name_errors.txt",
      complaints(
          small_protocol,
          {"title \"\"",
           "title \"a\" title \"b\"",
           "claims SI, serializable",
           "claims SI, SI",
           "claims SI claims SER",
           "enum Stage { a }",
           "enum E { a, a }",
           "enum E { a" + repeated(", b", 70) + " }",
           "state lock(key) : bool = true",
           "order lock",
           "versions ts",
           "def stage(t: transaction) = true",
           "state s(key) : Stag = idle",
           "state s(key) : Stage = idel",
           "state s(key) : Stage = true",
           "state s(key) : transaction? = 1",
           "state s(key) : transaction? = true",
           "state s(key) : transaction = none",
           "state s(key) : bool = none",
           "state s(key) : bool = k = initial",
           "state s(key k, key k) : bool = true",
           "constant s(key) : Stage",
           "constant s(key) : transaction?",
           "participants stage",
           "participants want",
           "def d = later\ndef later = true",
           "def d = d",
           "def d(t, t: transaction) = true",
           "invariant i: want(initial)",
           "invariant i: idle",
           "invariant i: forall k: key. lock(k)",
           "invariant i: forall k: key. newest(k)",
           "invariant i: forall k: key. lock(k) = idel",
           "invariant i: forall k: key. lock(k) = initial",
           "invariant i: forall k: key. lock(k) in { idle, idle }",
           "invariant i: forall k: key. newest(k) in { idle }",
           "invariant i: forall k: key. newest(k) = none",
           "invariant i: forall k: key. k = initial",
           "invariant i: forall k: key. k",
           "invariant i: forall k: key. forall k: key. true",
           "invariant i: forall k: key. k = j",
           "invariant i: forall k: key. wants(k) = none",
           "invariant i: forall k: key. wants(k)",
           "invariant i: forall k: key. wants(k, k)",
           "invariant i: forall k: key. wants(k, none)",
           "invariant i: forall k: key. wants(k, lock(k))",
           "invariant i: forall k: key. wants(k, rv(k, initial))",
           "invariant i: forall k: key. wants(k, owner(initial))",
           "invariant i: forall c: client. owner(c) = c",
           "invariant i: owner(initial) = none",
           "invariant i: log(initial)",
           "invariant i: initial",
           "invariant i: none",
           "invariant i: finished(initial) = true",
           "invariant i: finished",
           "invariant i: finished(initial, initial)",
           "invariant i: forall t: transaction. stage(t) = lock(initial)",
           "invariant i: true invariant i: true",
           at_client("then stage(t) := true"),
           at_client("then stage(t) := ready"),
           at_client("then stage(t, u) := done"),
           at_client("then finished(t) := true"),
           at_client("then ts(t, u) := true"),
           at_client("then wants(t, u) := true"),
           at_client("then log(t) := true"),
           at_client("then stage(initial) := done"),
           at_client("then append lock(t) u"),
           at_client("then read log(t) u by t"),
           at_client("when stage(d) = done"),
           at_key("then newest(k) := rv(k, t)"),
           at_key("then newest(k) := none"),
           at_key("then rv(k, t) := k"),
           at_key("then append log(k) log.last(k)"),
           at_key("then append log(k, j) t"),
           at_key("then for u: transaction: lock(k) := done"),
           at_key("then for t: transaction: st(k, t) := done"),
           at_key("then for i: key: append log(k) t"),
           "event start(c: client) at c",
           "event e(c: client, t: transaction) at t",
           "event e(c: client, t: transaction) at d",
           "event e(c: client) at c commits c",
           "event e(c: client, t: transaction) at c when true",
           "event e(c: client, k: key, t: transaction) at c begins t\n  when lock(k) = idle\n  "
           "then stage(t) := done if k = k",
           "observe t: transaction { committed when true }",
           "map install(k, x) = true",
           "map installed(k) = true",
           "map installed(k, x) = true map installed(k, x) = true",
           "map installed(k, x) = true",
           "map installed(k, x) = owner(x) = k",
           "view begin(x) = true",
           "view start(x) = true",
           "witness before(t, u) = true",
           "witness sees(t, u) = true",
           "witness order(t, u) = true, order(t, u) = true",
           "witness order(t, u) = true\nmap installed(k, x) = true"}) +
          complaints("", {"event e(k: key) at k", "state s(key) : bool = true",
                          "observe t: transaction { }", "observe k: key { committed when true }",
                          "observe t: transaction { committed when true committed when true }"}));
}

TEST(ModelErrors, OfHostileTexts) {
  std::string doubling = "def d0 = true\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "d" + std::to_string(i - 1);
    doubling += "def d" + std::to_string(i) + " = " + last + " and " + last + "\n";
  }
  EXPECT_NE(complaint(doubling).find("too large: with all definitions put in"), std::string::npos);
  std::string deep = "def d0 = true\n";
  for (int i = 1; i < 300; ++i)
    deep += "def d" + std::to_string(i) + " = not d" + std::to_string(i - 1) + "\n";
  EXPECT_NE(complaint(deep).find("nested more than 200 deep"), std::string::npos);
  for (const std::string arguments : {"t", "t, t"}) {
    std::string terms = "state r(transaction" + repeated(", transaction", arguments.size() / 4) +
                        ") : transaction = initial\ndef d0(t: transaction) = t = t\n";
    for (int i = 1; i < 100; ++i) {
      terms += "def d" + std::to_string(i) + "(t: transaction) = d" + std::to_string(i - 1) +
               "(r(" + arguments + "))\n";
    }
    const std::string expected = arguments == "t" ? "nested more than 16 deep" : "too large";
    EXPECT_NE(complaint(terms).find(expected), std::string::npos);
  }
  std::string binders = "invariant i: forall v0: key";
  for (int i = 1; i < 100; ++i) binders += ", v" + std::to_string(i) + ": key";
  EXPECT_NE(complaint(binders + ". true").find("more than 64 variables"), std::string::npos);
}

TEST(StaticChecks, Complaints) {
  const std::string all_keys = "event e(c: client, t: transaction) at c\n  when owner(t) = c and ";
  expect_golden(
      "tests/protocol/static_errors.txt",
      complaints(
          small_protocol,
          {
              // One component.
              at_key("then st(j, t) := done"),
              at_key("then stage(t) := done"),
              at_key("then append log(j) t"),
              at_client("then stage(t) := done"),
              at_client("when owner(t) = c and stage(u) = idle\n  then stage(u) := done"),
              at_client("when owner(t) = c\n  then for v: transaction: stage(v) := done"),
              "event e(c: client, k: key) at c then lock(k) := done",
              "state turn(client) : bool = true\n"
              "event e(c, d: client) at c then turn(d) := false",
              // Answers.
              "event a(c: client, t: transaction) at c commits t answers t when owner(t) = c\n"
              "event b(c: client, t: transaction) at c commits t when owner(t) = c",
              // What is read.
              at_client("when owner(t) = c and ghost(u)\n  then stage(t) := done"),
              at_client("when owner(t) = c\n  then stage(t) := done if ghost(u)"),
              at_client("when owner(t) = c\n  then seen(t, u) := ghost(u)"),
              "state s(key k) : bool = lock(k) = idle",
              // All keys.
              all_keys + "forall k: key. st(k, t) = done",
              all_keys + "forall k: key. finished(t) => st(k, t) = done",
              all_keys + "forall k: key. st(k, t) = idle => st(k, t) = done",
              all_keys + "no k: key. st(k, t) = idle and not wants(k, t) and rv(k, t) != none or "
                         "lock(k) = idle",
              // Functions.
              "state next(transaction) : transaction = initial",
              "state first(client) : transaction = initial",
              at_client("when forall v: transaction. exists w: transaction. so(v, w)"),
              at_client("when not exists d: client. forall v: transaction. owner(v) != d"),
              "invariant i: exists k: key. forall t: transaction. wants(k, t) <=> "
              "exists v: transaction. seen(t, v)",
          }));
}

TEST(StaticChecks, WhatIsAllowed) {
  for (const std::string& text : {
           at_client("when owner(t) = c and so(t, u)\n  then stage(u) := done"),
           // Answers may come with the commit, later, or sometimes so and sometimes so.
           std::string("event a(c: client, t: transaction) at c commits t when owner(t) = c\n"
                       "event b(c: client, t: transaction) at c commits t when owner(t) = c"),
           std::string("event a(c: client, t: transaction) at c commits t answers t\n"
                       "  when owner(t) = c\n"
                       "event b(c: client, t: transaction) at c commits t when owner(t) = c\n"
                       "event d(c: client, t: transaction) at c answers t when owner(t) = c"),
           at_client("when owner(t) = c\n"
                     "  then for v: transaction: stage(v) := done if so(v, t)"),
           at_client("then ghost(t) := ghost(u)"),
           at_key("then ghost(t) := true"),
           at_client("when forall k: key. wants(k, t) => st(k, t) = done"),
           at_client("when forall k: key, v: transaction. wants(k, v) => st(k, v) = idle"),
           at_client("when no k: key. wants(k, t) and st(k, t) = idle"),
           at_client("when no k: key. st(k, t) = busy"),
           at_client("when exists k: key. lock(k) = busy"),
           at_client("when forall v: transaction. seen(v, t) or exists w: key. lock(w) = busy"),
           std::string("invariant i: forall k: key. exists t: transaction. wants(k, t)"),
       }) {
    const Result<Model> model = read_model("t", small_protocol + text);
    EXPECT_TRUE(model) << text << "\n" << model.error().text();
  }
}

}  // namespace
}  // namespace isoscope::protocol
