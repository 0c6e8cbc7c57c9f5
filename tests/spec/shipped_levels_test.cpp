// The level texts that come with the program: all of them can be read, are in house style and say
// where they are from; small histories stand on the right side of each; and texts of one level in
// different frameworks agree. (levels_test.cpp holds those that define a level of the catalogue
// against the reference checker.)

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "isoscope/base/caret_text.h"
#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/level/level.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/spec/level_text.h"
#include "isoscope/spec/structure.h"
#include "spec/random_structure.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

Definition shipped(std::string_view name) {
  const auto& all = shipped_levels();
  const auto found = std::ranges::find(all, name, &ShippedLevel::name);
  if (found == all.end()) {
    ADD_FAILURE() << "there is no level text " << name;
    return {};
  }
  const LevelText text{std::string(found->name), std::string(found->text)};
  Result<Definition> definition = read_definition(text, find_shipped);
  if (!definition) {
    ADD_FAILURE() << caret_text(definition.error(), text.text);
    return {};
  }
  return *std::move(definition);
}

bool allows(std::string_view level, const Structure& history) {
  static std::map<std::string, Definition, std::less<>> read;
  auto found = read.find(level);
  if (found == read.end()) found = read.emplace(std::string(level), shipped(level)).first;
  return find_execution(found->second, history).has_value();
}

Structure structure_of_litmus(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  const Result<History> history = read_history(source, {.format = Format::litmus});
  if (!history) {
    ADD_FAILURE() << litmus << "\n" << history.error().text();
    return empty_structure(0, 0);
  }
  Result<Structure> structure = structure_of(*history);
  if (!structure) {
    ADD_FAILURE() << litmus << "\n" << structure.error().text();
    return empty_structure(0, 0);
  }
  return *std::move(structure);
}

TEST(ShippedLevels, EveryTextIsReadAndSaysWhatItIs) {
  EXPECT_GE(shipped_levels().size(), 60u);
  for (const ShippedLevel& level : shipped_levels()) {
    SCOPED_TRACE(level.name);
    const Definition definition = shipped(level.name);
    EXPECT_EQ(definition.name, level.name);
    EXPECT_FALSE(definition.title.empty());
    EXPECT_FALSE(definition.citation.empty());
    EXPECT_TRUE(level.text.starts_with("# "));
    EXPECT_LE(std::ranges::count(level.text, '\n'), 30);
  }
}

TEST(ShippedLevels, EveryTextIsInHouseStyle) {
  for (const ShippedLevel& level : shipped_levels()) {
    const LevelText text{std::string(level.name), std::string(level.text)};
    const Result<std::string> formatted = format_level(text);
    ASSERT_TRUE(formatted) << caret_text(formatted.error(), text.text);
    EXPECT_EQ(*formatted, text.text) << level.name;
  }
}

TEST(ShippedLevels, ALevelOfTheCatalogueHasOneText) {
  std::vector<Level> defined;
  for (const ShippedLevel& level : shipped_levels()) {
    const Definition definition = shipped(level.name);
    if (!definition.defines) continue;
    SCOPED_TRACE(level.name);
    const Result<Level> of = find_level(*definition.defines);
    ASSERT_TRUE(of) << *definition.defines;
    // The name is spelled as in the catalogue, and stands for this session order.
    EXPECT_EQ(std::ranges::count(names_of(*of), std::string_view(*definition.defines)), 1);
    EXPECT_EQ(mentions(definition, Base::so),
              of->session_order && depends_on_session_order(of->id));
    EXPECT_EQ(mentions(definition, Base::rt), without_real_time(of->id).has_value());
    EXPECT_EQ(std::ranges::count(defined, *of), 0);
    defined.push_back(*of);
  }
  // All but one, which looks at the place of writes among reads.
  for (const LevelEntry& entry : levels()) {
    const bool has_text = std::ranges::count(defined, Level{entry.id}) == 1;
    EXPECT_EQ(has_text, entry.id != LevelId::monotonic_view) << entry.name;
  }
}

