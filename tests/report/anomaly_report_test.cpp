// The catalogue's examples of anomalies, and that text and JSON call things by the same names.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "isoscope/report/levels_report.h"
#include "reference/reference_checker.h"
#include "report/told.h"

namespace isoscope::report {
namespace {

/// Every level that forbids the anomaly is violated by its example, and where reads or a cycle show
/// it the checker calls it so.
TEST(AnomalyReport, ExamplesHaveTheAnomaly) {
  int named = 0;
  for (const AnomalyEntry& row : anomalies()) {
    const std::string litmus(example_of(row.id));
    if (row.id == Anomaly::g_sia) {
      EXPECT_EQ(litmus, "");
      continue;
    }
    const History history = history_of(litmus);
    std::vector<Level> forbidding;
    for (const LevelId id : levels_violated_by(row.id)) forbidding.push_back(Level{id});
    const std::vector<bool> satisfied = reference::satisfied(history, forbidding);
    for (std::size_t i = 0; i < forbidding.size(); ++i) {
      EXPECT_FALSE(satisfied[i]) << row.name << ": " << text_of(forbidding[i]);
    }
    const Verdict verdict = check(history, Level{LevelId::strict_serializable}, {.anomalies = 1});
    ASSERT_EQ(verdict.answer, Answer::violated) << row.name;
    const auto reads_show_it = [&](const BadRead& bad) {
      return implies(anomaly_of(bad.kind), row.id);
    };
    bool is_named = std::ranges::any_of(verdict.evidence, reads_show_it);
    if (verdict.evidence.empty()) {
      const Explanation explanation = explain(history, *verdict.certificate);
      for (const auto& name : {explanation.whole.anomaly, explanation.whole.cycle_class}) {
        is_named = is_named || (name && implies(*name, row.id));
      }
    }
    // The others are no cycles, or have a name of their own only for people.
    named += is_named ? 1 : 0;
    if (row.name.starts_with("G0") || row.name.starts_with("G1") || row.name.starts_with("G2") ||
        row.name.starts_with("G-single") || row.name.starts_with("G-nonadjacent")) {
      EXPECT_TRUE(is_named) << row.name << ": " << verdict_text("example", history, verdict);
    }
  }
  EXPECT_GE(named, 46);
}

TEST(AnomalyReport, EveryNameIsExplained) {
  for (const AnomalyEntry& row : anomalies()) {
    EXPECT_EQ(find_anomaly(row.name), row.id);
    const std::string text = anomaly_text(row.id);
    EXPECT_NE(text.find(row.name), std::string::npos);
    for (const LevelId id : levels_violated_by(row.id)) {
      EXPECT_NE(text.find(name_of(id)), std::string::npos) << row.name;
    }
    EXPECT_NE(anomaly_json(row.id).find("\"example\":"), std::string::npos);
  }
  EXPECT_EQ(find_anomaly("Lost Update"), Anomaly::lost_update);
  EXPECT_EQ(find_anomaly("read-skew"), Anomaly::fractured_read);
  EXPECT_EQ(find_anomaly("lost"), std::nullopt);
}

/// "Rules out A, B and every ..." or "Rules out A." as JSON has it.
std::string weakest_in(const std::string& text) {
  const std::string start = "  Rules out ";
  const std::size_t at = text.find(start);
  if (at == text.npos) return "";
  std::string names = text.substr(at + start.size(), text.find('\n', at) - at - start.size());
  names = names.substr(0, std::min(names.find(" and every level"), names.find('.')));
  std::string json = "[\"";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.compare(i, 2, ", ") == 0) {
      json += "\",\"";
      ++i;
    } else {
      json += names[i];
    }
  }
  return json + "\"]";
}

/// A read from a transaction of unknown outcome is an aborted one where the level allows that
/// transaction no commit, and a weaker level may allow it.
TEST(AnomalyReport, OutcomesThatOnlyTheLevelRulesOutSpeakAgainstNoWeakerLevel) {
  const std::string unrepeatable = "a: T1 w(y,1) | b: T2? r(y,nil) r(y,1) w(x,1) | ";
  const auto weakest = [&](const std::string& rest, LevelId id) {
    const History history = test::history_of(unrepeatable + rest);
    return weakest_in(verdict_text("file", history, check(history, Level{id})));
  };
  EXPECT_EQ(weakest("c: T3 r(x,1)", LevelId::cut_isolation), "[\"cut-isolation\"]");
  EXPECT_EQ(weakest("c: T3 r(x,1)", LevelId::serializable), "[\"cut-isolation\"]");
  EXPECT_EQ(weakest("c: T3? r(x,1) w(z,1) | d: T4 r(z,1)", LevelId::read_atomic),
            "[\"cut-isolation\"]");
  // What T5 did is no matter of T2's outcome.
  EXPECT_EQ(weakest("c: T3 r(x,1) | d: T4 r(z,1) | e: T5! w(z,1)", LevelId::cut_isolation),
            "[\"valid-reads\"]");
  EXPECT_EQ(weakest("c: T3 r(x,1) r(z,9)", LevelId::cut_isolation),
            "[\"valid-reads\",\"read-uncommitted\"]");
}

TEST(AnomalyReport, TextAndJsonHaveTheSameNamesAndLevels) {
  int violated = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(ISOSCOPE_SOURCE_DIR "/tests/litmus")) {
    if (file.path().extension() != ".litmus") continue;
    const auto history =
        read_history(*Source::open(file.path().string()), {.format = Format::litmus});
    ASSERT_TRUE(history) << file.path();
    for (const LevelId id : {LevelId::valid_reads, LevelId::cut_isolation, LevelId::serializable,
                             LevelId::strong_snapshot_isolation}) {
      const Verdict verdict = check(*history, Level{id}, {.anomalies = 1});
      if (verdict.answer != Answer::violated) continue;
      ++violated;
      const std::string text = verdict_text("file", *history, verdict);
      const std::string json = verdict_json("file", *history, verdict);
      const std::string levels = "\"weakest-levels-ruled-out\":" + weakest_in(text) + ",";
      EXPECT_NE(json.find(levels), std::string::npos) << text << json;
      if (verdict.evidence.empty()) {
        const Explanation explanation = explain(*history, *verdict.certificate);
        const auto& name = explanation.whole.anomaly;
        const auto& cycle = explanation.whole.cycle_class;
        const auto quoted = [](const std::optional<Anomaly>& one) {
          return one ? "\"" + std::string(name_of(*one)) + "\"" : "null";
        };
        EXPECT_NE(json.find("\"anomaly\":" + quoted(name) + ",\"cycle-class\":" + quoted(cycle)),
                  std::string::npos)
            << json;
        const std::string_view shown = cycle ? name_of(*cycle) : std::string_view();
        EXPECT_NE(text.find(shown), std::string::npos) << text;
        continue;
      }
      // The first bad read's heading: "Aborted predicate read (G1a): ..."
      std::string heading = text.substr(text.find('\n') + 3);
      heading = heading.substr(0, std::min(heading.find(" ("), heading.find(':')));
      heading[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(heading[0])));
      EXPECT_NE(json.find("\"name\":\"" + heading + "\""), std::string::npos) << text << json;
    }
  }
  EXPECT_GT(violated, 150);
}

}  // namespace
}  // namespace isoscope::report
