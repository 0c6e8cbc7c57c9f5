#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "check/finding_text.h"

namespace isoscope {
namespace {

/// The examples of docs/first-pass.md by the heading they stand under.
std::map<std::string, std::vector<std::string>> documented_examples() {
  std::ifstream file(ISOSCOPE_SOURCE_DIR "/docs/first-pass.md");
  std::map<std::string, std::vector<std::string>> examples;
  std::string heading;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line == "```") {
      inside = !inside;
    } else if (inside) {
      // The document has each example on one line.
      if (const auto slash = line.find(" / "); slash != std::string::npos)
        line.replace(slash, 3, "\n");
      examples[heading].push_back(line);
    }
  }
  return examples;
}

TEST(FirstPassDocument, EveryExampleShowsWhatItsHeadingSays) {
  const auto examples = documented_examples();
  std::size_t seen = 0;
  for (const auto& [heading, lines] : examples) {
    for (const std::string& line : lines) {
      std::set<std::string> kinds;
      for (const BadRead& finding : first_pass(test::litmus(line)).findings) {
        kinds.insert(std::string(name_of(finding.kind)));
      }
      if (heading == "nothing wrong") {
        EXPECT_TRUE(kinds.empty()) << line;
      } else if (heading == "Indeterminate transactions") {
        EXPECT_EQ(kinds, std::set<std::string>({"aborted read"})) << line;
      } else {
        EXPECT_EQ(kinds, std::set<std::string>({heading})) << line;
      }
      ++seen;
    }
  }
  EXPECT_EQ(examples.size(), read_finding_count + 2);
  EXPECT_GT(seen, 20u);
}

}  // namespace
}  // namespace isoscope
