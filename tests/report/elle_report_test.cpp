// Elle's `not` and `also-not` against the reference checker: what is in them is violated, and what
// was asked for and is violated is in them.

#include "isoscope/report/elle_report.h"

#include <gtest/gtest.h>

#include "history_of.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/report/explanation.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope::report {
namespace {

/// The names in the array of that member.
std::vector<std::string> names_in(const std::string& json, const std::string& member) {
  const std::string start = "\"" + member + "\":[";
  std::size_t at = json.find(start) + start.size();
  std::vector<std::string> names;
  while (json[at] != ']') {
    const std::size_t end = json.find('"', at + 1);
    names.push_back(json.substr(at + 1, end - at - 1));
    at = json[end + 1] == ',' ? end + 2 : end + 1;
  }
  return names;
}

std::string result_of(const History& history, std::span<const Level> levels) {
  SeveralLevels several;
  several.each.anomalies = 10;
  several.also_violated = [&](const Verdict& verdict) -> std::vector<LevelId> {
    if (!has_stories(*verdict.certificate)) return {};
    return explain(history, *verdict.certificate).levels_ruled_out;
  };
  return elle_json("history", history, check_levels(history, levels, several));
}

TEST(ElleReport, NamesAreElles) {
  const History history = test::history_of("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)");
  const std::vector<Level> serializable = {{LevelId::serializable, false}};
  const std::string result = result_of(history, serializable);
  EXPECT_EQ(names_in(result, "anomaly-types"), std::vector<std::string>{"G2-item"});
  EXPECT_EQ(names_in(result, "not"), std::vector<std::string>{"repeatable-read"});
  EXPECT_EQ(names_in(result, "also-not"),
            (std::vector<std::string>{"serializable", "strong-session-serializable",
                                      "strong-serializable"}));
}

TEST(ElleReport, WhatOnlyAStrongerModelRulesOutDoesNotCountBelow) {
  // T2 reads y twice and sees it change, so it can have committed at read committed, but not above.
  const History history =
      test::history_of("a: T1 w(y,1) | b: T2? r(y,nil) r(y,1) w(x,1) | c: T3 r(x,1)");
  const std::vector<Level> serializable = {{LevelId::serializable, false}};
  const std::string result = result_of(history, serializable);
  EXPECT_EQ(names_in(result, "anomaly-types"), std::vector<std::string>{"G1a"});
  for (const std::string member : {"not", "also-not"}) {
    for (const std::string& name : names_in(result, member)) {
      const auto level = find_level(name, NameDialect::elle);
      ASSERT_TRUE(level) << name;
      EXPECT_FALSE(reference::satisfies(history, *level)) << name;
    }
  }
}

TEST(ElleReport, ModelsAreViolated) {
  Random random(91);
  int named = 0;
  int without_sessions = 0;
  int valid = 0;
  const std::vector<Level> all = levels_of_elle();
  for (int round = 0; round < 1'500 * test_scale(); ++round) {
    const History history = reference::random_history(random, {.most_transactions = 4});
    if (!reference::is_within_limits(history)) continue;
    const std::vector<Level> asked = {all[random.below(all.size())], all[random.below(all.size())]};
    const std::string result = result_of(history, asked);
    for (const std::string member : {"not", "also-not"}) {
      for (const std::string& name : names_in(result, member)) {
        const auto level = find_level(name, NameDialect::elle);
        ASSERT_TRUE(level) << name;
        ASSERT_FALSE(reference::satisfies(history, *level))
            << name << "\n"
            << *format_history(history, Format::litmus) << result;
        ++named;
        if (!level->session_order) ++without_sessions;
      }
    }
    if (result.find("\"valid?\":true") == std::string::npos) continue;
    ++valid;
    for (const Level level : asked) ASSERT_TRUE(reference::satisfies(history, level));
  }
  EXPECT_GT(named, 5'000);
  EXPECT_GT(without_sessions, 2'000);
  EXPECT_GT(valid, 200);
}

}  // namespace
}  // namespace isoscope::report
