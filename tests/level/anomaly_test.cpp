#include <gtest/gtest.h>

#include <set>

#include "isoscope/level/level.h"

namespace isoscope {
namespace {

const AnomalyEntry& named(std::string_view name) {
  for (const AnomalyEntry& row : anomalies()) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no anomaly " << name;
  return anomalies()[0];
}

TEST(Anomalies, EveryRowIsComplete) {
  ASSERT_EQ(anomalies().size(), anomaly_count);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < anomalies().size(); ++i) {
    const AnomalyEntry& row = anomalies()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.id), i);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GT(row.description.size(), 15u) << row.name;
    EXPECT_EQ(row.description.back(), '.') << row.name;
    EXPECT_GT(row.citation.size(), 20u) << row.name;
    EXPECT_EQ(name_of(row.id), row.name);
  }
}

TEST(Anomalies, ImplicationHasNoCycleAndNoShortcuts) {
  for (const AnomalyEntry& row : anomalies()) {
    EXPECT_TRUE(implies(row.id, row.id));
    for (const Anomaly direct : row.implies) {
      EXPECT_TRUE(implies(row.id, direct));
      EXPECT_FALSE(implies(direct, row.id)) << row.name << " " << name_of(direct);
      for (const Anomaly other : row.implies) {
        EXPECT_TRUE(other == direct || !implies(other, direct))
            << row.name << " implies " << name_of(direct) << " through " << name_of(other);
      }
    }
  }
}

TEST(Anomalies, CyclesComeInThree) {
  EXPECT_EQ(name_of(with_session_order(Anomaly::g_nonadjacent)), "G-nonadjacent-process");
  EXPECT_EQ(name_of(with_real_time(Anomaly::g2_item)), "G2-item-realtime");
  EXPECT_EQ(with_session_order(Anomaly::lost_update), Anomaly::lost_update);
  EXPECT_EQ(with_session_order(Anomaly::g0_process), Anomaly::g0_process);
  for (const std::string base : {"G0", "G1c", "G1", "G-single-item", "G-single",
                                 "G-nonadjacent-item", "G-nonadjacent", "G2-item", "G2"}) {
    const AnomalyEntry& row = named(base);
    const AnomalyEntry& process = named(base + "-process");
    const AnomalyEntry& realtime = named(base + "-realtime");
    EXPECT_EQ(with_session_order(row.id), process.id);
    EXPECT_EQ(with_real_time(row.id), realtime.id);
    EXPECT_TRUE(implies(row.id, process.id));
    EXPECT_TRUE(implies(process.id, realtime.id));
    // The variants inherit the arrows between cycles.
    for (const Anomaly implied : row.implies) {
      if (with_real_time(implied) == implied) continue;
      EXPECT_TRUE(implies(process.id, with_session_order(implied))) << base;
      EXPECT_TRUE(implies(realtime.id, with_real_time(implied))) << base;
    }
  }
}

TEST(Anomalies, HaveTheArrowsOfElle) {
  const std::pair<const char*, const char*> arrows[] = {
      {"G0", "G1c"},
      {"G0", "G0-process"},
      {"G1a", "G1"},
      {"G1b", "G1"},
      {"G1c", "G1"},
      {"G1c", "G1c-process"},
      {"G-single-item", "G-single"},
      {"G-single-item", "G-nonadjacent-item"},
      {"G-single", "G-nonadjacent"},
      {"G-single", "G-SIb"},
      {"G-nonadjacent-item", "G-nonadjacent"},
      {"G-nonadjacent-item", "G2-item"},
      {"G-nonadjacent", "G2"},
      {"G2-item", "G2"},
      {"G-SIa", "G-SI"},
      {"G-SIb", "G-SI"},
      {"dirty-update", "G1a"},
      {"future-read", "G1c"},
      {"lost-update", "write-skew"},
      {"lost-update", "G2-item"},
      {"write-skew", "G2"},
  };
  for (const auto& [from, to] : arrows) {
    EXPECT_TRUE(implies(named(from).id, named(to).id)) << from << " " << to;
  }
}

