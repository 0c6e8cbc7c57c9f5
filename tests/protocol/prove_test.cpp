#include "isoscope/protocol/prove.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/protocol/model_text.h"
#include "test_scale.h"

// What provers by others say of the proofs is in smtlib_test.cpp.

namespace isoscope::protocol {
namespace {

Model shipped(std::string_view name) {
  for (const ShippedModel& model : shipped_models()) {
    if (model.name != name) continue;
    Result<Model> read = read_model(std::string(name), model.text);
    EXPECT_TRUE(read) << name;
    return *std::move(read);
  }
  ADD_FAILURE() << "no model " << name;
  return {};
}

Proof prove_at(const Model& model, AbstractLevel level) {
  Limits limits;
  Progress progress;
  return prove(model, level, limits, progress);
}

TEST(Prove, SmallModelsWithoutAnyHelp) {
  const std::pair<const char*, AbstractLevel> expected[] = {
      {"atomic", AbstractLevel::sser},
      {"atomic-steps", AbstractLevel::sser},
      {"occ", AbstractLevel::ser},
      {"timestamp-ordering", AbstractLevel::ser},
  };
  for (const auto& [name, level] : expected) {
    const Proof proof = prove_at(shipped(name), level);
    EXPECT_EQ(proof.outcome, Proof::Outcome::proved) << name;
    EXPECT_TRUE(proof.open.empty()) << name;
    EXPECT_FALSE(proof.certificate.empty()) << name;
  }
}

// The claim that stays open is the one that the missing lock was for.
TEST(Prove, LeavesOpenWhatIsNotTrue) {
  const Proof proof = prove_at(shipped("occ"), AbstractLevel::sser);
  EXPECT_EQ(proof.outcome, Proof::Outcome::proved) << "validation lies between begin and answer";

  const Proof skew = prove_at(shipped("mvcc-si"), AbstractLevel::ser);
  EXPECT_EQ(skew.outcome, Proof::Outcome::open);
  bool is_the_view = false;
  for (const OpenGoal& goal : skew.open)
    is_the_view = is_the_view || (goal.event == "commit" && goal.of == "canCommit(SER)");
  EXPECT_TRUE(is_the_view);
  EXPECT_TRUE(skew.certificate.empty());
}

TEST(Prove, NoMutantOfTwoPhaseLocking) {
  if (test_scale() == 1) GTEST_SKIP() << "in ./test --full";
  for (const char* name :
       {"s2pl-read-ignores-write", "s2pl-write-ignores-read", "s2pl-early-read-release",
        "s2pl-abort-installs", "s2pl-printed-guard"}) {
    const Proof proof = prove_at(shipped(name), AbstractLevel::sser);
    EXPECT_EQ(proof.outcome, Proof::Outcome::open) << name;
    EXPECT_FALSE(proof.open.empty()) << name;
  }
}

// An event that can never happen makes whatever is proved of it worthless.
TEST(Prove, NoticesEventsThatCannotHappen) {
  const std::string text = R"(
title "A transaction that waits for itself"
claims RA
state done(transaction) : bool = false
event run(c: client, t: transaction) at c begins t commits t
  when owner(t) = c and t != initial and done(t) and not done(t)
  then done(t) := true
observe t: transaction { committed when done(t) }
map installed(k, x) = x = initial
map before(k, x, y) = false
map reader(k, w, x) = false
)";
  const Result<Model> model = read_model("waits", text);
  ASSERT_TRUE(model) << model.error().text();
  const Proof proof = prove_at(*model, AbstractLevel::ra);
  EXPECT_EQ(proof.outcome, Proof::Outcome::vacuous);
  ASSERT_EQ(proof.impossible_events.size(), 1u);
  EXPECT_EQ(proof.impossible_events[0], "run");
}

TEST(Prove, SaysWhichInvariantsOfTheModelAreNone) {
  const std::string text = R"(
title "A counter of what was done"
claims RA
state done(transaction) : bool = false
event run(c: client, t: transaction) at c begins t commits t
  when owner(t) = c and t != initial and not done(t)
  then done(t) := true
observe t: transaction { committed when done(t) }
map installed(k, x) = x = initial
map before(k, x, y) = false
map reader(k, w, x) = false
invariant never-initial: not done(initial)
invariant never-at-all: forall t: transaction. not done(t)
)";
  const Result<Model> model = read_model("counter", text);
  ASSERT_TRUE(model) << model.error().text();
  const Proof proof = prove_at(*model, AbstractLevel::ra);
  EXPECT_EQ(proof.outcome, Proof::Outcome::proved);
  EXPECT_EQ(proof.not_inductive, std::vector<std::string>{"never-at-all"});
}

TEST(Prove, StopsAtLimits) {
  Limits limits;
  limits.request_stop();
  Progress progress;
  EXPECT_EQ(prove(shipped("occ"), AbstractLevel::ser, limits, progress).outcome,
            Proof::Outcome::stopped);
}

}  // namespace
}  // namespace isoscope::protocol