TEST(ShippedLevels, ThePageAboutThemListsThemAll) {
  const std::string path = ISOSCOPE_SOURCE_DIR "/docs/level-texts.md";
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(page.empty()) << path;
  for (const ShippedLevel& level : shipped_levels()) {
    const Definition definition = shipped(level.name);
    const std::string row = "| `" + definition.name + "` | " + definition.title + " | ";
    const std::size_t at = page.find(row);
    ASSERT_NE(at, page.npos) << "no row " << row;
    const std::string end =
        definition.defines ? " | `" + *definition.defines + "` |" : std::string(" | - |");
    EXPECT_TRUE(page.substr(at, page.find('\n', at) - at).ends_with(end)) << row;
  }
}

struct Example {
  std::string litmus;
  std::vector<std::string> allowed;
  std::vector<std::string> forbidden;
};

void expect_verdicts(const Example& example) {
  const Structure history = structure_of_litmus(example.litmus);
  for (const std::string& level : example.allowed) {
    EXPECT_TRUE(allows(level, history)) << level << " forbids\n" << example.litmus;
  }
  for (const std::string& level : example.forbidden) {
    EXPECT_FALSE(allows(level, history)) << level << " allows\n" << example.litmus;
  }
}

TEST(ShippedLevels, FracturedReads) {
  // T2 reads the x of T1 and then the y from before T1: a part of T1 has vanished.
  expect_verdicts(
      {"T1 w(x,1) w(y,1) | T2 r(x,1) r(y,nil)",
       {"biswas-enea/base", "biswas-enea/UpdateSer", "adya/PL-2", "adya/PL-CS",
        "adya/read-committed", "adya/cursor-stability", "crooks/RC", "session/session-causal",
        "history/FracturedRead"},
       {"biswas-enea/RC", "biswas-enea/RA", "biswas-enea/MSR", "cerone/RA", "cerone/UpdateSer",
        "adya/monotonic-atomic-view", "adya/PL-2+", "crooks/RA", "plume/TapRA", "history/HistRA"}});
  // The other way round it had not seen T1 yet.
  expect_verdicts(
      {"T1 w(x,1) w(y,1) | T2 r(y,nil) r(x,1)",
       {"biswas-enea/RC", "biswas-enea/MSR", "adya/monotonic-atomic-view", "history/FracturedRead"},
       {"biswas-enea/RA", "cerone/RA", "crooks/RA", "plume/TapRA", "history/HistRA"}});
  // T3 sees T2 and misses what its session wrote before; the PL-levels do not look at sessions.
  expect_verdicts({"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) r(x,nil)",
                   {"biswas-enea/RC", "biswas-enea/RA", "cerone/RA", "adya/PL-2+", "adya/PL-SI",
                    "adya/PL-3", "adya/PL-2.99", "adya/PL-3U"},
                   {"biswas-enea/MSR", "biswas-enea/CC", "adya/PSI", "biswas-enea/SER",
                    "adya/repeatable-read", "adya/update-serializable"}});
}

TEST(ShippedLevels, PlumesPatternsMissWhatASessionWrote) {
  expect_verdicts({"a: T1 w(x,1) ; T2 r(x,nil)",
                   {"plume/TapRA", "biswas-enea/RC", "session/MR", "session/MW", "adya/PL-3"},
                   {"plume/TapRA-repaired", "plume/TapCC", "biswas-enea/RA", "cerone/RA",
                    "crooks/RA", "history/HistRA", "session/RYW", "session/PRAM"}});
}

