// Holds the order of the catalogue against the definitions, on random small histories: every
// implication must be true of every history, and between levels without implication there must be a
// history that tells them apart.

#include <gtest/gtest.h>

#include <optional>

#include "level/anomaly_definitions.h"
#include "reference/definitions.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr int histories = 150'000;

// Small histories have no predicate reads, without which these two pairs of levels are the same.
LevelId without_predicates(LevelId id) {
  if (id == LevelId::monotonic_atomic_view) return LevelId::read_committed;
  if (id == LevelId::repeatable_read) return LevelId::serializable;
  return id;
}

std::vector<Level> both_forms_of_all() {
  std::vector<Level> all;
  for (const LevelEntry& row : levels()) {
    all.push_back({row.id, true});
    all.push_back({row.id, false});
  }
  return all;
}

TEST(Order, IsThatOfTheDefinitions) {
  const std::vector<Level> all = both_forms_of_all();
  std::vector<std::vector<bool>> told_apart(all.size(), std::vector<bool>(all.size(), false));
  std::mt19937 random(20'260'101);
  for (int i = 0; i < histories * test_scale(); ++i) {
    const small::History history = i == 0 ? small::long_fork() : small::random_history(random);
    const reference::Execution with_sessions = history.execution(true);
    const reference::Execution plain = history.execution(false);
    const reference::Definitions with(with_sessions);
    const reference::Definitions without(plain);
    std::vector<bool> satisfied;
    for (const Level level : all) {
      satisfied.push_back((level.session_order ? with : without).satisfied(level.id));
    }
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = 0; b < all.size(); ++b) {
        if (!satisfied[a] || satisfied[b] || told_apart[a][b]) continue;
        told_apart[a][b] = true;
        ASSERT_FALSE(implies(all[a], all[b])) << small::text_of(history) << " is "
                                              << text_of(all[a]) << " but not " << text_of(all[b]);
      }
    }
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      const Level stronger{without_predicates(all[a].id), all[a].session_order};
      if (implies(stronger, all[b])) continue;
      const Level weaker{without_predicates(all[b].id), all[b].session_order};
      EXPECT_TRUE(told_apart[a][b] || implies(stronger, weaker))
          << "no history is " << text_of(all[a]) << " but not " << text_of(all[b]);
    }
  }
}

TEST(Order, AnomaliesImplyAndLevelsForbidWhatTheTablesSay) {
  std::mt19937 random(20'260'102);
  std::vector<bool> seen(anomaly_count, false);
  for (int i = 0; i < histories / 5 * test_scale(); ++i) {
    const small::History history = i == 0 ? small::long_fork() : small::random_history(random);
    const reference::Execution plain = history.execution(false);
    for (const bool session_order : {true, false}) {
      const reference::Execution counted = history.execution(session_order);
      const reference::Definitions definitions(counted);
      std::vector<std::optional<bool>> shown;
      for (const AnomalyEntry& row : anomalies()) {
        shown.push_back(small::shows(plain, counted, row.id));
        if (shown.back() == true) seen[shown.size() - 1] = true;
      }
      std::vector<LevelId> satisfied;
      for (const LevelEntry& row : levels()) {
        if (definitions.satisfied(row.id)) satisfied.push_back(row.id);
      }
      const bool circular = shown[static_cast<std::size_t>(Anomaly::g1c_process)].value();
      for (const AnomalyEntry& a : anomalies()) {
        if (shown[static_cast<std::size_t>(a.id)] != true) continue;
        for (const AnomalyEntry& b : anomalies()) {
          // Without session order there is no way through sessions.
          if (circular || (!session_order && b.order == AnomalyOrder::session_order)) continue;
          ASSERT_FALSE(shown[static_cast<std::size_t>(b.id)] == false && implies(a.id, b.id))
              << small::text_of(history) << " has " << a.name << " but not " << b.name;
        }
        for (const LevelId id : satisfied) {
          const Level level{id, session_order};
          ASSERT_FALSE(forbids(level, a.id))
              << small::text_of(history) << " has " << a.name << " and is " << text_of(level);
        }
      }
    }
  }
  for (const Anomaly common : {Anomaly::g1a, Anomaly::g0, Anomaly::g2_realtime, Anomaly::long_fork,
                               Anomaly::lost_update, Anomaly::non_monotonic_reads}) {
    EXPECT_TRUE(seen[static_cast<std::size_t>(common)]) << name_of(common);
  }
}

}  // namespace
}  // namespace isoscope
