#include <gtest/gtest.h>

#include "isoscope/base/random.h"
#include "solver/trial.h"
#include "test_scale.h"

// Every answer on thousands of small random problems is compared with trying all assignments.

namespace isoscope {
namespace {

using Answer = Satisfiability;

class RandomProblem {
 public:
  explicit RandomProblem(std::uint64_t seed) : random_(seed) {
    problem_.node_count = number(1, 6);
    for (std::uint32_t i = number(0, 4); i > 0; --i) {
      const std::uint32_t a = number(0, problem_.node_count - 1);
      const std::uint32_t b = number(0, problem_.node_count - 1);
      if (a != b) {
        problem_.base.push_back({std::min(a, b), std::max(a, b)});
      }
    }
    one_sided_ = random_.chance(50);
    decided_percent_ = number(0, 2) * 50;
    grow(6, 8, 8);
  }

  const Problem& problem() const { return problem_; }

  /// Variables that need no value then own edges with one literal at most, so that a variable that
  /// was left open can always be given the value that adds none.
  bool one_sided() const { return one_sided_; }

  void grow(std::uint32_t variables, std::uint32_t edges, std::uint32_t clauses) {
    for (std::uint32_t i = number(0, variables); i > 0 || problem_.must_decide.empty();
         i -= i > 0 ? 1 : 0) {
      problem_.must_decide.push_back(random_.chance(decided_percent_));
    }
    for (std::uint32_t i = number(0, edges); i > 0; --i) {
      SatLiteral owner = literal();
      if (one_sided_ && !problem_.must_decide[owner.variable()]) {
        owner = SatLiteral::positive(owner.variable());
      }
      problem_.edges.push_back(
          {owner,
           {number(0, problem_.node_count - 1), number(0, problem_.node_count - 1)},
           number(0, 1000)});
    }
    for (std::uint32_t i = number(0, clauses); i > 0; --i) {
      std::vector<SatLiteral> clause;
      for (std::uint32_t size = number(random_.chance(3) ? 0 : 1, 4); size > 0; --size) {
        clause.push_back(literal());
      }
      problem_.clauses.push_back(clause);
    }
  }

 private:
  std::uint32_t number(std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random_.below(high - low + 1));
  }
  SatLiteral literal() {
    return SatLiteral::from_code(
        static_cast<std::uint32_t>(random_.below(2 * problem_.must_decide.size())));
  }

  Random random_;
  Problem problem_;
  bool one_sided_ = false;
  unsigned decided_percent_ = 0;
};

void try_many(AcyclicSolver::Options options, std::uint64_t first_seed) {
  int satisfiable = 0;
  int unsatisfiable = 0;
  int by_cycles = 0;
  int left_open = 0;
  for (int round = 0; round < 20000 * test_scale(); ++round) {
    RandomProblem source(first_seed + static_cast<std::uint64_t>(round));
    Trial trial(source.problem(), options);
    for (int stage = 0; stage < 4; ++stage) {
      const Answer answer = trial.solve();
      const bool expected = has_solution(source.problem());
      if (answer == Answer::unsatisfiable) {
        EXPECT_FALSE(expected);
        ++unsatisfiable;
        by_cycles += trial.solver().statistics().cycle_conflicts > 0 ? 1 : 0;
        EXPECT_EQ(trial.solver().solve(Limits::none()), Answer::unsatisfiable);
        break;
      }
      ++satisfiable;
      if (source.one_sided()) {
        EXPECT_TRUE(expected);
      }
      for (const auto& value : trial.model()) {
        left_open += value ? 0 : 1;
      }
      source.grow(source.problem().must_decide.size() < 8 ? 1 : 0, 3, 3);
    }
    if (testing::Test::HasFailure()) {
      FAIL() << "seed " << first_seed + static_cast<std::uint64_t>(round);
    }
  }
  EXPECT_GT(satisfiable, 5000);
  EXPECT_GT(unsatisfiable, 5000);
  EXPECT_GT(by_cycles, 2000);
  EXPECT_GT(left_open, 5000);
}

TEST(SmallProblems, AgreeWithTryingEverything) { try_many({}, 1'000'000); }

TEST(SmallProblems, AgreeWithTryingEverythingWithoutTheOrdersAdvice) {
  try_many({.order_guides_polarity = false}, 2'000'000);
}

TEST(SmallProblems, AgreeWithTryingEverythingWithoutJumps) {
  try_many({.longest_jump = 0}, 3'000'000);
}

}  // namespace
}  // namespace isoscope
