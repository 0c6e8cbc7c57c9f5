#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "isoscope/history/format.h"

/// Reads every history that others recorded and published, and compares what is in it with the
/// counts that came with the collection. The files are not part of the project.
namespace isoscope {
namespace {

namespace fs = std::filesystem;

const fs::path histories = ISOSCOPE_HISTORIES_DIR;

struct Counts {
  std::size_t sessions = 0;
  std::size_t committed = 0;
  std::size_t aborted = 0;
  std::size_t operations = 0;  // of committed transactions
  std::size_t keys = 0;        // that committed transactions touch

  bool operator==(const Counts&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.sessions << " sessions, " << counts.committed << " committed, "
             << counts.aborted << " aborted, " << counts.operations << " operations, "
             << counts.keys << " keys";
}

Counts counts_of(const History& history) {
  Counts counts;
  counts.sessions = history.session_count();
  std::vector<bool> touched(history.key_count());
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) ++counts.aborted;
    if (history.outcome(t) != Outcome::committed) continue;
    ++counts.committed;
    for (const Operation& operation : history.operations(t)) {
      ++counts.operations;
      if (operation.is_predicate() || touched[operation.key().index()]) continue;
      touched[operation.key().index()] = true;
      ++counts.keys;
    }
  }
  return counts;
}

/// The table that came with the files: name, sessions, committed, aborted, operations, keys. An
/// empty field is 0.
std::map<std::string, Counts> expected_counts() {
  std::map<std::string, Counts> table;
  std::ifstream file(histories / "counts.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> fields;
    std::stringstream rest(line);
    for (std::string field; std::getline(rest, field, '\t');) fields.push_back(field);
    fields.resize(6);
    const auto number = [&](std::size_t i) {
      return fields[i].empty() ? 0 : std::stoul(fields[i]);
    };
    table[fields[0]] = {number(1), number(2), number(3), number(4), number(5)};
  }
  return table;
}

std::optional<Format> expected_format(const std::string& name) {
  if (name.ends_with(".bincode")) return Format::dbcop_bincode;
  if (name.ends_with(".plume.txt")) return Format::plume;
  if (name.ends_with(".test.txt")) return Format::awdit;
  if (name.ends_with(".edn")) return Format::edn;
  if (name.ends_with(".json")) return Format::elle_json;
  return std::nullopt;
}

/// Every history by its name relative to the collection: files, and folders of logs.
std::map<std::string, Format> all_histories() {
  std::map<std::string, Format> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(histories)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), histories).string();
    if (name.ends_with(".log")) {
      all[fs::path(name).parent_path().string()] = Format::cobra;
    } else if (const std::optional<Format> format = expected_format(name)) {
      all[name] = *format;
    }
  }
  return all;
}

/// The history, read without being told its format.
std::optional<History> read_checked(const std::string& name, Format expected) {
  const Result<Source> source = Source::open((histories / name).string());
  if (!source) {
    ADD_FAILURE() << source.error().text();
    return std::nullopt;
  }
  const Result<Format> format = recognise_format(*source);
  if (!format) {
    ADD_FAILURE() << format.error().text();
    return std::nullopt;
  }
  EXPECT_EQ(name_of(*format), name_of(expected)) << name;
  Result<History> history = read_history(*source);
  if (!history) {
    ADD_FAILURE() << history.error().text();
    return std::nullopt;
  }
  return *std::move(history);
}

class SharedHistories : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(histories)) GTEST_SKIP() << "no recorded histories in " << histories;
  }

  /// Reads all histories of a format and compares their counts; returns how many there were.
  std::size_t check_all(Format format) {
    const std::map<std::string, Counts> table = expected_counts();
    std::size_t checked = 0;
    for (const auto& [name, expected] : all_histories()) {
      if (expected != format) continue;
      ++checked;
      const std::optional<History> history = read_checked(name, expected);
      if (!history) continue;
      const auto counts = table.find(name);
      if (counts == table.end()) {
        EXPECT_GT(history->transaction_count(), 0u) << name;
      } else {
        EXPECT_EQ(counts_of(*history), counts->second) << name;
      }
    }
    return checked;
  }
};

TEST_F(SharedHistories, EveryRowOfTheTableIsThere) {
  const std::map<std::string, Format> all = all_histories();
  for (const auto& [name, counts] : expected_counts()) EXPECT_TRUE(all.contains(name)) << name;
}

TEST_F(SharedHistories, Bincode) { EXPECT_EQ(check_all(Format::dbcop_bincode), 145u); }
TEST_F(SharedHistories, Cobra) { EXPECT_EQ(check_all(Format::cobra), 5u); }
TEST_F(SharedHistories, Plume) { EXPECT_EQ(check_all(Format::plume), 3u); }
TEST_F(SharedHistories, Awdit) { EXPECT_EQ(check_all(Format::awdit), 4u); }
TEST_F(SharedHistories, Edn) { EXPECT_EQ(check_all(Format::edn), 4u); }
TEST_F(SharedHistories, ElleJson) { EXPECT_EQ(check_all(Format::elle_json), 2u); }

TEST_F(SharedHistories, BincodeIsWrittenAsItWasRead) {
  std::size_t same = 0;
  std::size_t shorter = 0;
  for (const auto& [name, format] : all_histories()) {
    if (format != Format::dbcop_bincode) continue;
    const std::optional<History> history = read_checked(name, format);
    ASSERT_TRUE(history);
    const Result<std::string> written = format_history(*history, format);
    ASSERT_TRUE(written) << written.error().text();
    std::ifstream file(histories / name, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    // Failed events, 18 bytes each, are what is not kept.
    if (*written == bytes.str()) {
      ++same;
    } else {
      ++shorter;
      EXPECT_EQ((bytes.str().size() - written->size()) % 18, 0u) << name;
      EXPECT_LT(written->size(), bytes.str().size()) << name;
    }
  }
  EXPECT_EQ(same + shorter, 145u);
  EXPECT_GT(same, 0u);
}

TEST_F(SharedHistories, PlumeReconcilesTheDialects) {
  const auto counts = [](const std::string& name) {
    const std::optional<History> history = read_checked(name, Format::plume);
    return history ? counts_of(*history) : Counts{};
  };
  EXPECT_EQ(counts("bugs/galera-lost-update.plume.txt"), (Counts{2, 7, 0, 14, 1}));
  EXPECT_EQ(counts("bugs/postgres-ssi-bug.plume.txt"), (Counts{20, 20, 0, 40, 10}))
      << "the initial transaction is no transaction";
  EXPECT_EQ(counts("bugs/yugabyte-fractured.plume.txt"), (Counts{2, 20, 0, 200, 20}))
      << "transaction 0 of session 0 reads, and is one";
}

}  // namespace
}  // namespace isoscope