TEST(ShippedLevels, CausalityLostUpdatesLongForks) {
  expect_verdicts({"T1 w(x,1) | T2 r(x,1) w(y,1) | T3 r(y,1) r(x,nil)",
                   {"biswas-enea/RA", "cerone/RA", "cerone/UA", "cerone/NLU", "crooks/RA",
                    "plume/TapRA-repaired", "adya/PL-CS", "history/OneTransactionPerSession",
                    "history/PrefixViolation"},
                   {"biswas-enea/CC", "cerone/CC", "cerone/PSI", "adya/PL-2+", "crooks/PSI",
                    "plume/TapCC", "history/HistCC", "biswas-enea/MSR", "history/NoBlindWrites"}});
  expect_verdicts({"T1 r(x,nil) w(x,1) | T2 r(x,nil) w(x,2)",
                   {"biswas-enea/CC", "biswas-enea/PC", "cerone/CC", "cerone/PC", "plume/TapCC",
                    "adya/PL-2", "history/HistCC", "history/LostUpdate", "history/NoBlindWrites"},
                   {"biswas-enea/Conflict", "biswas-enea/SI", "cerone/UA", "cerone/NLU",
                    "cerone/PSI", "cerone/SI", "adya/PL-CS", "adya/PL-2+", "adya/PL-SI",
                    "crooks/PSI", "crooks/SI", "history/WriteSkew"}});
  expect_verdicts(
      {"T1 r(x,nil) w(x,1) | T2 r(y,nil) w(y,1) | T3 r(x,1) r(y,nil) | "
       "T4 r(x,nil) r(y,1)",
       {"cerone/CC", "cerone/PSI", "cerone/UpdateSer", "adya/PSI", "adya/PL-2+", "adya/PL-3U",
        "adya/update-serializable", "crooks/PSI", "biswas-enea/CC", "biswas-enea/Conflict",
        "biswas-enea/UpdateSer", "history/LongFork"},
       {"biswas-enea/PC", "biswas-enea/SI", "cerone/PC", "cerone/SI", "adya/PL-SI", "crooks/SI",
        "adya/PL-3", "history/LostUpdate"}});
}

TEST(ShippedLevels, LostUpdatesAndUpdateAtomic) {
  // Barros et al., Figure 1: T3 sees T2, whose version it overwrites, and misses T1.
  expect_verdicts(
      {"T1 r(x,nil) w(x,1) w(y,1) | T2 r(x,1) r(y,1) w(y,2) | "
       "T3 r(x,nil) r(y,2) w(y,3)",
       {"cerone/NLU", "cerone/RA"},
       {"cerone/UA", "cerone/CC", "cerone/PSI"}});
}

TEST(ShippedLevels, WriteSkewAndReaders) {
  expect_verdicts({"T1 r(x,nil) r(y,nil) w(x,1) | T2 r(x,nil) r(y,nil) w(y,1)",
                   {"biswas-enea/SI", "cerone/SI", "adya/PL-SI", "crooks/SI", "history/WriteSkew"},
                   {"biswas-enea/SER", "biswas-enea/UpdateSer", "cerone/SER", "cerone/UpdateSer",
                    "adya/PL-2.99", "adya/PL-3", "adya/PL-3U", "adya/update-serializable",
                    "adya/repeatable-read", "crooks/SER"}});
  // The read-only anomaly: without T3 the other two are serializable as T1, T2.
  expect_verdicts({"T1 r(x,nil) r(y,nil) w(x,1) | T2 r(y,nil) w(y,1) | T3 r(x,nil) r(y,1)",
                   {"biswas-enea/SI", "biswas-enea/UpdateSer", "cerone/SI", "cerone/UpdateSer",
                    "adya/PL-SI", "crooks/SI"},
                   {"biswas-enea/SER", "cerone/SER", "adya/PL-3", "adya/PL-3U",
                    "adya/update-serializable", "crooks/SER"}});
  expect_verdicts(
      {"T1 r(x,nil) w(x,1) | T2 r(x,1) w(y,1) | T3 r(x,1) r(y,1)",
       {"biswas-enea/SER", "cerone/SER", "adya/PL-3", "crooks/SER", "adya/update-serializable"},
       {}});
}

