#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "isoscope/level/level.h"

namespace isoscope {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(ISOSCOPE_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Catalogue, EveryRowIsComplete) {
  ASSERT_EQ(levels().size(), level_count);
  for (std::size_t i = 0; i < levels().size(); ++i) {
    const LevelEntry& row = levels()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.id), i);
    EXPECT_FALSE(row.name.empty());
    for (const char c : row.name) EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '-') << row.name;
    EXPECT_FALSE(row.title.empty()) << row.name;
    EXPECT_GT(row.definition.size(), 40u) << row.name;
    EXPECT_EQ(row.definition.back(), '.') << row.name;
    EXPECT_EQ(row.definition.find(". "), std::string_view::npos) << row.name << ": one sentence";
    EXPECT_GT(row.citation.size(), 20u) << row.name;
    EXPECT_EQ(&entry_of(row.id), &row);
  }
}

TEST(Catalogue, HasTheLevelsEveryoneAsksFor) {
  for (const std::string_view name : {"valid-reads",
                                      "read-uncommitted",
                                      "read-committed",
                                      "cut-isolation",
                                      "monotonic-atomic-view",
                                      "repeatable-read",
                                      "read-atomic",
                                      "update-atomic",
                                      "causal",
                                      "parallel-snapshot-isolation",
                                      "prefix-consistency",
                                      "snapshot-isolation",
                                      "serializable",
                                      "strong-read-committed",
                                      "strong-snapshot-isolation",
                                      "strict-serializable",
                                      "read-your-writes",
                                      "monotonic-reads",
                                      "monotonic-writes",
                                      "writes-follow-reads"}) {
    const auto level = find_level(name);
    ASSERT_TRUE(level) << name;
    EXPECT_EQ(name_of(level->id), name);
    EXPECT_TRUE(level->session_order) << name;
  }
}

TEST(Catalogue, DirectImplicationsAreTheTransitiveReduction) {
  for (const LevelEntry& row : levels()) {
    for (const LevelId weaker : row.implies) {
      EXPECT_LT(weaker, row.id) << row.name;  // so there is no cycle
      for (const LevelId other : row.implies) {
        EXPECT_TRUE(other == weaker || !implies(other, weaker))
            << row.name << " implies " << name_of(weaker) << " through " << name_of(other);
      }
    }
  }
}

TEST(Catalogue, ImplicationIsTheClosureOfTheDirectOnes) {
  for (const LevelEntry& a : levels()) {
    for (const LevelEntry& b : levels()) {
      const bool through_a_direct_one =
          std::any_of(a.implies.begin(), a.implies.end(),
                      [&](LevelId weaker) { return implies(weaker, b.id); });
      EXPECT_EQ(implies(a.id, b.id), a.id == b.id || through_a_direct_one)
          << a.name << " " << b.name;
    }
  }
}

TEST(Catalogue, StrictSerializableImpliesAllAndOnlyTwoLevelsAreAtTheBottom) {
  for (const LevelEntry& row : levels()) {
    EXPECT_TRUE(implies(LevelId::strict_serializable, row.id)) << row.name;
    const bool at_the_bottom =
        row.id == LevelId::valid_reads || row.id == LevelId::read_uncommitted;
    EXPECT_EQ(row.implies.empty(), at_the_bottom) << row.name;
    EXPECT_TRUE(implies(row.id, LevelId::valid_reads) ||
                implies(row.id, LevelId::read_uncommitted));
  }
  EXPECT_FALSE(implies(LevelId::valid_reads, LevelId::read_uncommitted));
  EXPECT_FALSE(implies(LevelId::read_uncommitted, LevelId::valid_reads));
}

TEST(Catalogue, SessionOrderOnlyAdds) {
  for (const LevelEntry& row : levels()) {
    const Level with{row.id, true};
    const Level without{row.id, false};
    EXPECT_TRUE(implies(with, without)) << row.name;
    EXPECT_EQ(implies(without, with), !depends_on_session_order(row.id)) << row.name;
  }
}

