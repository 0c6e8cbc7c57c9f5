// docs/level-language.md is held to the code: its levels and examples are read, and written as the
// formatter would; every operator and limit it names is there.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isoscope/base/caret_text.h"
#include "isoscope/spec/level_text.h"
#include "spec/lexer.h"
#include "spec/resolve.h"
#include "spec/syntax.h"

namespace isoscope::spec {
namespace {

std::vector<std::string> page() {
  std::ifstream file(std::string(ISOSCOPE_SOURCE_DIR) + "/docs/level-language.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> blocks(const std::string& language) {
  std::vector<std::string> result;
  bool inside = false;
  for (const std::string& line : page()) {
    if (line == "```" + language) {
      inside = true;
      result.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      result.back() += line + "\n";
    }
  }
  return result;
}

TEST(LevelLanguagePage, LevelsAreReadAndInHouseStyle) {
  const std::vector<std::string> levels = blocks("level");
  EXPECT_EQ(levels.size(), 4u);
  for (const std::string& level : levels) {
    const Result<Definition> read = read_definition({"page", level}, find_shipped);
    EXPECT_TRUE(read) << caret_text(read.error(), level);
    const Result<std::string> formatted = format_level({"page", level});
    ASSERT_TRUE(formatted);
    EXPECT_EQ(*formatted, level);
  }
  const std::vector<std::string> formulas = blocks("formula");
  ASSERT_EQ(formulas.size(), 1u);
  const Result<Definition> formula = read_formula({"page", formulas[0]}, find_shipped);
  EXPECT_TRUE(formula) << caret_text(formula.error(), formulas[0]);
}

/// The cells of a row, with the backslashes before bars gone.
std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result = {""};
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      result.back() += row[++i];
    } else if (row[i] == '|') {
      result.emplace_back();
    } else {
      result.back() += row[i];
    }
  }
  result.pop_back();
  return result;
}

TEST(LevelLanguagePage, ExamplesAreRead) {
  bool in_table = false;
  int examples = 0;
  for (const std::string& line : page()) {
    if (line.empty() || line[0] != '|') {
      in_table = false;
      continue;
    }
    const std::vector<std::string> row = cells(line);
    if (row.size() == 3 && row[2] == " example ") {
      in_table = true;
      continue;
    }
    if (!in_table || line.starts_with("|---")) continue;
    const std::string& cell = row.back();
    const std::string example = cell.substr(2, cell.size() - 4);  // between ` and `
    const std::string text =
        "witness co : total order\nwitness vis : relation\nwitness vo : version order\naxiom a: " +
        example + "\n";
    const Result<Definition> read = read_definition({"page", text}, find_shipped);
    EXPECT_TRUE(read) << caret_text(read.error(), text);
    const Result<std::string> formatted = format_level({"page", text});
    if (formatted) {
      EXPECT_EQ(*formatted, text);
    }
    ++examples;
  }
  EXPECT_EQ(examples, 37);
}

TEST(LevelLanguagePage, NamesReservedWordsAndLimits) {
  std::string all;
  for (const std::string& line : page()) all += line + "\n";
  const std::size_t start = all.find("name       = word, but none of: ");
  ASSERT_NE(start, all.npos);
  std::istringstream words(all.substr(start + 32, all.find(';', start) - start - 32));
  int count = 0;
  for (std::string word; words >> word; ++count) EXPECT_TRUE(is_reserved(word)) << word;
  EXPECT_EQ(count, 29);
  EXPECT_NE(all.find(std::to_string(max_nesting) + " deep"), all.npos);
  EXPECT_NE(all.find("or " + std::to_string(Resolver::max_height) + " with"), all.npos);
  EXPECT_NE(all.find(std::to_string(Resolver::max_binders) + " deep"), all.npos);
  EXPECT_NE(all.find(std::to_string(Resolver::max_size)), all.npos);
}

}  // namespace
}  // namespace isoscope::spec
