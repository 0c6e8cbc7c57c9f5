#include "isoscope/judge/prove_protocol.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocol/refines_models.h"
#include "protocol/small_protocol.h"

// The policy of proofs: what is explored first, and which levels are tried in which order.

namespace isoscope {
namespace {

using protocol::AbstractLevel;
using protocol::Model;
using protocol::Proof;

/// Remembers what it hears.
class Record : public ProofListener {
 public:
  std::vector<protocol::Sizes> sizes;
  std::vector<AbstractLevel> violated;  ///< not in question
  int refutations = 0;
  std::vector<std::optional<AbstractLevel>> tried_levels;
  std::vector<Proof::Outcome> outcomes;
  int stops = 0;

  void explored(const ExploredSize& size) override {
    sizes.push_back(size.report.options.sizes);
    violated.insert(violated.end(), size.others.begin(), size.others.end());
    EXPECT_EQ(size.report.opinions.size(), size.report.exploration.counterexamples.size());
    ASSERT_EQ(size.is_refutation.size(), size.report.exploration.counterexamples.size());
    for (const bool is_refutation : size.is_refutation) refutations += is_refutation ? 1 : 0;
  }
  void tried(const ProofAttempt& attempt) override {
    tried_levels.push_back(attempt.level);
    outcomes.push_back(attempt.proof.outcome);
  }
  void stopped() override { ++stops; }
};

Model model_of(const std::string& text) {
  Result<Model> model = protocol::read_model("my.protocol", text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model();
}

Model shipped(std::string_view name) { return model_of(protocol::text_of_shipped(name)); }

Result<ProtocolVerdict> verdict_on(const Model& model, const ProtocolQuestion& question,
                                   Record& record) {
  const Limits limits;
  Progress progress;
  return prove_protocol(model, question, limits, progress, record, 1);
}

TEST(ProveProtocol, ExploresTwoSmallSizesAndProvesWhatIsClaimed) {
  Record record;
  const auto verdict = verdict_on(shipped("atomic"), {}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::holds);
  EXPECT_TRUE(verdict->has_proof);
  EXPECT_FALSE(verdict->proof.certificate.empty());
  ASSERT_EQ(record.sizes.size(), 2u);
  EXPECT_EQ(record.sizes[0].keys, 2u);
  EXPECT_EQ(record.sizes[1].transactions, 2u);
  // SSER implies whatever else may be claimed.
  EXPECT_EQ(record.tried_levels, std::vector<std::optional<AbstractLevel>>{AbstractLevel::sser});
  ASSERT_TRUE(verdict->proof.coverage);
  EXPECT_GT(verdict->proof.coverage->commits, 0u);
}

TEST(ProveProtocol, WhatIsViolatedIsNotTried) {
  Record record;
  const auto verdict = verdict_on(shipped("mvcc-si"), {.level = AbstractLevel::ser}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::violated);
  EXPECT_FALSE(verdict->has_proof);
  EXPECT_GT(record.refutations, 0);
  EXPECT_TRUE(record.tried_levels.empty());
  EXPECT_LT(record.sizes.size(), 3u);
}

TEST(ProveProtocol, WithoutAClaimTheStrongestThatIsNotViolatedComesFirst) {
  Record record;
  const std::string claim = "claims SI\n";
  const Model model = model_of(protocol::changed(protocol::text_of_shipped("mvcc-si"), claim, ""));
  const auto verdict = verdict_on(model, {}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::holds);
  EXPECT_EQ(record.violated, (std::vector{AbstractLevel::sser, AbstractLevel::ser}));
  EXPECT_EQ(record.refutations, 0) << "no level is in question";
  EXPECT_EQ(record.tried_levels, std::vector<std::optional<AbstractLevel>>{AbstractLevel::si});
}

TEST(ProveProtocol, AClaimThatIsViolatedStaysSoWhateverElseIsProved) {
  Record record;
  const Model model = model_of(
      protocol::changed(protocol::text_of_shipped("mvcc-si"), "claims SI\n", "claims SER\n"));
  const auto verdict = verdict_on(model, {}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::violated);
  EXPECT_GT(record.refutations, 0);
  EXPECT_TRUE(verdict->has_proof);
  EXPECT_EQ(record.tried_levels, std::vector<std::optional<AbstractLevel>>{AbstractLevel::si});
}

TEST(ProveProtocol, NothingIsProvedOfAModelThatBreaksItsInvariants) {
  Record record;
  const Model model =
      model_of(protocol::text_of_shipped("atomic") +
               "\ninvariant never: forall t: transaction. t = initial or not done(t)\n");
  const auto verdict = verdict_on(model, {}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::violated);
  EXPECT_FALSE(verdict->has_proof);
  EXPECT_EQ(record.sizes.size(), 1u) << "one counterexample is enough";
  EXPECT_TRUE(record.tried_levels.empty());
}

TEST(ProveProtocol, WhatNeverHappensIsNoReasonToTryWeakerLevels) {
  Record record;
  // Nobody ever begins.
  const std::string text = protocol::text_of_shipped("atomic");
  const std::size_t when = text.find("  when ");
  ASSERT_NE(when, std::string::npos);
  const Model model = model_of(text.substr(0, when) + "  when false and " + text.substr(when + 7));
  const auto verdict = verdict_on(model, {}, record);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::unknown);
  EXPECT_FALSE(verdict->has_proof);
  EXPECT_EQ(record.tried_levels.size(), 1u);
  EXPECT_EQ(record.outcomes, std::vector{Proof::Outcome::vacuous});
}

TEST(ProveProtocol, ALimitLeavesTheAnswerOpen) {
  Limits limits;
  limits.request_stop();
  Progress progress;
  Record record;
  const auto verdict = prove_protocol(shipped("atomic"), {}, limits, progress, record, 1);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->answer, Answer::unknown);
  EXPECT_FALSE(verdict->has_proof);
  EXPECT_EQ(record.stops, 1);
  EXPECT_TRUE(record.tried_levels.empty());
}

TEST(ProveProtocol, RefinementIsProvedWhereItIsAskedForOrAllThereIs) {
  const Result<Model> model = protocol::read_refining(protocol::keeper);
  ASSERT_TRUE(model) << model.error().text();
  for (const bool refines : {true, false}) {
    Record record;
    const auto verdict = verdict_on(*model, {.refines = refines}, record);
    ASSERT_TRUE(verdict) << verdict.error().text();
    EXPECT_EQ(verdict->answer, Answer::holds);
    EXPECT_EQ(record.tried_levels, std::vector<std::optional<AbstractLevel>>{std::nullopt});
  }
}

TEST(ProveProtocol, QuestionsThatMakeNoSenseAreErrorsOfTheirKind) {
  Record record;
  const auto time = verdict_on(shipped("tapir-repaired"), {.level = AbstractLevel::sser}, record);
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().kind, ErrorKind::usage);
  EXPECT_EQ(time.error().what, "SSER is about time, of which a witness says nothing");
  const auto nothing = verdict_on(model_of(protocol::small_protocol), {}, record);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::input);
  const auto refines = verdict_on(shipped("atomic"), {.refines = true}, record);
  ASSERT_FALSE(refines);
  EXPECT_EQ(refines.error().kind, ErrorKind::input);
  EXPECT_TRUE(record.sizes.empty());
}

}  // namespace
}  // namespace isoscope
