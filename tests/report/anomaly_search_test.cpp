// Anomalies by name: what is found is what the catalogue says it is, and what is said to be absent
// is not there.

#include "isoscope/report/anomaly_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "history_of.h"
#include "isoscope/check/every_level.h"
#include "isoscope/history/format.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope::report {
namespace {

using Found = AnomalySearch::Answer;
using test::history_of;

Frontier frontier_of(const History& history, bool session_order = true) {
  EveryLevel options{.session_order = session_order};
  options.also_violated = [&](const Verdict& verdict) -> std::vector<LevelId> {
    if (!has_stories(*verdict.certificate)) return {};
    return explain(history, *verdict.certificate).levels_ruled_out;
  };
  return check_every_level(history, options);
}

std::string found(const std::string& litmus, std::string_view name) {
  const History history = history_of(litmus);
  const AnomalySearch search =
      find_anomaly_in(history, frontier_of(history), find_anomaly(name).value());
  const std::string text = anomaly_search_text("file", history, search);
  return text.substr(0, text.find('\n'));
}

TEST(AnomalySearch, SaysWhatThereIs) {
  const std::string lost = "a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2)";
  EXPECT_EQ(found(lost, "lost-update"),
            "file: lost-update: 1 found: lost update (G-single-item): T1 -> T2 -> T1");
  EXPECT_EQ(found(lost, "G2"), "file: G2: 1 found: lost update (G-single-item): T1 -> T2 -> T1");
  EXPECT_EQ(found(lost, "G1a"), "file: G1a: none: valid-reads holds, and forbids it");
  EXPECT_EQ(found(lost, "phantom"), "file: phantom: none: read-atomic holds, and forbids it");
  EXPECT_EQ(found("a: T1! w(x,1) | b: T2 r(x,1) w(x,2)", "dirty update"),
            "file: dirty-update: 1 found");
  EXPECT_EQ(found("a: T1! w(x,1) | b: T2 r(x,1)", "dirty-update"),
            "file: dirty-update: none found, but no level that forbids it holds");
  EXPECT_EQ(found("a: T1! w(x,1) | b: T2 r(x,1)", "phantom"),
            "file: phantom: cannot be seen: no operation has a predicate");
  EXPECT_EQ(found("a: T1! w(x,1) | b: T2 r(x,1)", "G2-realtime"),
            "file: G2-realtime: cannot be seen: no times were recorded");
}

/// The example of each anomaly has it, or at least nothing is said against that.
TEST(AnomalySearch, TheCataloguesExamples) {
  int count = 0;
  std::string missing;
  for (const AnomalyEntry& row : anomalies()) {
    if (example_of(row.id).empty()) continue;
    const History history = history_of(std::string(example_of(row.id)));
    const AnomalySearch search = find_anomaly_in(history, frontier_of(history), row.id);
    EXPECT_NE(search.answer, Found::absent) << row.name << ": " << search.reason;
    if (search.answer == Found::found) {
      ++count;
      EXPECT_GT(search.count, 0) << row.name;
    } else {
      missing += " " + std::string(row.name);
    }
  }
  EXPECT_GE(count, 45) << "not found:" << missing;
}

/// Whatever is found in a random history, all levels that forbid it are violated there.
TEST(AnomalySearch, WhatIsFoundIsForbidden) {
  Random random(196);
  int found_count = 0;
  int absent = 0;
  for (int i = 0; i < 800 * test_scale(); ++i) {
    const History history = reference::random_history(
        random,
        {.most_transactions = 5, .keys = 2 + i % 2, .lists = i % 3 == 0, .predicates = i % 4 == 0});
    if (!reference::is_within_limits(history)) continue;
    std::vector<Level> all;
    for (const LevelEntry& row : levels()) all.push_back({row.id, true});
    const std::vector<bool> satisfied =
        reference::satisfied(history, all, {.indeterminate_cuts = history.indeterminate_cuts()});
    const Frontier frontier = frontier_of(history);
    for (const AnomalyEntry& row : anomalies()) {
      const AnomalySearch search = find_anomaly_in(history, frontier, row.id);
      absent += search.answer == Found::absent ? 1 : 0;
      if (search.answer != Found::found) continue;
      ++found_count;
      for (const LevelId id : levels_violated_by(row.id)) {
        ASSERT_FALSE(satisfied[static_cast<std::size_t>(id)])
            << row.name << " and " << name_of(id) << "\n"
            << *format_history(history, Format::litmus)
            << anomaly_search_text("file", history, search);
      }
    }
  }
  EXPECT_GT(found_count, 2'000);
  EXPECT_GT(absent, 3'000);
}

}  // namespace
}  // namespace isoscope::report
