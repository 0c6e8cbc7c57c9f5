#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 sees uninitialised memory in <regex> when it compiles for the sanitizers.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "isoscope/report/levels_report.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <vector>

#include "draw/well_formed.h"
#include "golden.h"
#include "isoscope/base/json_reader.h"
#include "isoscope/base/source.h"
#include "isoscope/draw/text_width.h"

namespace isoscope {
namespace {

void expect_no_line_over_100(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

TEST(LevelsReport, TextIsAsAgreed) {
  const std::string text = report::levels_text();
  expect_no_line_over_100(text);
  for (const LevelEntry& row : levels()) {
    EXPECT_NE(text.find("\n" + std::string(row.name) + " "), std::string::npos) << row.name;
  }
  expect_golden("tests/report/levels.txt", text);
}

TEST(LevelsReport, PictureIsAsAgreed) {
  const std::string svg = report::levels_svg();
  EXPECT_EQ(xml_problem(svg), "");
  for (const LevelEntry& row : levels()) {
    EXPECT_NE(svg.find(">" + std::string(row.name) + "</text>"), std::string::npos) << row.name;
  }
  EXPECT_EQ(svg, report::levels_svg());
  expect_golden("tests/report/levels.svg", svg);
}

TEST(LevelsReport, BoxesOfThePictureHoldTheirLabelsAndDoNotOverlap) {
  struct Box {
    int x, y, width, height;
  };
  std::vector<Box> boxes;
  const std::string svg = report::levels_svg();
  const std::regex node(
      "<rect x=\"(\\d+)\" y=\"(\\d+)\" width=\"(\\d+)\" height=\"(\\d+)\" rx=\"7\"[^\n]*\n"
      "<text class=\"label\" x=\"(\\d+)\" y=\"(\\d+)\">([^<]*)<");
  for (std::sregex_iterator i(svg.begin(), svg.end(), node); i != std::sregex_iterator(); ++i) {
    const auto number = [&](std::size_t group) { return std::stoi((*i)[group]); };
    const Box box{number(1), number(2), number(3), number(4)};
    const int half_label = text_width((*i)[7].str(), 13) / 2 + 1;
    EXPECT_LT(box.x, number(5) - half_label);
    EXPECT_GT(box.x + box.width, number(5) + half_label);
    for (const Box& other : boxes) {
      const bool apart = box.x + box.width < other.x || other.x + other.width < box.x ||
                         box.y + box.height < other.y || other.y + other.height < box.y;
      EXPECT_TRUE(apart) << (*i)[7];
    }
    boxes.push_back(box);
  }
  EXPECT_EQ(boxes.size(), level_count);
}

TEST(LevelsReport, OneLevelIsExplained) {
  const std::string text = report::level_text(Level{LevelId::snapshot_isolation});
  expect_golden("tests/report/level-snapshot-isolation.txt", text);
  for (const LevelEntry& row : levels()) {
    for (const bool session_order : {true, false}) {
      const std::string any = report::level_text(Level{row.id, session_order});
      expect_no_line_over_100(any);
      EXPECT_TRUE(any.starts_with(text_of(Level{row.id, session_order}))) << any;
    }
  }
}

TEST(LevelsReport, JsonOfTheCatalogueHasEveryLevelAndAnomaly) {
  const std::string json = report::levels_json();
  auto bytes = Source::from_memory("levels", json).open_file(0);
  ASSERT_TRUE(bytes);
  JsonReader reader(*bytes);
  EXPECT_TRUE(reader.skip_value() && reader.expect_end());
  EXPECT_TRUE(json.starts_with("{\"isoscope-levels\":2,"));
  for (const LevelEntry& row : levels()) {
    std::string one = report::level_json(Level{row.id});
    one.pop_back();  // the newline
    const std::string head = "{\"isoscope-level\":1,";
    ASSERT_TRUE(one.starts_with(head));
    one.replace(0, head.size(), "{");
    EXPECT_NE(json.find(one), std::string::npos) << row.name;
  }
  for (const AnomalyEntry& row : anomalies()) {
    EXPECT_NE(json.find("{\"name\":\"" + std::string(row.name) + "\",\"description\":"),
              std::string::npos)
        << row.name;
  }
}

TEST(LevelsReport, JsonOfOneLevelIsAsAgreed) {
  expect_golden("tests/report/level-snapshot-isolation.json",
                report::level_json(Level{LevelId::snapshot_isolation}));
  const std::string plain = report::level_json(Level{LevelId::serializable, false});
  EXPECT_NE(plain.find("\"session_order\":false"), std::string::npos);
  EXPECT_EQ(plain.find("\"monotonic-reads\""), std::string::npos);
}

}  // namespace
}  // namespace isoscope