TEST(ShippedLevels, SessionGuarantees) {
  expect_verdicts({"a: T1 w(x,1) | b: T2 r(x,1) ; T3 r(x,nil)",
                   {"session/RYW", "session/MW", "session/WFR", "biswas-enea/RA"},
                   {"session/MR", "session/PRAM", "session/session-causal"}});
  expect_verdicts({"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) r(x,nil)",
                   {"session/RYW", "session/MR", "session/WFR", "session/MW-per-key"},
                   {"session/MW", "session/PRAM", "session/session-causal"}});
  expect_verdicts({"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(x,nil) r(y,1)",
                   {"session/MW", "session/PRAM", "session/session-causal"},
                   {"biswas-enea/CC"}});
  expect_verdicts({"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) ; T4 r(x,nil)",
                   {"session/RYW", "session/MR", "session/MW"},
                   {"session/PRAM"}});
  expect_verdicts({"T1 w(x,1) | T2 r(x,1) w(y,1) | T3 r(y,1) r(x,nil)",
                   {"session/PRAM", "session/WFR-per-key"},
                   {"session/WFR", "session/session-causal"}});
  expect_verdicts({"T1 r(x,2) w(x,1) | T2 r(x,1) w(x,2)",
                   {"session/PRAM", "adya/PL-1", "adya/read-uncommitted"},
                   {"session/WFR-per-key", "session/WFR", "adya/PL-2", "adya/read-committed"}});
}

TEST(ShippedLevels, RealTime) {
  expect_verdicts({"T1@0..10 w(x,1) | T2@20..30 r(x,nil)",
                   {"biswas-enea/SER", "strict/strong-read-committed"},
                   {"strict/strict-serializable", "strict/strong-snapshot-isolation"}});
  expect_verdicts({"T1@0..20 r(x,nil) r(y,nil) w(x,1) | T2@0..20 r(x,nil) r(y,nil) w(y,1)",
                   {"strict/strong-snapshot-isolation"},
                   {"strict/strict-serializable"}});
  expect_verdicts({"T1@20..30 w(x,1) | T2@0..10 r(x,1)",
                   {"biswas-enea/SER", "strict/strong-read-uncommitted"},
                   {"strict/strong-adya-read-committed", "strict/strong-read-committed"}});
  expect_verdicts({"T1@0..10 w(x,1) w(y,1) | T2@20..30 r(x,1) r(y,nil)",
                   {"strict/strong-adya-read-committed"},
                   {"strict/strong-read-committed"}});
}

/// Reads are from any earlier transaction, so that only the levels from read committed up part;
/// half of the histories have two sessions.
Structure random_reads(Random& random, std::size_t count, std::size_t keys) {
  Structure result = empty_structure(count, keys);
  const bool two_sessions = random.chance(50);
  for (std::size_t t = 1; t <= count; ++t) {
    const bool only_reads = random.chance(40);
    for (std::size_t s = t + 2; two_sessions && s <= count; s += 2) result.so.add(t, s);
    for (std::size_t x = 0; x < keys; ++x) {
      if (!only_reads && random.chance(60)) result.writes.add(t, x);
      if (!random.chance(70)) continue;
      std::size_t from = random.below(t);
      while (!result.writes.has(from, x)) --from;
      result.wr[x].add(from, t);
      for (std::size_t y = 0; y < x; ++y) {
        for (std::size_t u = 0; u < t; ++u) {
          if (result.wr[y].has(u, t)) result.seen_before[x].add(u, t);
        }
      }
    }
  }
  return result;
}

std::string text_of(const Structure& history) {
  return *format_history(history_of(history, false), Format::litmus);
}

