#include "isoscope/protocol/export.h"

#include <gtest/gtest.h>

#include "isoscope/check/check.h"
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

std::uint32_t event(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.events.size(); ++i) {
    if (model.events[i].name == name) return i;
  }
  ADD_FAILURE() << "no event " << name;
  return 0;
}

/// T1 of c1 writes x and commits; T2 of c2 reads x from it and is refused at y.
class Locking : public testing::Test {
 protected:
  Locking() {
    const Instance instance(model, trace.sizes);
    trace.start = instance.initial_state();
    for (std::uint32_t i = 0; i < model.components.size(); ++i) {
      if (model.components[i].name != "participant") continue;
      for (const auto& [k, t] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
        const std::array<std::uint8_t, 2> arguments = {static_cast<std::uint8_t>(k),
                                                       static_cast<std::uint8_t>(t)};
        trace.start[instance.place(i, arguments)] = 1;
      }
    }
    step("begin", {0, 1});
    step("prepare", {0, 1});
    step("lock-write", {0, 1});
    step("commit", {0, 1});
    step("install", {0, 1});
    step("begin", {1, 2});
    step("prepare", {0, 2});
    step("lock-read", {0, 2});
    step("prepare", {1, 2});
  }
  void step(std::string_view name, std::vector<std::uint8_t> parameters) {
    trace.steps.push_back({event(model, name), std::move(parameters)});
  }

  Model model = shipped("s2pl");
  Trace trace{.sizes = {2, 2, 1}, .orders = {}, .start = {}, .steps = {}};
};

TEST_F(Locking, ExportsWhatClientsSaw) {
  const History history = history_of(model, trace);
  ASSERT_EQ(history.transaction_count(), 2u);
  ASSERT_EQ(history.session_count(), 2u);
  const TransactionId first(0), second(1);
  EXPECT_EQ(history.label(first), "T1");
  EXPECT_EQ(history.outcome(first), Outcome::committed);
  EXPECT_EQ(history.begin_time(first), 1);
  EXPECT_EQ(history.end_time(first), 4);
  ASSERT_EQ(history.operations(first).size(), 1u);
  const Operation write = history.operations(first)[0];
  EXPECT_EQ(write.kind(), OperationKind::write);

  // Nobody knows yet how it ends.
  EXPECT_EQ(history.outcome(second), Outcome::indeterminate);
  EXPECT_EQ(history.begin_time(second), 6);
  EXPECT_EQ(history.end_time(second), std::nullopt);
  ASSERT_EQ(history.operations(second).size(), 1u);
  EXPECT_EQ(history.operations(second)[0].kind(), OperationKind::read);
  EXPECT_EQ(history.operations(second)[0].value(), write.value());
}

TEST_F(Locking, WhatCanNoLongerCommitIsAborted) {
  step("refuse", {1, 2});
  EXPECT_EQ(history_of(model, trace).outcome(TransactionId(1)), Outcome::aborted);
}

TEST_F(Locking, TracesAsText) {
  const std::string text = text_of(model, trace);
  EXPECT_TRUE(
      text.starts_with("constants: participant(x, T1), participant(x, T2), "
                       "participant(y, T2)\n 1  c1  begin(c1, T1) "))
      << text;
  EXPECT_NE(text.find(" 8  x   lock-read(x, T2)   st(x, T2) := read-lock, rv(x, T2) := T1\n"),
            std::string::npos)
      << text;
}

TEST_F(Locking, TracesAsPictures) {
  const std::string svg = svg_of(model, trace, "a <trace>", {"one & two"});
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("a &lt;trace&gt;"), std::string::npos);
  EXPECT_NE(svg.find("one &amp; two"), std::string::npos);
  std::size_t boxes = 0;
  for (std::size_t at = 0; (at = svg.find("class=\"step\"", at)) != std::string::npos; ++at)
    ++boxes;
  EXPECT_EQ(boxes, trace.steps.size());
}

// Counterexamples are forbidden by the project's checkers, too.
TEST(Export, TheCheckersRefuteCounterexamples) {
  struct Case {
    std::string_view model;
    AbstractLevel level;
    LevelId id;
  };
  for (const Case& one :
       {Case{"mvcc-si", AbstractLevel::ser, LevelId::serializable},
        Case{"mvcc-si", AbstractLevel::sser, LevelId::strict_serializable},
        Case{"tapir-journal", AbstractLevel::ser, LevelId::serializable},
        Case{"tapir-journal", AbstractLevel::si, LevelId::snapshot_isolation},
        Case{"s2pl-early-read-release", AbstractLevel::si, LevelId::snapshot_isolation},
        Case{"s2pl-printed-guard", AbstractLevel::ser, LevelId::serializable},
        Case{"s2pl-abort-installs", AbstractLevel::ser, LevelId::serializable}}) {
    ExploreOptions options;
    options.sizes = {2, 2, 1};
    options.level = one.level;
    options.judge = judge_by_texts();
    const auto result = explore(shipped(one.model), options);
    ASSERT_TRUE(result) << result.error().text();
    const LevelOutcome& outcome = result->at(one.level);
    ASSERT_EQ(outcome.kind, LevelOutcome::Kind::violated) << one.model;
    const History& history = result->counterexamples[*outcome.counterexample].history;
    EXPECT_EQ(check(history, {one.id}).answer, Answer::violated) << one.model;
  }
}

}  // namespace
}  // namespace isoscope::protocol
