#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "isoscope/check/check.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/format.h"

namespace isoscope {
namespace {

const std::string folder = ISOSCOPE_HISTORIES_DIR;

#define SKIP_WITHOUT_HISTORIES()        \
  if (!std::filesystem::exists(folder)) \
  GTEST_SKIP() << "the recorded histories are not there: " << folder

History read(const std::string& file) {
  const auto source = Source::open(folder + "/" + file);
  if (!source) throw std::runtime_error(source.error().text());
  auto history = read_history(*source);
  if (!history) throw std::runtime_error(history.error().text());
  return *std::move(history);
}

Answer answer(const History& history, LevelId level) { return check(history, Level{level}).answer; }

std::set<ReadFinding> kinds(const History& history) {
  std::set<ReadFinding> found;
  for (const BadRead& finding : first_pass(history).findings) found.insert(finding.kind);
  return found;
}

/// The table's rows by file: columns by name.
std::map<std::string, std::map<std::string, std::string>> verdict_table() {
  std::ifstream file(folder + "/dbcop-verdicts.tsv");
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');) result.push_back(cell);
    return result;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells(line);
  std::map<std::string, std::map<std::string, std::string>> table;
  while (std::getline(file, line)) {
    const std::vector<std::string> row = cells(line);
    for (std::size_t i = 1; i < row.size(); ++i) table[row[0]][names[i]] = row[i];
  }
  return table;
}

TEST(FirstPassCorpus, FindsExactlyWhatTheDbcopTableSays) {
  SKIP_WITHOUT_HISTORIES();
  const auto table = verdict_table();
  ASSERT_EQ(table.size(), 127u);
  std::size_t with_findings = 0;
  for (const auto& [file, row] : table) {
    std::set<ReadFinding> expected;
    std::istringstream names(row.at("read_anomalies"));
    for (std::string name; std::getline(names, name, ',');) {
      ASSERT_TRUE(name == "INT" || name == "NRR") << file << ": " << name;
      expected.insert(name == "INT" ? ReadFinding::internal_inconsistency
                                    : ReadFinding::non_repeatable_read);
    }
    with_findings += !expected.empty();
    const History history = read(file);
    EXPECT_EQ(kinds(history), expected) << file;
    const bool internal = expected.contains(ReadFinding::internal_inconsistency);
    EXPECT_EQ(answer(history, LevelId::valid_reads), internal ? Answer::violated : Answer::holds)
        << file;
    EXPECT_EQ(answer(history, LevelId::cut_isolation),
              expected.empty() ? Answer::holds : Answer::violated)
        << file;
    // Wherever the table says a level holds, nothing may be said against it.
    for (const char* level :
         {"read-committed", "read-atomic", "causal", "snapshot-isolation", "serializable"}) {
      if (row.at(level) == "holds") {
        EXPECT_NE(check(history, *find_level(level)).answer, Answer::violated)
            << file << " " << level;
      }
    }
  }
  EXPECT_EQ(with_findings, 18u);
}

TEST(FirstPassCorpus, TheFamousBugsAreNotBadReads) {
  SKIP_WITHOUT_HISTORIES();
  for (const char* file :
       {"bugs/cockroach-G2", "bugs/dgraph-causal.bincode", "bugs/galera-lost-update.plume.txt",
        "bugs/postgres-ssi-bug.plume.txt", "bugs/yugabyte-fractured.plume.txt",
        "elle/paper-example.edn", "elle/huge-scc.edn", "elle/si-without-g-single.edn"}) {
    const History history = read(file);
    EXPECT_EQ(kinds(history), std::set<ReadFinding>()) << file;
    EXPECT_EQ(answer(history, LevelId::cut_isolation), Answer::holds) << file;
  }
}

TEST(FirstPassCorpus, SmallCases) {
  SKIP_WITHOUT_HISTORIES();
  // Process 0 reads 3, and only 2 is ever written.
  EXPECT_EQ(kinds(read("elle/rw-register.edn")), std::set({ReadFinding::thin_air_read}));
  EXPECT_EQ(kinds(read("awdit/holds-read-committed.test.txt")),
            std::set({ReadFinding::non_repeatable_read}));
  EXPECT_EQ(kinds(read("awdit/holds-read-atomic.test.txt")), std::set<ReadFinding>());
}

TEST(FirstPassCorpus, LargeRecordedHistoriesAreClean) {
  SKIP_WITHOUT_HISTORIES();
  std::size_t files = 0;
  for (const char* part : {"veristrong/duplicates-10k", "veristrong/blindw-rw", "veristrong/si"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/" + part)) {
      const History history = read(std::string(part) + "/" + entry.path().filename().string());
      EXPECT_EQ(answer(history, LevelId::cut_isolation), Answer::holds) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 10u);
}

}  // namespace
}  // namespace isoscope