TEST(ShippedLevels, FrameworksAgree) {
  const std::vector<std::vector<std::string>> same = {
      {"biswas-enea/base", "adya/read-committed", "crooks/RC"},
      {"biswas-enea/RC", "adya/monotonic-atomic-view"},
      {"biswas-enea/RA", "cerone/RA", "crooks/RA", "plume/TapRA-repaired", "history/HistRA"},
      {"biswas-enea/CC", "cerone/CC", "plume/TapCC", "history/HistCC"},
      {"cerone/PSI", "adya/PSI", "crooks/PSI"},
      {"biswas-enea/PC", "cerone/PC"},
      {"biswas-enea/SI", "cerone/SI", "crooks/SI"},
      {"biswas-enea/SER", "cerone/SER", "crooks/SER", "adya/repeatable-read"},
      {"adya/PL-2.99", "adya/PL-3"},
  };
  // Random reads hardly ever make a long fork.
  Structure history =
      structure_of_litmus("T1 w(x,1) | T2 w(y,1) | T3 r(x,1) r(y,nil) | T4 r(x,nil) r(y,1)");
  Random random(6);
  std::vector<int> allowed(same.size());
  for (int i = 0; i < 800 * test_scale(); ++i) {
    for (std::size_t level = 0; level < same.size(); ++level) {
      const bool expected = allows(same[level][0], history);
      allowed[level] += expected;
      for (const std::string& text : same[level]) {
        ASSERT_EQ(allows(text, history), expected)
            << same[level][0] << " and " << text << " differ on\n"
            << text_of(history);
      }
    }
    history = i % 4 == 0 ? random_structure(random, 3, 2) : random_reads(random, 4, 2);
  }
  const std::vector<std::pair<std::size_t, std::size_t>> weaker = {{0, 1}, {1, 2}, {2, 3}, {3, 4},
                                                                   {3, 5}, {4, 6}, {5, 6}, {6, 7}};
  for (const auto& [weak, strong] : weaker) {
    EXPECT_GT(allowed[weak], allowed[strong]) << same[weak][0] << ", " << same[strong][0];
  }
  EXPECT_GT(allowed[7], 100);
}

TEST(ShippedLevels, PLNamesAreLevelsWithoutSessionOrder) {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"adya/PL-1", "adya/read-uncommitted"},   {"adya/PL-2", "adya/read-committed"},
      {"adya/PL-CS", "adya/cursor-stability"},  {"adya/PL-2+", "cerone/PSI"},
      {"adya/PL-SI", "biswas-enea/SI"},         {"adya/PL-3U", "adya/update-serializable"},
      {"adya/PL-2.99", "adya/repeatable-read"}, {"adya/PL-3", "biswas-enea/SER"},
  };
  Random random(8);
  for (int i = 0; i < 200 * test_scale(); ++i) {
    const Structure history =
        i % 2 == 0 ? random_structure(random, 3, 2) : random_reads(random, 4, 2);
    Structure plain = history;
    plain.so = empty_structure(history.transactions - 1, history.keys).so;
    for (const auto& [name, with_sessions] : same) {
      ASSERT_EQ(allows(name, history), allows(with_sessions, plain))
          << name << " and " << with_sessions << " differ on\n"
          << text_of(history);
    }
  }
}

/// Does some order of the transactions give canonical witnesses that the definition allows?
bool some_canonical_fits(const Definition& definition, const Structure& history) {
  std::vector<std::size_t> sequence(history.transactions);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  do {
    Matrix order{std::vector<std::uint64_t>(history.transactions)};
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) order.add(sequence[j], sequence[i]);
    }
    for (const Canonical& canonical : definition.canonical) {
      Execution execution;
      for (const NodePtr& value : canonical.values) {
        execution.push_back(value_of(*value, history, execution, &order));
      }
      if (judge(definition, history, execution).allowed) return true;
    }
  } while (std::next_permutation(sequence.begin() + 1, sequence.end()));
  return false;
}

// Under most levels all versions lie in one order with the dependencies; then what the canonical
// witnesses make of the right order fits whenever anything does. Session guarantees do not need
// such an order.
TEST(ShippedLevels, CanonicalWitnessesFitIfAnyDo) {
  int tried = 0;
  for (const ShippedLevel& level : shipped_levels()) {
    const Definition definition = shipped(level.name);
    if (level.name.starts_with("session/")) continue;
    EXPECT_EQ(definition.canonical.empty(),
              definition.witnesses.empty() || level.name == "cerone/base")
        << level.name;
    if (definition.canonical.empty()) continue;
    ++tried;
    Random random(7);
    for (int i = 0; i < 60 * test_scale(); ++i) {
      const Structure history =
          i % 2 == 0 ? random_structure(random, 3, 2) : random_reads(random, 4, 2);
      ASSERT_EQ(some_canonical_fits(definition, history), allows(level.name, history))
          << level.name << "\n"
          << text_of(history);
    }
  }
  EXPECT_GE(tried, 45);
}

}  // namespace
}  // namespace isoscope::spec
