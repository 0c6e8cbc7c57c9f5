// Holds every cell of the table of violations (docs/stores.md) against the reference checker:
// small runs of the store with the bug violate the levels it says, and never another one.

#include <gtest/gtest.h>

#include <algorithm>

#include "isoscope/history/format.h"
#include "isoscope/store/violations.h"
#include "reference/reference_checker.h"
#include "store/cells.h"
#include "store/small_workload.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::Cell;

std::string text_of(const History& history) { return *format_history(history, Format::litmus); }

class Matrix : public testing::TestWithParam<Cell> {};

constexpr std::uint64_t runs = 5000;
// Some anomalies are rare: as many runs as it takes to see them, but no more.
constexpr std::uint64_t most_runs = 200'000;

TEST_P(Matrix, RunsViolateWhatTheTableSaysAndNothingElse) {
  const auto [store, bug] = GetParam();
  std::vector<Level> kept;
  std::vector<Level> wanted;  // not seen violated so far
  for (const bool session_order : {true, false}) {
    for (const LevelId id : kept_levels(store, bug, session_order)) {
      kept.push_back({id, session_order});
    }
    for (const LevelId id : violated_levels(store, bug, session_order)) {
      wanted.push_back({id, session_order});
    }
  }
  const std::uint64_t at_least = runs * static_cast<std::uint64_t>(test_scale());
  for (std::uint64_t seed = 1; seed <= at_least || (seed <= most_runs && !wanted.empty()); ++seed) {
    const History history = test::small_run(store, bug, seed);
    if (seed <= at_least) {
      const std::vector<bool> holds = reference::satisfied(history, kept);
      for (std::size_t i = 0; i < kept.size(); ++i) {
        ASSERT_TRUE(holds[i]) << text_of(history) << "violates " << text_of(kept[i]);
      }
    }
    const std::vector<bool> holds = reference::satisfied(history, wanted);
    for (std::size_t i = wanted.size(); i-- > 0;) {
      if (!holds[i]) wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (const Level& level : wanted) ADD_FAILURE() << "no run violates " << text_of(level);
}

std::string cell_name(const testing::TestParamInfo<Cell>& cell) {
  std::string name =
      std::string(name_of(cell.param.store)) + "_with_" + std::string(name_of(cell.param.bug));
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Store, Matrix, testing::ValuesIn(test::cells()), cell_name);

TEST(Violations, NoStoreWithoutABugViolatesItsPromise) {
  for (const StoreEntry& store : stores()) {
    EXPECT_FALSE(can_violate(store.kind, Bug::none, {store.promise, true})) << store.name;
  }
}

TEST(Violations, EveryBugViolatesMoreThanTheStoreWithoutIt) {
  int with_a_bug = 0;
  for (const auto& [store, bug] : test::cells()) {
    if (bug == Bug::none) continue;
    bool more = false;
    for (const LevelEntry& level : levels()) {
      const bool before = can_violate(store, Bug::none, {level.id, true});
      const bool now = can_violate(store, bug, {level.id, true});
      EXPECT_TRUE(now || !before) << name_of(store) << " " << name_of(bug) << " " << level.name;
      more = more || (now && !before);
    }
    EXPECT_TRUE(more) << name_of(store) << " " << name_of(bug);
    ++with_a_bug;
  }
  EXPECT_GE(with_a_bug, 20);
}

TEST(Violations, RowsAreWeakestLevelsOnly) {
  for (const auto& [store, bug] : test::cells()) {
    for (const bool session_order : {true, false}) {
      const auto row = violated_levels(store, bug, session_order);
      for (const LevelId a : row) {
        EXPECT_FALSE(is_vacuous({a, session_order}));
        for (const LevelId b : row) {
          EXPECT_TRUE(a == b || !implies(Level{a, session_order}, Level{b, session_order}))
              << name_of(store) << " " << name_of(bug) << " " << name_of(a) << " " << name_of(b);
        }
      }
    }
  }
}

}  // namespace
}  // namespace isoscope
