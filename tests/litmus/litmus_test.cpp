#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "isoscope/history/litmus_text.h"
#include "litmus/corpus.h"
#include "reference/reference_checker.h"

namespace isoscope::litmus {
namespace {

/// Anomalies that are about something no history records. docs/litmus-corpus.md says why.
const std::set<Anomaly> not_observable = {Anomaly::g_sia};

/// At which of all_levels() the reference finds the history.
std::vector<bool> verdicts(const History& history) {
  return reference::satisfied(history, all_levels());
}

/// Is the history what the path says?
bool is_as_claimed(const Case& c, const History& history) {
  std::vector<Level> asked = c.satisfied;
  asked.insert(asked.end(), c.violated.begin(), c.violated.end());
  const std::vector<bool> found = reference::satisfied(history, asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (found[i] != (i < c.satisfied.size())) return false;
  }
  return true;
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

class Litmus : public testing::TestWithParam<Case> {};

TEST_P(Litmus, IsAtTheLevelsThatItsPathSays) {
  const std::vector<Level> levels = all_levels();
  const std::vector<bool> found = verdicts(GetParam().read());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto expected = GetParam().at(levels[i]);
    if (expected) {
      EXPECT_EQ(found[i], *expected) << text_of(levels[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Litmus, testing::ValuesIn(corpus()), test_name);

TEST(LitmusCorpus, EveryFileBeginsWithItsReason) {
  for (const Case& c : corpus()) {
    std::ifstream file(c.path());
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line) && line.starts_with("# "); ++lines) {
      EXPECT_LE(line.size(), 100u) << c.name;
    }
    EXPECT_GE(lines, 1u) << c.name;
    EXPECT_LE(lines, 4u) << c.name;
  }
}

/// The history in litmus notation without some operations. A transaction that has none left is left
/// out. (Cases that must be minimal have no initial line: this would lose it.)
std::string without(const History& history, std::span<const Operation> dropped) {
  const auto time = [](std::optional<std::int64_t> t) { return t ? std::to_string(*t) : ""; };
  std::string text;
  for (const SessionId session : history.sessions()) {
    std::string transactions;
    for (const TransactionId t : history.session(session)) {
      std::string operations;
      for (const Operation& operation : history.operations(t)) {
        const bool stays =
            &operation < dropped.data() || &operation >= dropped.data() + dropped.size();
        if (stays) operations += " " + operation_text(history, operation);
      }
      if (operations.empty()) continue;
      if (!transactions.empty()) transactions += " ; ";
      transactions += history.label(t);
      if (history.outcome(t) != Outcome::committed) {
        transactions += history.outcome(t) == Outcome::aborted ? "!" : "?";
      }
      if (history.has_times()) {
        transactions += "@" + time(history.begin_time(t)) + ".." + time(history.end_time(t));
      }
      transactions += operations;
    }
    if (!transactions.empty()) text += transactions + "\n";
  }
  return text;
}

History parse(const std::string& text) {
  auto history = read_history(Source::from_memory("part", text), {.format = Format::litmus});
  if (!history) throw std::runtime_error(history.error().text());
  return *std::move(history);
}

TEST(LitmusCorpus, HistoriesThatTellTwoLevelsApartAreMinimal) {
  int tried = 0;
  for (const Case& c : corpus()) {
    const bool two = c.kind == Kind::boundary || c.kind == Kind::incomparable;
    if (!two && c.kind != Kind::session_order) continue;
    ++tried;
    const History history = c.read();
    EXPECT_TRUE(history.initial_rows().empty()) << c.name;
    EXPECT_TRUE(is_as_claimed(c, parse(without(history, {})))) << c.name;
    const auto expect_needed = [&](std::span<const Operation> operations) {
      const std::string smaller = without(history, operations);
      EXPECT_TRUE(smaller.empty() || !is_as_claimed(c, parse(smaller)))
          << c.name << " can be smaller:\n"
          << smaller;
    };
    for (const TransactionId t : history.transactions()) {
      const std::span<const Operation> operations = history.operations(t);
      expect_needed(operations);
      for (std::size_t i = 0; i < operations.size(); ++i) expect_needed(operations.subspan(i, 1));
    }
  }
  EXPECT_GE(tried, 53) << "one for each boundary of the catalogue";
}

/// The corpus as the reference judges it.
struct Judged {
  std::vector<Level> levels = all_levels();
  std::vector<Case> cases = corpus();
  std::vector<std::vector<bool>> found;  // by case and level

  Judged() {
    for (const Case& c : cases) found.push_back(verdicts(c.read()));
  }

  template <class Condition>
  bool some_case(const Condition& condition) const {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (condition(cases[i], found[i])) return true;
    }
    return false;
  }
};

TEST(LitmusCorpus, TellsEveryTwoLevelsApart) {
  const Judged judged;
  const std::vector<Level>& levels = judged.levels;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = 0; b < levels.size(); ++b) {
      if (implies(levels[a], levels[b])) continue;
      const auto separates = [&](const Case&, const auto& found) { return found[a] && !found[b]; };
      EXPECT_TRUE(judged.some_case(separates))
          << "no history is at " << text_of(levels[a]) << " and not at " << text_of(levels[b]);
    }
  }
}

TEST(LitmusCorpus, CatchesWhoeverDecidesAnotherLevelThanHeSays) {
  const Judged judged;
  const std::vector<Level>& levels = judged.levels;
  for (const Level claimed : levels) {
    for (std::size_t other = 0; other < levels.size(); ++other) {
      if (implies(claimed, levels[other]) && implies(levels[other], claimed)) continue;
      const auto catches = [&](const Case& c, const auto& found) {
        return c.at(claimed) == !found[other];
      };
      EXPECT_TRUE(judged.some_case(catches))
          << text_of(levels[other]) << " passes for " << text_of(claimed);
    }
  }
}

TEST(LitmusCorpus, EveryBoundaryHasItsHistory) {
  std::set<std::pair<LevelId, LevelId>> missing;
  for (const LevelEntry& row : levels()) {
    for (const LevelId weaker : row.implies) missing.insert({weaker, row.id});
  }
  EXPECT_EQ(missing.size(), 53u);
  for (const Case& c : corpus()) {
    if (c.kind != Kind::boundary) continue;
    EXPECT_EQ(missing.erase({c.satisfied[0].id, c.violated[0].id}), 1u)
        << c.name << ": the catalogue has no such direct implication";
  }
  for (const auto& [weaker, stronger] : missing) {
    ADD_FAILURE() << "there is no boundary/" << name_of(weaker) << "/not-" << name_of(stronger);
  }
}

TEST(LitmusCorpus, EveryLevelThatDependsOnSessionOrderHasItsHistory) {
  std::set<LevelId> missing;
  for (const LevelEntry& row : levels()) {
    if (depends_on_session_order(row.id)) missing.insert(row.id);
  }
  for (const Case& c : corpus()) {
    if (c.kind != Kind::session_order) continue;
    EXPECT_EQ(missing.erase(c.violated[0].id), 1u) << c.name << ": session order is all the same";
  }
  for (const LevelId id : missing) ADD_FAILURE() << "there is no session-order/" << name_of(id);
}

TEST(LitmusCorpus, IncomparableLevelsHaveHistoriesForBothDirections) {
  std::set<std::pair<LevelId, LevelId>> pairs;
  for (const Case& c : corpus()) {
    if (c.kind == Kind::incomparable) pairs.insert({c.satisfied[0].id, c.violated[0].id});
  }
  EXPECT_FALSE(pairs.empty());
  for (const auto& [at, not_at] : pairs) {
    EXPECT_FALSE(implies(not_at, at)) << name_of(not_at) << " implies " << name_of(at);
    EXPECT_TRUE(pairs.contains({not_at, at}))
        << "there is no incomparable/" << name_of(not_at) << "/not-" << name_of(at);
  }
}

TEST(LitmusCorpus, EveryAnomalyThatClientsCanSeeHasItsHistory) {
  std::set<Anomaly> shown;
  for (const Case& c : corpus()) {
    if (c.kind == Kind::anomaly || c.kind == Kind::anomaly_and_more) {
      shown.insert(path::anomaly(c.parts[1]));
    }
  }
  for (const AnomalyEntry& row : anomalies()) {
    EXPECT_EQ(shown.contains(row.id), !not_observable.contains(row.id)) << row.name;
  }
}

TEST(LitmusCorpus, WhatViolatesOnlyTheLevelsOfItsAnomalyIsInTheFolderThatSaysSo) {
  int tried = 0;
  for (const Case& c : corpus()) {
    if (c.kind != Kind::anomaly_and_more) continue;
    ++tried;
    const History history = c.read();
    const std::vector<bool> found = verdicts(history);
    const auto violated = std::ranges::count(found, false);
    EXPECT_GT(static_cast<std::size_t>(violated), c.violated.size())
        << c.name << " belongs into anomaly/";
  }
  EXPECT_EQ(tried, 3);
}

}  // namespace
}  // namespace isoscope::litmus