TEST(Catalogue, ImplicationBetweenLevelsWithAndWithoutSessionOrder) {
  using enum LevelId;
  EXPECT_TRUE(implies(Level{serializable, true}, Level{snapshot_isolation, false}));
  EXPECT_FALSE(implies(Level{serializable, false}, Level{snapshot_isolation, true}));
  EXPECT_TRUE(implies(Level{serializable, false}, Level{snapshot_isolation, false}));
  EXPECT_TRUE(implies(Level{serializable, false}, Level{cut_isolation, true}));
  EXPECT_TRUE(implies(Level{serializable, false}, Level{valid_reads, true}));
  EXPECT_FALSE(implies(Level{serializable, false}, Level{read_your_writes, true}));
  // A guarantee about sessions, without sessions.
  EXPECT_TRUE(is_vacuous(Level{pram, false}));
  EXPECT_FALSE(is_vacuous(Level{pram, true}));
  EXPECT_TRUE(implies(Level{cut_isolation, true}, Level{pram, false}));
  EXPECT_FALSE(implies(Level{pram, false}, Level{monotonic_reads, true}));
  EXPECT_TRUE(implies(Level{pram, false}, Level{valid_reads, true}));
  EXPECT_FALSE(implies(Level{valid_reads, true}, Level{writes_follow_reads, false}));
}

TEST(Catalogue, TextSaysWhatIsLeftOut) {
  EXPECT_EQ(text_of(Level{LevelId::serializable, true}), "serializable");
  EXPECT_EQ(text_of(Level{LevelId::serializable, false}), "serializable without session order");
  EXPECT_EQ(text_of(Level{LevelId::valid_reads, false}), "valid-reads");
}

TEST(Catalogue, FindingsAreForbiddenWhereTheDefinitionsSaySo) {
  using enum ReadFinding;
  for (const LevelEntry& row : levels()) {
    for (const bool session_order : {true, false}) {
      const Level level{row.id, session_order};
      const bool needs_committed_data = implies(row.id, LevelId::valid_reads);
      EXPECT_TRUE(forbids(level, internal_inconsistency)) << row.name;
      EXPECT_TRUE(forbids(level, future_read)) << row.name;
      EXPECT_TRUE(forbids(level, thin_air_read)) << row.name;
      EXPECT_EQ(forbids(level, aborted_read), needs_committed_data) << row.name;
      EXPECT_EQ(forbids(level, intermediate_read), needs_committed_data) << row.name;
      EXPECT_EQ(forbids(level, non_repeatable_read), implies(row.id, LevelId::cut_isolation))
          << row.name;
    }
  }
  const auto repeat = [](LevelId id) { return forbids(Level{id}, non_repeatable_read); };
  using enum LevelId;
  for (const LevelId id : {cut_isolation, repeatable_read, read_atomic, causal,
                           parallel_snapshot_isolation, update_serializable}) {
    EXPECT_TRUE(repeat(id)) << name_of(id);
  }
  for (const LevelId id : {valid_reads, read_uncommitted, adya_read_committed, read_committed,
                           monotonic_atomic_view, cursor_stability, monotonic_view,
                           monotonic_snapshot_read, read_your_writes, session_causal}) {
    EXPECT_FALSE(repeat(id)) << name_of(id);
  }
}

TEST(Catalogue, WhatAWeakerLevelForbidsAStrongerOneForbidsToo) {
  for (const LevelEntry& a : levels()) {
    for (const LevelEntry& b : levels()) {
      for (const bool of_a : {true, false}) {
        for (const bool of_b : {true, false}) {
          const Level stronger{a.id, of_a};
          const Level weaker{b.id, of_b};
          if (!implies(stronger, weaker)) continue;
          for (const AnomalyEntry& anomaly : anomalies()) {
            EXPECT_TRUE(!forbids(weaker, anomaly.id) || forbids(stronger, anomaly.id))
                << text_of(stronger) << " " << text_of(weaker) << " " << anomaly.name;
          }
        }
      }
    }
  }
}

