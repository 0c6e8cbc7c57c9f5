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
    is_the_view = is_the_view || (goal.event == "commit" && goal.belongs_to == "canCommit(SER)");
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
  EXPECT_EQ(proof.impossible_events, std::vector<std::string>{"run"});
  EXPECT_EQ(proof.vacuous, std::vector<std::string>{"run can never happen"});
  EXPECT_TRUE(proof.certificate.empty());
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
  EXPECT_EQ(proof.outcome, Proof::Outcome::unkept) << "all goals are proved, but it is wrong";
  EXPECT_TRUE(proof.open.empty());
  EXPECT_TRUE(proof.certificate.empty());
  ASSERT_EQ(proof.unkept.size(), 1u);
  EXPECT_EQ(proof.unkept[0].name, "never-at-all");
  ASSERT_TRUE(proof.unkept[0].broken);
  EXPECT_EQ(proof.unkept[0].broken->event, "run");
  EXPECT_EQ(proof.unkept[0].broken->step, "run(c, t)");
  EXPECT_EQ(proof.unkept[0].broken->broken, std::vector<std::string>{"done(t) afterwards"});
}

/// A lock that is taken and given back.
std::string lock_with(const std::string& invariants) {
  return R"(
title "One at a time"
claims RA
state holder(key) : transaction? = none
state was(key, transaction) : bool = false
state done(transaction) : bool = false
event take(k: key, t: transaction) at k
  when t != initial and holder(k) = none and not was(k, t)
  then holder(k) := t, was(k, t) := true
event give(k: key, t: transaction) at k
  when holder(k) = t
  then holder(k) := none
event run(c: client, t: transaction) at c begins t commits t
  when owner(t) = c and t != initial and not done(t)
  then done(t) := true
observe t: transaction { committed when done(t) }
map installed(k, x) = x = initial
map before(k, x, y) = false
map reader(k, w, x) = false
)" + invariants;
}

