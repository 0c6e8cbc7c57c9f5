// Histories that others recorded or made up, of which it is known at which weak levels they are.
// The files are not part of the project. Every certificate is confirmed.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "check/strong_case.h"

namespace isoscope {
namespace {

namespace fs = std::filesystem;

const fs::path histories = ISOSCOPE_HISTORIES_DIR;

/// AWDIT's levels, the weakest first.
constexpr std::array awdit_levels = {LevelId::read_committed, LevelId::read_atomic,
                                     LevelId::causal};

History history_from(const Source& source, Format format) {
  Result<History> history = read_history(source, {.format = format});
  EXPECT_TRUE(history) << history.error().text();
  return history ? *std::move(history) : History();
}

/// At every one of AWDIT's levels: those before the strongest one hold, too, and the others are
/// violated.
void expect_strongest(const History& history, std::size_t levels_that_hold) {
  for (std::size_t i = 0; i < awdit_levels.size(); ++i) {
    EXPECT_EQ(test::confirmed_answer(history, {awdit_levels[i]}),
              test::answer_of(i < levels_that_hold))
        << name_of(awdit_levels[i]);
  }
}

/// How many of awdit_levels hold by what a path says. "holds-read-atomic.test.txt" is at that level
/// and no stronger one, and so is all in AWDIT's own folder "read-atomic".
std::optional<std::size_t> levels_claimed(const fs::path& path) {
  std::vector<std::string> words = {path.filename().string()};
  if (words[0].starts_with("holds-")) words[0].erase(0, 6);
  for (const fs::path& folder : path.parent_path()) words.push_back(folder.string());
  for (const std::string& word : words) {
    if (word.starts_with("none")) return 0;
    for (std::size_t i = 0; i < awdit_levels.size(); ++i) {
      if (word.starts_with(name_of(awdit_levels[i]))) return i + 1;
    }
  }
  return std::nullopt;
}

class WeakSharedHistories : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(histories)) GTEST_SKIP() << "no recorded histories in " << histories;
  }
};

TEST_F(WeakSharedHistories, AwditsTestsAreAtTheLevelOfTheirName) {
  std::size_t judged = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(histories / "awdit")) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path());
    const auto claimed = levels_claimed(fs::relative(entry.path(), histories / "awdit"));
    ASSERT_TRUE(claimed) << "the name says no level";
    const Result<Source> source = Source::open(entry.path().string());
    ASSERT_TRUE(source);
    expect_strongest(history_from(*source, Format::awdit), *claimed);
    ++judged;
  }
  EXPECT_GE(judged, 4u);
}

/// Its columns are file, database, transactions, anomalies of reads, and then the levels.
TEST_F(WeakSharedHistories, TheTableOfDbcop) {
  std::ifstream file(histories / "dbcop-verdicts.tsv");
  const auto next_row = [&] {
    std::vector<std::string> fields;
    std::string line;
    std::getline(file, line);
    std::stringstream rest(line);
    for (std::string field; std::getline(rest, field, '\t');) fields.push_back(field);
    return fields;
  };
  const std::vector<std::string> columns = next_row();
  std::size_t judged = 0;
  for (auto row = next_row(); row.size() == columns.size(); row = next_row()) {
    const Result<Source> source = Source::open((histories / row[0]).string());
    ASSERT_TRUE(source);
    const History history = history_from(*source, Format::dbcop_bincode);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const LevelId level : awdit_levels) {
        if (columns[i] != name_of(level)) continue;
        ++judged;
        EXPECT_EQ(test::confirmed_answer(history, {level}), test::answer_of(row[i] == "holds"))
            << row[0] << " " << name_of(level);
      }
    }
  }
  EXPECT_EQ(judged, 3 * 127u);
}

/// AWDIT has no edge from the initial state to the transactions, and accepts this at every level.
/// But the initial value was overwritten by the reader's own session.
TEST(WeakInitialReads, ComeBeforeTheWritesOfTheirSession) {
  const Source source = Source::from_memory({}, "w(0,1,0,1)\nr(0,0,0,2)\n");
  expect_strongest(history_from(source, Format::plume), 1);
}

}  // namespace
}  // namespace isoscope
