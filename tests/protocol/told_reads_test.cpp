#include "protocol/model/told_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"
#include "isoscope/protocol/unseen_records.h"

namespace isoscope::protocol {
namespace {

/// Reads the newest version, and the one before as a mark that is not a read; `told` is what
/// clients see.
Model reading(const std::string& told) {
  Result<Model> model = read_model("reading", R"(
title "One transaction after the other"
claims SER
order turn
constant reads(key, transaction) : bool
constant writes(key, transaction) : bool
state done(transaction t) : bool = t = initial
state rv(transaction, key) : transaction? = none
state got(key, transaction, transaction) : bool = false
state previous(key, transaction) : transaction? = none
def version(k: key, t: transaction) = done(t) and (t = initial or writes(k, t))
def newest(k: key, w: transaction) =
  version(k, w) and no x: transaction. version(k, x) and turn(w, x)
event get(c: client, t: transaction, k: key, w: transaction) at c
  when owner(t) = c and not done(t) and reads(k, t) and newest(k, w)
    and no u: transaction. turn(u, t) and not done(u)
  then rv(t, k) := w
event copy(k: key, t: transaction, w: transaction) at k
  when rv(t, k) = w and not done(t)
  then got(k, w, t) := true
event mark(k: key, t: transaction, w: transaction) at k
  when not done(t) and writes(k, t) and newest(k, w)
  then previous(k, t) := w
event run(c: client, t: transaction) at c begins t commits t answers t
  when owner(t) = c and not done(t) and (no u: transaction. turn(u, t) and not done(u))
    and (forall u: transaction. so(u, t) => done(u))
    and forall k: key. reads(k, t) => rv(t, k) != none
  then done(t) := true
observe t: transaction {
  committed when done(t)
  reads k from w when )" + told + R"(
  writes k when t != initial and writes(k, t)
}
witness order(t, u) = turn(t, u)
)");
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

std::vector<std::string> names(const Model& model) {
  std::vector<std::string> result;
  for (const Invariant& one : told_reads(model)) result.push_back(one.name);
  return result;
}

using Names = std::vector<std::string>;

TEST(ToldReads, AreAskedWhereTheTextDoesNotShowThem) {
  EXPECT_EQ(names(reading("rv(t, k) = w")), Names{});
  EXPECT_EQ(names(reading("rv(t, k) = w or got(k, w, t)")), Names{});
  EXPECT_EQ(names(reading("false")), Names{});  // that is told without looking at runs
  const Names of_rv = {"`observe` tells of the reads in rv"};
  EXPECT_EQ(names(reading("rv(t, k) = w and writes(k, t)")), of_rv);
  EXPECT_EQ(names(reading("exists x: transaction. rv(t, k) = x and x = w and writes(k, t)")),
            of_rv);
  EXPECT_EQ(names(reading("not (rv(t, k) = w => reads(k, t))")), of_rv);
  EXPECT_EQ(names(reading("got(k, w, t) and writes(k, t)")),
            Names{"`observe` tells of the reads in got"});
  // What stands under an odd number of "not" is no record.
  EXPECT_EQ(
      names(reading("newest(k, w) and reads(k, t) and not got(k, w, t)")),
      (Names{"`observe` tells of the reads in rv", "`observe` tells of the reads in previous"}));
}

// A part of the state that nobody tells clients of may be what was really read.
TEST(ToldReads, PartsThatAreNotLookedAtAreNamed) {
  const auto unseen = [](const std::string& told) {
    Names result;
    for (const std::string& text : unseen_records(reading(told))) {
      constexpr std::size_t name = sizeof("`observe` does not look at ") - 1;
      result.push_back(text.substr(name, text.find(';') - name));
    }
    return result;
  };
  EXPECT_EQ(unseen("rv(t, k) = w"), (Names{"got", "previous"}));
  EXPECT_EQ(unseen("rv(t, k) = w or got(k, w, t)"), Names{"previous"});
  EXPECT_EQ(unseen("newest(k, w) and reads(k, t)"), Names{});  // then all of them must be told
  for (const ShippedModel& shipped : shipped_models()) {
    const Result<Model> model = read_model(std::string(shipped.name), shipped.text);
    ASSERT_TRUE(model);
    EXPECT_EQ(unseen_records(*model), Names{}) << shipped.name;
  }
}

/// Whether the explorer finds a read that is not told.
bool hides(const Model& model) {
  const Result<Exploration> found = explore(model, {.sizes = {2, 1, 1}, .without_levels = true});
  EXPECT_TRUE(found) << found.error().text();
  return found && !found->coverage.hidden.empty();
}

TEST(ToldReads, AreLookedAtInEveryState) {
  EXPECT_FALSE(hides(reading("rv(t, k) = w")));
  EXPECT_FALSE(hides(reading("rv(t, k) = w and reads(k, t)")));
  EXPECT_FALSE(hides(reading("exists x: transaction. rv(t, k) = x and x = w")));
  EXPECT_TRUE(hides(reading("rv(t, k) = w and writes(k, t)")));
  EXPECT_TRUE(hides(reading("rv(t, k) = w and not writes(k, t)")));
  EXPECT_TRUE(hides(reading("rv(t, k) = w and w = initial")));
  EXPECT_TRUE(hides(reading("rv(t, k) = w and w != initial")));
  EXPECT_TRUE(hides(reading("exists x: transaction. rv(t, k) = x and x = w and writes(k, t)")));
  EXPECT_TRUE(hides(reading("got(k, w, t) and writes(k, t)")));
}

// Without a look at runs, the proof has a goal that stays open; where nothing is hidden, though the
// text does not show it, the goal is proved.
TEST(ToldReads, AreGoalsOfAProof) {
  Limits limits;
  Progress progress;
  const auto proof = [&](const std::string& told) {
    const auto shipped = std::ranges::find(shipped_models(), "atomic", &ShippedModel::name);
    std::string text(shipped->text);
    for (const std::string_view t : {"t", "x"}) {
      const std::string read = "rv(" + std::string(t) + ", k, w)\n";
      text.replace(
          text.find(read), read.size() - 1,
          read.substr(0, read.size() - 1) + " and " + told + "(k, " + std::string(t) + ")");
    }
    const Result<Model> model = read_model("atomic", text);
    EXPECT_TRUE(model) << model.error().text();
    return prove(*model, AbstractLevel::ser, limits, progress, {.widen = false, .pictures = false});
  };
  EXPECT_EQ(proof("reads").outcome, Proof::Outcome::proved);
  const Proof hidden = proof("writes");
  EXPECT_EQ(hidden.outcome, Proof::Outcome::open);
  ASSERT_EQ(hidden.open.size(), 1u);
  EXPECT_EQ(hidden.open[0].event, "run");
  EXPECT_EQ(hidden.open[0].claim, "`observe` tells of the reads in rv");
}

// Readers that commit but are not shown: an order of the others exists whatever they saw.
TEST(ToldReads, CommitsAreTold) {
  Model model = reading("rv(t, k) = w");
  EXPECT_FALSE(hides(model));
  Formula never{.kind = Formula::Kind::truth, .index = 0};
  model.observation.committed.formula = std::make_shared<const Formula>(never);
  EXPECT_TRUE(hides(model));
  Limits limits;
  Progress progress;
  const Proof proof =
      prove(model, AbstractLevel::ser, limits, progress, {.widen = false, .pictures = false});
  ASSERT_EQ(proof.open.size(), 1u);
  EXPECT_EQ(proof.open[0].claim, "clients see commits, and committed transactions stay so");
}

}  // namespace
}  // namespace isoscope::protocol
