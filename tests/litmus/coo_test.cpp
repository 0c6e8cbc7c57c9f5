// The schedules of the Coo catalogue of anomalies as histories (docs/coo-anomalies.md). That each
// is at the levels its path says is tried with the rest of the corpus, in litmus_test.cpp; here,
// that none is missing, that each names its anomaly, and that the document says the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litmus/corpus.h"
#include "reference/reference_checker.h"

namespace isoscope::litmus {
namespace {

/// The catalogue's names: which class, on how many objects, what.
constexpr std::array<std::string_view, 54> schedules = {
    "rat_sda_dirty_read",
    "rat_sda_non_repeatable_read",
    "rat_sda_intermediate_read",
    "rat_sda_intermediate_read_committed",
    "rat_sda_non_repeatable_read_predicate_based-phantom_delete",
    "rat_sda_non_repeatable_read_predicate_based-phantom_insert",
    "rat_sda_lost_self_update",
    "rat_dda_write_read_skew",
    "rat_dda_write_read_skew_committed",
    "rat_dda_double_write_skew1",
    "rat_dda_double_write_skew1_committed",
    "rat_dda_double_write_skew2",
    "rat_dda_read_skew",
    "rat_dda_read_skew_predicate_based_delete",
    "rat_dda_read_skew_predicate_based_insert",
    "rat_dda_read_skew2",
    "rat_dda_read_skew2_committed",
    "rat_mda_step_rat",
    "rat_mda_step_rat_long_fork",
    "rat_mda_step_rat_predicate_based_delete",
    "rat_mda_step_rat_predicate_based_insert",
    "wat_sda_dirty_write_1abort",
    "wat_sda_dirty_write_2commit",
    "wat_sda_full_write",
    "wat_sda_full_write_committed",
    "wat_sda_lost_update_c1",
    "wat_sda_lost_update_c2",
    "wat_sda_lost_self_update_committed",
    "wat_dda_double_write_skew2_committed",
    "wat_dda_full_write_skew_c1",
    "wat_dda_full_write_skew_c2",
    "wat_dda_full_write_skew_committed",
    "wat_dda_read_write_skew1_c1",
    "wat_dda_read_write_skew1_c2",
    "wat_dda_read_write_skew2_c1",
    "wat_dda_read_write_skew2_c2",
    "wat_dda_read_write_skew2_committed",
    "wat_mda_step_wat_c1",
    "wat_mda_step_wat_c2",
    "iat_sda_non_repeatable_read_committed",
    "iat_sda_lost_update_committed",
    "iat_dda_read_skew_committed",
    "iat_dda_read_write_skew1_committed",
    "iat_dda_write_skew",
    "iat_dda_write_skew_predicate_based-intersecting_data",
    "iat_dda_write_skew_predicate_based-overdraft_protection",
    "iat_dda_write_skew_committed",
    "iat_mda_step_iat",
    "iat_mda_step_iat_predicate_based_delete",
    "iat_mda_step_iat_predicate_based_insert",
    "iat_mda_step_iat_uname_anomaly",
    "iat_mda_step_iat_cross_phenomenon",
    "iat_mda_step_iat_causality_violation_anomaly",
    "iat_mda_step_iat_read_only_transaction_anomaly",
};

/// Further histories in the same folder.
constexpr std::array<std::string_view, 1> others = {"vbox-figure-1"};

const Level serializable{LevelId::serializable};
const Level strict{LevelId::strict_serializable};

std::vector<Case> coo() {
  std::vector<Case> cases = corpus();
  std::erase_if(cases, [](const Case& c) { return c.parts.front() != "coo"; });
  return cases;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The word after "Anomaly:", of which a file has one.
std::string named_anomaly(const Case& c) {
  static const std::regex line("\n# Anomaly: ([A-Za-z0-9-]+)");
  const std::string text = text_of_file(c.path());
  std::smatch match;
  return std::regex_search(text, match, line) ? match[1].str() : "";
}

History parse(const std::string& text) {
  auto history = read_history(Source::from_memory("variant", text), {.format = Format::litmus});
  if (!history) throw std::runtime_error(history.error().text());
  return *std::move(history);
}

/// How clients can tell that something is wrong.
enum class Seen { by_values, by_time, never };

Seen seen(const Case& c) {
  if (c.at(serializable) == false) return Seen::by_values;
  return c.at(strict) == false ? Seen::by_time : Seen::never;
}

TEST(Coo, EveryScheduleHasOneHistory) {
  std::multiset<std::string> found;
  for (const Case& c : coo()) found.insert(c.parts.back());
  std::multiset<std::string> expected(schedules.begin(), schedules.end());
  expected.insert(others.begin(), others.end());
  EXPECT_EQ(found, expected);
}

TEST(Coo, EveryFileNamesAnAnomalyThatAllLevelsItSatisfiesAllow) {
  for (const Case& c : coo()) {
    const std::string name = named_anomaly(c);
    ASSERT_FALSE(name.empty()) << c.name;
    if (seen(c) == Seen::never) {
      EXPECT_EQ(name, "none") << c.name;
      EXPECT_NE(text_of_file(c.path()).find("not observable by clients"), std::string::npos);
      continue;
    }
    const Anomaly anomaly = path::anomaly(name);
    std::size_t forbidding = 0;
    for (const LevelEntry& row : levels()) {
      const Level level{row.id};
      if (!forbids(level, anomaly)) continue;
      ++forbidding;
      EXPECT_EQ(c.at(level), false) << c.name << " is at " << row.name << ", without " << name;
    }
    EXPECT_GE(forbidding, 1u) << name;
  }
}

TEST(Coo, TimesAreThereOnlyWhereValuesDoNotTell) {
  static const std::regex times("@[0-9]+\\.\\.[0-9]+");
  int by_time = 0;
  for (const Case& c : coo()) {
    EXPECT_EQ(c.read().has_times(), seen(c) != Seen::by_values) << c.name;
    if (seen(c) != Seen::by_time) continue;
    ++by_time;
    const std::string without_times = std::regex_replace(text_of_file(c.path()), times, "");
    EXPECT_TRUE(reference::satisfies(parse(without_times), strict)) << c.name;
  }
  EXPECT_GT(by_time, 3);
}

// Where nothing is wrong with the value that was read in the end, nothing would be with the other.
TEST(Coo, WhatClientsCannotObserveTheyCannotWhicheverValueStays) {
  const std::map<std::string, std::vector<std::string>> left = {
      {"wat_sda_dirty_write_2commit", {"1", "2"}},
      {"wat_sda_full_write", {"2", "3"}},
      {"wat_sda_full_write_committed", {"2", "3"}},
  };
  static const std::regex last_read("rp\\(true, \\{x:[0-9]+\\}\\)");
  std::size_t tried = 0;
  for (const Case& c : coo()) {
    if (seen(c) != Seen::never) continue;
    const std::string text = text_of_file(c.path());
    for (const std::string& value : left.at(c.parts.back())) {
      const std::string read = "rp(true, {x:" + value + "})";
      EXPECT_TRUE(reference::satisfies(parse(std::regex_replace(text, last_read, read)), strict))
          << c.name << " " << value;
      ++tried;
    }
  }
  EXPECT_EQ(tried, 6u);
}

// The catalogue files the forms of a schedule under different classes; to clients they are the
// same.
TEST(Coo, WhoCommitsFirstMakesNoDifference) {
  static const std::regex form("^(rat|wat|iat)_|_(c1|c2|committed)$");
  std::map<std::string, std::vector<Case>> forms;
  for (const Case& c : coo()) {
    forms[std::regex_replace(c.parts.back(), form, "")].push_back(c);
  }
  std::size_t compared = 0;
  for (const auto& [name, cases] : forms) {
    for (const Case& c : cases) {
      EXPECT_EQ(c.parts[1], cases.front().parts[1]) << name;
      EXPECT_EQ(named_anomaly(c), named_anomaly(cases.front())) << name;
    }
    compared += cases.size() - 1;
  }
  EXPECT_EQ(compared, 19u);
}

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text.empty() ? "-" : text;
}

/// The strongest of the levels between transactions that the history is at.
std::vector<std::string> strongest_satisfied(const Case& c) {
  std::vector<LevelId> satisfied;
  for (const LevelEntry& row : levels()) {
    if (row.kind == LevelKind::transactional && c.at({row.id}) == true) satisfied.push_back(row.id);
  }
  std::vector<std::string> names;
  for (const LevelId id : satisfied) {
    const bool below = std::ranges::any_of(
        satisfied, [&](LevelId other) { return other != id && implies(other, id); });
    if (!below) names.emplace_back(name_of(id));
  }
  return names;
}

/// The case as a row of the document's table.
std::string table_row(const Case& c) {
  const std::map<Seen, std::string> words = {
      {Seen::by_values, "yes"}, {Seen::by_time, "by time"}, {Seen::never, "no"}};
  std::vector<std::string> violated;
  for (const Level level : c.violated) violated.emplace_back(name_of(level.id));
  return "| `" + c.parts.back() + "` | " + named_anomaly(c) + " | " + quoted(violated) + " | " +
         quoted(strongest_satisfied(c)) + " | " + words.at(seen(c)) + " |\n";
}

TEST(Coo, TheDocumentSaysTheSame) {
  const std::filesystem::path docs = std::filesystem::path(ISOSCOPE_SOURCE_DIR) / "docs";
  const std::string document = text_of_file(docs / "coo-anomalies.md");
  std::map<std::string, std::map<Seen, int>> counts;  // by class
  for (const Case& c : coo()) {
    EXPECT_NE(document.find(table_row(c)), std::string::npos) << "missing:\n" << table_row(c);
    ++counts[c.parts.back().substr(0, 3)][seen(c)];
  }
  for (const auto& [name, title] : {std::pair{"rat", "RAT"}, {"wat", "WAT"}, {"iat", "IAT"}}) {
    std::map<Seen, int>& count = counts[name];
    const int all = count[Seen::by_values] + count[Seen::by_time] + count[Seen::never];
    const std::string row = std::string("| ") + title + " | " + std::to_string(all) + " | " +
                            std::to_string(count[Seen::by_values]) + " | " +
                            std::to_string(count[Seen::by_time]) + " | " +
                            std::to_string(count[Seen::never]) + " |\n";
    EXPECT_NE(document.find(row), std::string::npos) << "missing:\n" << row;
  }
}

}  // namespace
}  // namespace isoscope::litmus