TEST(Catalogue, LevelsViolatedByAFinding) {
  const auto aborted = levels_violated_by(ReadFinding::aborted_read);
  EXPECT_EQ(aborted.size(), level_count - 2);
  EXPECT_EQ(weakest_of(aborted), (std::vector{LevelId::valid_reads}));
  const auto thin_air = levels_violated_by(ReadFinding::thin_air_read);
  EXPECT_EQ(thin_air.size(), level_count);
  EXPECT_EQ(weakest_of(thin_air), (std::vector{LevelId::valid_reads, LevelId::read_uncommitted}));
  EXPECT_EQ(weakest_of(levels_violated_by(ReadFinding::non_repeatable_read)),
            (std::vector{LevelId::cut_isolation}));
}

TEST(Catalogue, WeakestLevelsThatFamousAnomaliesViolate) {
  const auto weakest = [](Anomaly anomaly) { return weakest_of(levels_violated_by(anomaly)); };
  using enum LevelId;
  EXPECT_EQ(weakest(Anomaly::g0), (std::vector{read_uncommitted}));
  EXPECT_EQ(weakest(Anomaly::g1c), (std::vector{adya_read_committed}));
  EXPECT_EQ(weakest(Anomaly::lost_update), (std::vector{cursor_stability}));
  EXPECT_EQ(weakest(Anomaly::fractured_read), (std::vector{repeatable_read, read_atomic}));
  EXPECT_EQ(weakest(Anomaly::causality_violation), (std::vector{causal}));
  EXPECT_EQ(weakest(Anomaly::long_fork), (std::vector{repeatable_read, prefix_consistency}));
  EXPECT_EQ(weakest(Anomaly::write_skew), (std::vector{update_serializable}));
  EXPECT_EQ(weakest(Anomaly::phantom), (std::vector{read_atomic}));
  EXPECT_EQ(weakest(Anomaly::incompatible_order),
            (std::vector{read_uncommitted, read_your_writes, monotonic_reads,
                         monotonic_writes_per_key, writes_follow_reads_per_key}));
  for (const Anomaly everywhere :
       {Anomaly::predicate_read_miss, Anomaly::duplicate_elements, Anomaly::cyclic_versions}) {
    EXPECT_EQ(weakest(everywhere), (std::vector{valid_reads, read_uncommitted}));
  }
  EXPECT_EQ(weakest(Anomaly::g2_realtime), (std::vector{strict_serializable}));
}

TEST(Catalogue, FindingsHaveNamesAndAnomalies) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < read_finding_count; ++i) {
    names.insert(name_of(static_cast<ReadFinding>(i)));
  }
  EXPECT_EQ(names.size(), read_finding_count);
  EXPECT_EQ(name_of(ReadFinding::thin_air_read), "thin-air read");
  EXPECT_EQ(anomaly_of(ReadFinding::aborted_read), Anomaly::g1a);
  EXPECT_EQ(anomaly_of(ReadFinding::intermediate_read), Anomaly::g1b);
  EXPECT_EQ(anomaly_of(ReadFinding::internal_inconsistency), Anomaly::internal);
  EXPECT_EQ(anomaly_of(ReadFinding::missed_row), Anomaly::predicate_read_miss);
}

/// The text with one blank for every line break and the blanks around it.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += word + " ";
  return result;
}

TEST(Catalogue, TheManualNamesEverything) {
  const std::string manual = unwrapped(file_text("docs/levels.md"));
  ASSERT_FALSE(manual.empty());
  const auto is_there = [&](std::string_view name) {
    return manual.find("`" + std::string(name) + "`") != std::string::npos;
  };
  for (const LevelEntry& row : levels()) {
    EXPECT_TRUE(is_there(row.name)) << row.name;
    for (const LevelAlias& alias : row.aliases) EXPECT_TRUE(is_there(alias.name)) << alias.name;
    EXPECT_NE(manual.find(row.citation), std::string::npos) << row.citation;
  }
}

}  // namespace
}  // namespace isoscope