// An invariant may be kept only because of another one; if that one is not, it is told so.
TEST(Prove, AnInvariantThatRestsOnAWrongOneIsToldSo) {
  const Result<Model> model = read_model("lock", lock_with(R"(
invariant rests: forall k: key, t: transaction. was(k, t) => holder(k) = t
invariant never: forall k: key, t: transaction. holder(k) != t
)"));
  ASSERT_TRUE(model) << model.error().text();
  const Proof proof = prove_at(*model, AbstractLevel::ra);
  EXPECT_EQ(proof.outcome, Proof::Outcome::unkept);
  ASSERT_EQ(proof.unkept.size(), 2u);
  EXPECT_EQ(proof.unkept[0].name, "rests");
  EXPECT_FALSE(proof.unkept[0].broken) << "only `give` breaks it, which `never` forbids";
  EXPECT_EQ(proof.unkept[1].broken.value_or(OpenGoal{}).event, "take");
}

TEST(Prove, InvariantsThatAreKeptAreProved) {
  const Result<Model> model = read_model("lock", lock_with(R"(
invariant not-the-first: forall k: key. holder(k) != initial
invariant had: forall k: key, t: transaction. holder(k) = t => was(k, t)
)"));
  ASSERT_TRUE(model) << model.error().text();
  const Proof proof = prove_at(*model, AbstractLevel::ra);
  EXPECT_EQ(proof.outcome, Proof::Outcome::proved);
  EXPECT_TRUE(proof.unkept.empty());
}

// What runs have shown to be possible is part of the question, if it is given.
TEST(Prove, AProofOfWhatNeverHappensIsVacuous) {
  const Model model = shipped("atomic");
  Limits limits;
  Progress progress;
  Coverage coverage{.fired = {3},
                    .commits = 3,
                    .writers = 2,
                    .readers = 2,
                    .readers_of_others = 1,
                    .has_others = true};
  ProveOptions options;
  options.coverage = &coverage;
  EXPECT_EQ(prove(model, AbstractLevel::ser, limits, progress, options).outcome,
            Proof::Outcome::proved);
  const auto reasons = [&] {
    const Proof proof = prove(model, AbstractLevel::ser, limits, progress, options);
    EXPECT_EQ(proof.outcome, Proof::Outcome::vacuous);
    EXPECT_TRUE(proof.certificate.empty());
    return proof.vacuous;
  };
  const std::string in_runs = " in the runs that were looked at";
  coverage.writers = 0;
  EXPECT_EQ(reasons(), std::vector{"no transaction that writes ever commits" + in_runs});
  coverage.writers = 2;
  coverage.readers_of_others = 0;
  EXPECT_EQ(reasons(),
            std::vector{"no committed transaction has ever read what another one wrote" + in_runs});
  coverage.fired = {0};
  coverage.commits = 0;
  EXPECT_EQ(reasons(), (std::vector{"no transaction ever commits" + in_runs,
                                    "event run never happens" + in_runs}));
}

TEST(Prove, StopsAtLimits) {
  Limits limits;
  limits.request_stop();
  Progress progress;
  const Proof proof = prove(shipped("occ"), AbstractLevel::ser, limits, progress);
  EXPECT_EQ(proof.outcome, Proof::Outcome::stopped);
  EXPECT_EQ(proof.stopped_while, "sampling states");

  Limits memory;
  memory.set_memory(1);
  EXPECT_EQ(prove(shipped("occ"), AbstractLevel::ser, memory, progress).outcome,
            Proof::Outcome::stopped);
}

/// A listener that wants everything to end as soon as a phase begins, or as soon as its first part
/// is over.
class Impatient : public Progress {
 public:
  Impatient(Limits& limits, std::string_view phase, bool at_once)
      : limits_(limits), phase_(phase), at_once_(at_once) {}

  void phase(std::string_view name, std::uint64_t) override {
    is_now_ = name.starts_with(phase_);
    if (is_now_ && at_once_) limits_.request_stop();
  }
  void advance(std::uint64_t) override {
    if (is_now_) limits_.request_stop();
  }

 private:
  Limits& limits_;
  std::string_view phase_;
  bool at_once_, is_now_ = false;
};

// What was established until then is told; nothing is called proved.
TEST(Prove, StopsInEveryPhase) {
  const std::pair<const char*, const char*> phases[] = {
      {"sampling states", "sampling states"},
      {"invariants, round 1", "looking for invariants"},
      {"goals", "proving goals"},
      {"pictures", "drawing what is open"},
  };
  for (const auto& [phase, told] : phases) {
    for (const bool at_once : {true, false}) {
      const bool is_sampling = std::string_view(phase) == "sampling states";
      if (is_sampling && !at_once) continue;  // it does not say how far it is
      SCOPED_TRACE(std::string(phase) + (at_once ? " at once" : ""));
      Limits limits;
      Impatient progress(limits, phase, at_once);
      // A goal is open, because the map forgets which transactions have read.
      Model model = shipped("atomic");
      model.refinement->reader.formula =
          std::make_shared<const Formula>(Formula{.kind = Formula::Kind::truth, .index = 0});
      const Proof proof = prove(model, AbstractLevel::ser, limits, progress, {.widen = false});
      EXPECT_EQ(proof.outcome, Proof::Outcome::stopped);
      // There is one picture only, so after it something else is stopped.
      const bool is_over = std::string_view(phase) == "pictures" && !at_once;
      EXPECT_EQ(proof.stopped_while, is_over ? "looking whether all events are possible" : told);
      EXPECT_TRUE(proof.certificate.empty());
      EXPECT_GT(proof.goals, proof.proved_goals);
      if (std::string_view(phase) == "pictures") {
        EXPECT_EQ(proof.goals, proof.proved_goals + proof.open.size());
      }
    }
  }
}

}  // namespace
}  // namespace isoscope::protocol
