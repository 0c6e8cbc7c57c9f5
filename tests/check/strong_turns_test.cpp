// An attempt goes on in turns, and a turn is bounded as a whole: not only the conflicts of the
// solver count, but all that is done in the rounds between its answers.

#include <gtest/gtest.h>

#include "check/strong/search/attempt.h"
#include "check/strong_case.h"
#include "isoscope/store/run.h"

namespace isoscope {
namespace {

/// Repeated values under snapshots: some rounds, each with few conflicts.
History history_with_rounds(std::uint64_t seed) {
  RunPlan plan;
  plan.store = StoreKind::snapshot_isolation;
  plan.workload = entry_of(WorkloadKind::general).usual;
  plan.workload.sessions = 20;
  plan.workload.operations = 8;
  plan.workload.keys = 300;
  plan.workload.duplicate_percent = 100;
  plan.workload.value_space = 10;
  plan.transactions = 100;
  plan.indeterminate_percent = 3;
  plan.seed = seed;
  return run(plan);
}

/// What an attempt at snapshot isolation looks at, for a history whose reads are in order.
struct Asked {
  explicit Asked(std::uint64_t seed) : history(history_with_rounds(seed)) {
    EXPECT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
    std::vector<std::uint8_t> takes_part(history.transaction_count(), 0);
    for (const TransactionId t : history.transactions()) {
      takes_part[t.index()] = history.outcome(t) != Outcome::aborted ? 1 : 0;
    }
    strong::LikelyTimes likely(history, takes_part, options.clocks_guide);
    about.emplace(strong::Case{history, accesses, options, std::move(takes_part),
                               strong::RuledOut(history, accesses, {}), std::move(likely)});
  }

  strong::Attempt attempt(CheckStatistics* statistics) const {
    return {*about, {*strong::rules_of(LevelId::snapshot_isolation)}, {.statistics = statistics}};
  }

  const History history;
  KeyAccesses accesses;
  const CheckOptions options = {.clocks_guide = false};
  std::optional<strong::Case> about;
};

TEST(StrongTurns, AreBoundedInAllTheirRounds) {
  int took_several = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Asked asked(seed);
    CheckStatistics statistics;
    strong::Attempt at_one_go = asked.attempt(&statistics);
    ASSERT_EQ(at_one_go.go_on(0), strong::Attempt::State::holds);
    if (statistics.rounds < 2) continue;
    // More conflicts than it needs.
    const std::uint64_t turn = at_one_go.statistics().conflicts + 1;
    strong::Attempt in_turns = asked.attempt(nullptr);
    int turns = 1;
    while (in_turns.go_on(turn) == strong::Attempt::State::open) ++turns;
    EXPECT_EQ(in_turns.state(), strong::Attempt::State::holds);
    took_several += turns > 1 ? 1 : 0;
  }
  EXPECT_GE(took_several, 2);
}

TEST(StrongTurns, LeadToTheSameAnswer) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const History history = history_with_rounds(seed);
    for (const std::uint64_t first_turn : {1, 10, 100}) {
      for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
        EXPECT_EQ(
            test::confirmed_answer(history, Level{id}, {.strong = {.first_turn = first_turn}}),
            id == LevelId::serializable ? Answer::violated : Answer::holds);
      }
    }
  }
}

}  // namespace
}  // namespace isoscope
