#include <gtest/gtest.h>

#include <algorithm>

#include "check/repeated_lists.h"
#include "check/strong_random.h"
#include "isoscope/base/json_reader.h"
#include "isoscope/base/source.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/litmus_text.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "report/told.h"
#include "report/true_name.h"
#include "test_scale.h"

namespace isoscope::report {
namespace {

bool is_json(const std::string& text) {
  auto bytes = Source::from_memory("json", text).open_file(0);
  if (!bytes) return false;
  JsonReader reader(*bytes);
  return reader.skip_value() && reader.expect_end();
}

std::string text_of(const History& history) {
  std::string text;
  for (const TransactionId t : history.transactions()) {
    text += "\n  session " + std::to_string(history.session_of(t).value) + ": " +
            transaction_text(history, t);
  }
  return text;
}

struct Counts {
  int cycles = 0;
  int cases = 0;
  int untold = 0;        ///< with too many cases
  int beyond = 0;        ///< levels ruled out that do not imply the level checked
  int by_predicate = 0;  ///< that speak of operations with predicates
};

/// Does the name say that there is a cycle without anti-dependencies of predicates?
bool is_about_items(Anomaly anomaly, Level level) {
  return implies(anomaly, level.session_order ? Anomaly::g2_item_process : Anomaly::g2_item);
}

bool speaks_of_predicates(const History& history, const Explanation& explanation) {
  return std::ranges::any_of(explanation.operations, [&](const OperationRef& at) {
    return history.operations(at.transaction)[at.operation].is_predicate();
  });
}

/// The explanation is well formed, names an anomaly that the level forbids, and rules out no level
/// that the history is at. A history at repeatable read has no cycle of items.
void explain_one(const History& history, Level level, Counts& counts) {
  const Verdict verdict = check(history, level);
  if (verdict.answer != Answer::violated || !verdict.evidence.empty()) return;
  const auto story = [&] {
    return isoscope::text_of(level) + text_of(history) + "\n" +
           verdict_text("history", history, verdict);
  };
  ASSERT_TRUE(verdict.certificate) << story();
  const Explanation explanation = explain(history, *verdict.certificate);
  ASSERT_EQ(Inspection(history, level).problem(explanation), "") << story();
  std::vector<Level> beyond;
  for (const LevelId id : explanation.levels_ruled_out) {
    if (!implies(Level{id}, level)) beyond.push_back(Level{id});
  }
  const std::vector<bool> satisfied = reference::satisfied(history, beyond);
  for (std::size_t i = 0; i < beyond.size(); ++i) {
    ASSERT_FALSE(satisfied[i]) << isoscope::text_of(beyond[i]) << "\n" << story();
  }
  if (level.id == LevelId::serializable && explanation.whole.anomaly &&
      is_about_items(*explanation.whole.anomaly, level)) {
    const std::vector<Level> items = {{LevelId::repeatable_read, level.session_order}};
    ASSERT_FALSE(reference::satisfied(history, items)[0]) << story();
  }
  for (const auto& name : {explanation.whole.anomaly, explanation.whole.cycle_class}) {
    const bool cheap = history.transaction_count() <= 5;  // for the reference
    if (name && cheap) expect_true_name(history, *name, story);
    if (testing::Test::HasFatalFailure()) return;
  }
  const std::string text = verdict_text("history", history, verdict);
  ASSERT_NE(text.find('\n'), text.size() - 1) << text;
  const std::string json = verdict_json("history", history, verdict);
  ASSERT_EQ(json, verdict_json("history", history, check(history, level)));
  ASSERT_TRUE(is_json(json)) << json;
  ++(explanation.whole.cases.empty() ? counts.cycles : counts.cases);
  if (explanation.told_count < explanation.case_count) ++counts.untold;
  counts.beyond += beyond.empty() ? 0 : 1;
  counts.by_predicate += speaks_of_predicates(history, explanation) ? 1 : 0;
}

class ExplanationRandom : public testing::TestWithParam<Level> {};

TEST_P(ExplanationRandom, RunsOfABadStore) {
  const Level level = GetParam();
  const reference::RandomFeatures features{
      .most_transactions = 5, .predicates = false, .appended_once = true};
  Random random(71 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  Counts counts;
  for (int i = 0; i < 10'000 * test_scale(); ++i) {
    explain_one(reference::random_history(random, features), level, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.cycles, 200);
  EXPECT_GT(counts.beyond, 100);
}

TEST_P(ExplanationRandom, Predicates) {
  const Level level = GetParam();
  const reference::RandomFeatures features{.most_transactions = 5, .appended_once = true};
  Random random(271 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  Counts counts;
  for (int i = 0; i < 10'000 * test_scale(); ++i) {
    explain_one(reference::random_history(random, features), level, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.by_predicate, 200);
  EXPECT_GT(counts.beyond, 100);
}

TEST_P(ExplanationRandom, ListsWithRepeatedElements) {
  const Level level = GetParam();
  const test::RepeatedLists features{.most_transactions = 5, .aborted_percent = 0};
  Random random(371 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  Counts counts;
  for (int i = 0; i < 5'000 * test_scale(); ++i) {
    explain_one(test::repeated_list_history(random, features), level, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.cycles, 100);
  EXPECT_GT(counts.cases, 0);
}

TEST_P(ExplanationRandom, MuchToChoose) {
  const Level level = GetParam();
  Random random(171 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  Counts counts;
  const test::HardFeatures features[] = {
      {.most_transactions = 7}, {.most_transactions = 7, .doubtful_percent = 20, .lists = true}};
  for (int i = 0; i < 600 * test_scale(); ++i) {
    explain_one(test::hard_history(random, features[i % 2]), level, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.cases, 0);
}

INSTANTIATE_TEST_SUITE_P(StrongLevels, ExplanationRandom,
                         testing::Values(Level{LevelId::serializable},
                                         Level{LevelId::serializable, false},
                                         Level{LevelId::snapshot_isolation},
                                         Level{LevelId::snapshot_isolation, false},
                                         Level{LevelId::strict_serializable},
                                         Level{LevelId::strong_snapshot_isolation}));

}  // namespace
}  // namespace isoscope::report
