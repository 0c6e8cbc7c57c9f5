// What follows about an execution without any choice, against the reference checker: nothing is
// ruled out that a history which holds needs, and a contradiction is found only where the level is
// violated. So the engine is asked with the candidates that are left and the order that is known
// then, and must say what the reference says.

#include <gtest/gtest.h>

#include "check/strong/problem/likely_times.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/visible/guess.h"
#include "check/visible/repair.h"
#include "check/visible/replay.h"
#include "check/visible/saturation.h"
#include "check/visible_case.h"
#include "check/weak/certain_commits.h"
#include "check/weak/check_weak.h"
#include "isoscope/base/random.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope {
namespace {

class VisibleSaturation : public testing::TestWithParam<Level> {
 protected:
  struct Count {
    int holds = 0;
    int contradictions = 0;
    int narrowed = 0;
    int orders = 0;
  };

  /// What the first pass leaves to decide; nothing if it has decided already.
  std::optional<Verdict> open_question(const History& history) {
    Verdict verdict{.level = GetParam()};
    const ReadFindings forbidden = ReadFindings::forbidden_by(GetParam());
    EXPECT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses_));
    const FirstPassResult pass = first_pass(history, accesses_, {.forbidden = forbidden});
    const auto refutes = [&](const BadRead& finding) { return finding.refutes(forbidden); };
    if (std::ranges::any_of(pass.findings, refutes) || !pass.undecided.empty()) return std::nullopt;
    verdict.counted_committed = pass.counted_committed;
    verdict.counted_aborted = pass.counted_aborted;
    verdict.ruled_out = pass.ruled_out;
    return verdict;
  }

  void compare(const History& history) {
    accesses_ = KeyAccesses();
    const auto verdict = open_question(history);
    if (!verdict) return;
    const auto takes_part = weak::participants(history, *verdict);
    const weak::KnownSources sources(history, accesses_, takes_part, GetParam().session_order, {},
                                     weak::Indeterminate::possible);
    if (sources.has_unclear_lists()) return;
    visible::Problem problem(sources);
    EXPECT_EQ(fits(problem, takes_part), reference::satisfies(history, GetParam()))
        << text_of(GetParam()) << "\n"
        << test::described(history);
  }

  /// Whether there is an execution, as far as saturation and then the search say.
  bool fits(visible::Problem& problem, const std::vector<std::uint8_t>& takes_part) {
    const visible::Row row = *visible::row_of(GetParam().id);
    const Digraph known(problem.size(), [&](const auto& visit) {
      for (visible::Txn t = 1; t < problem.size(); ++t) {
        if (problem.previous(t) != 0) visit(problem.previous(t), t);
      }
      for (const visible::Read& read : problem.reads()) {
        const bool is_known = !problem.is_open(read) && read.only != visible::none;
        if (is_known && read.only != 0) visit(read.only, read.reader);
      }
      for (const weak::KnownEdge& edge : problem.sources().version_order()) {
        if (edge.from != 0) visit(edge.from, edge.to);
      }
    });
    visible::Saturation saturation(problem, row, known, Limits::none());
    if (saturation.run() == visible::Saturation::Result::contradiction) {
      ++count_.contradictions;
      return false;
    }
    count_.orders += saturation.edges().empty() ? 0 : 1;
    for (const auto& read : saturation.narrowed()) problem.narrow(read.read, read.candidates);
    count_.narrowed += problem.is_narrowed() ? 1 : 0;
    const Digraph graph = saturation.graph();
    const strong::LikelyTimes likely(problem.history(), takes_part, true);
    const auto order = visible::likely_order(problem, graph, likely);
    visible::RowReads rows(accesses_, problem);
    visible::KnownOrders known_orders;
    const visible::RowOf row_of = [&](visible::Txn) -> const visible::Row& { return row; };
    visible::Replay replay(problem, rows, row_of, known_orders, Limits::none());
    const visible::OrderNodes nodes(problem, visible::OrderNodes::Of::commits, true);
    visible::Repair repair(problem, nodes, replay, known_orders, graph, order, Limits::none(),
                           Progress::silent());
    const bool holds = repair.run(0) == Satisfiability::satisfiable;
    count_.holds += holds ? 1 : 0;
    return holds;
  }

  KeyAccesses accesses_;
  Count count_;
};

TEST_P(VisibleSaturation, RulesOutNothingThatIsNeeded) {
  Random random(7 + static_cast<std::uint64_t>(GetParam().id));
  for (int i = 0; i < 1'500 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 5,
                                             .keys = 2 + i % 2,
                                             .lists = i % 5 == 1,
                                             .predicates = i % 4 == 2,
                                             .appended_once = true};
    compare(reference::random_history(random, features));
    const test::HardFeatures hard{.least_transactions = 4,
                                  .most_transactions = 5,
                                  .keys = 3,
                                  .values = 2,
                                  .operations = 5,
                                  .changed_percent = 60,
                                  .sessions_percent = 60,
                                  .doubtful_percent = i % 2 == 0 ? 20 : 0,
                                  .lists = i % 4 == 3};
    compare(test::HardHistory(random, hard).make());
  }
  EXPECT_GE(count_.holds, 100);
  EXPECT_GE(count_.narrowed, 20);
  const visible::Row row = *visible::row_of(GetParam().id);
  const bool looks = row.looks != visible::Looks::at_none && !row.by_version;
  EXPECT_GE(count_.orders, looks ? 2 : 0);
  // Reads of one's own future contradict any level.
  EXPECT_GE(count_.contradictions, looks ? 20 : 1);
}

std::vector<Level> levels_with_rows() {
  std::vector<Level> result;
  for (const LevelEntry& entry : levels()) {
    if (!visible::row_of(entry.id) || entry.kind == LevelKind::real_time) continue;
    result.push_back({entry.id, true});
    result.push_back({entry.id, false});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Levels, VisibleSaturation, testing::ValuesIn(levels_with_rows()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