// What Elle's table of models says they proscribe directly.
TEST(Anomalies, LevelsForbidWhatElleSaysTheyProscribe) {
  const std::pair<const char*, std::vector<const char*>> proscribed[] = {
      {"PL-SS", {"G1", "G1c-realtime", "G2-realtime"}},
      {"strong-session-serializable", {"G1-process", "G2-process"}},
      {"strong-snapshot-isolation", {"G-nonadjacent-realtime", "G1-realtime", "internal"}},
      {"PL-3", {"G1", "G2", "internal", "predicate-read-miss"}},
      {"strong-session-snapshot-isolation", {"G-nonadjacent-process", "G1-process", "internal"}},
      {"PL-SI", {"G-SI", "G-nonadjacent", "G1", "internal"}},
      {"parallel-snapshot-isolation", {"G1a", "internal"}},
      {"PL-3U", {"G-update", "G1"}},
      {"strong-PL-2", {"G1c-realtime"}},
      {"prefix", {"G1a", "internal"}},
      {"PL-FCV", {"G-SIb", "G1"}},
      {"update-atomic", {"lost-update"}},
      {"causal-cerone", {"G1a", "internal"}},
      {"PL-2.99", {"G1", "G2-item", "lost-update"}},
      {"PL-2+", {"G-single", "G1"}},
      {"strong-session-PL-2", {"G1c-process"}},
      {"read-atomic", {"G1a", "future-read", "internal"}},
      {"strong-PL-1", {"G0-realtime"}},
      {"PL-MSR", {"G-MSR", "G1"}},
      {"PL-CS", {"G-cursor", "G1", "lost-update"}},
      {"PL-2L", {"G-monotonic", "G1"}},
      {"strong-session-PL-1", {"G0-process"}},
      {"PL-2", {"G1"}},
      {"PL-1", {"G0", "cyclic-versions", "duplicate-elements"}},
  };
  for (const auto& [model, names] : proscribed) {
    const auto level = find_level(model, NameDialect::elle);
    ASSERT_TRUE(level) << model;
    for (const char* name : names)
      EXPECT_TRUE(forbids(*level, named(name).id)) << model << " " << name;
  }
}

TEST(Anomalies, SessionOrderAndRealTimeDecideAboutTheVariants) {
  using enum LevelId;
  EXPECT_TRUE(forbids(Level{serializable, true}, Anomaly::g2_process));
  EXPECT_FALSE(forbids(Level{serializable, false}, Anomaly::g2_process));
  EXPECT_FALSE(forbids(Level{serializable, true}, Anomaly::g2_realtime));
  EXPECT_TRUE(forbids(Level{strict_serializable, true}, Anomaly::g0_realtime));
  EXPECT_TRUE(forbids(Level{causal, true}, Anomaly::missing_your_writes));
  EXPECT_FALSE(forbids(Level{causal, false}, Anomaly::missing_your_writes));
  EXPECT_FALSE(forbids(Level{read_your_writes, false}, Anomaly::missing_your_writes));
  // Without session order it asks for no more than valid reads, which have no order of versions.
  EXPECT_TRUE(forbids(Level{read_your_writes, true}, Anomaly::incompatible_order));
  EXPECT_FALSE(forbids(Level{read_your_writes, false}, Anomaly::incompatible_order));
  EXPECT_TRUE(forbids(Level{read_your_writes, false}, Anomaly::duplicate_elements));
  // Allowed where the literature says so.
  EXPECT_FALSE(forbids(Level{snapshot_isolation}, Anomaly::write_skew));
  EXPECT_FALSE(forbids(Level{parallel_snapshot_isolation}, Anomaly::long_fork));
  EXPECT_FALSE(forbids(Level{causal}, Anomaly::lost_update));
  EXPECT_FALSE(forbids(Level{repeatable_read}, Anomaly::phantom));
  EXPECT_FALSE(forbids(Level{read_committed}, Anomaly::fractured_read));
}

}  // namespace
}  // namespace isoscope
