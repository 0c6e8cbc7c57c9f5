#include "isoscope/protocol/simulate.h"

#include <gtest/gtest.h>

#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"

namespace isoscope::protocol {
namespace {

Model shipped(std::string_view name) {
  for (const ShippedModel& model : shipped_models()) {
    if (model.name == name) return *read_model(std::string(name), model.text);
  }
  ADD_FAILURE() << "no model " << name;
  return {};
}

TEST(Simulate, TheSameSeedIsTheSameRun) {
  const Model model = shipped("s2pl");
  const Simulation first = simulate(model, {.seed = 5});
  const Simulation again = simulate(model, {.seed = 5});
  const Simulation other = simulate(model, {.seed = 6});
  EXPECT_EQ(first.trace.steps, again.trace.steps);
  EXPECT_NE(first.trace.steps, other.trace.steps);
  EXPECT_GT(first.trace.steps.size(), 10u);
}

TEST(Simulate, StopsAfterEnoughSteps) {
  const Simulation run = simulate(shipped("s2pl"), {.seed = 1, .most_steps = 7});
  EXPECT_EQ(run.trace.steps.size(), 7u);
}

TEST(Simulate, RunsAreRunsOfTheModel) {
  for (const ShippedModel& text : shipped_models()) {
    const auto model = read_model(std::string(text.name), text.text);
    ASSERT_TRUE(model) << model.error().text();
    const Simulation run = simulate(*model, {.sizes = {2, 2, 2}, .seed = 3, .most_steps = 60});
    EXPECT_EQ(states_of(*model, run.trace).size(), run.trace.steps.size() + 1) << text.name;
    EXPECT_FALSE(run.trace.steps.empty()) << text.name;
  }
}

TEST(Simulate, HistoriesAreAtTheLevelThatTheModelClaims) {
  const Judge judge = judge_by_texts();
  for (const std::string_view name : {"s2pl", "mvcc-si", "occ", "timestamp-ordering", "atomic"}) {
    const Model model = shipped(name);
    std::size_t committed = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Simulation run = simulate(model, {.sizes = {2, 2, 2}, .seed = seed});
      for (const TransactionId t : run.history.transactions()) {
        if (run.history.outcome(t) == Outcome::committed) ++committed;
      }
      for (const std::string& claim : model.claims) {
        const auto level = find_abstract_level(claim);
        ASSERT_TRUE(level) << claim;
        EXPECT_EQ(judge(run.history, *level), Opinion::allows) << name << " seed " << seed;
      }
    }
    EXPECT_GT(committed, 4u) << name;
  }
}

}  // namespace
}  // namespace isoscope::protocol
