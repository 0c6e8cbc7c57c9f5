#include <gtest/gtest.h>

#include "isoscope/base/random.h"
#include "solver/trial.h"

// Problems that take thousands of conflicts, so that restarts and deletion have their say.

namespace isoscope {
namespace {

using Answer = Satisfiability;

SatLiteral yes(std::size_t variable) {
  return SatLiteral::positive(static_cast<std::uint32_t>(variable));
}

/// Each pigeon sits in a hole, no two in one.
Problem pigeons(std::size_t count, std::size_t holes) {
  Problem problem;
  problem.must_decide.resize(count * holes, false);
  for (std::size_t pigeon = 0; pigeon < count; ++pigeon) {
    std::vector<SatLiteral> somewhere;
    for (std::size_t hole = 0; hole < holes; ++hole) {
      somewhere.push_back(yes(pigeon * holes + hole));
      for (std::size_t other = 0; other < pigeon; ++other) {
        problem.clauses.push_back({!yes(pigeon * holes + hole), !yes(other * holes + hole)});
      }
    }
    problem.clauses.push_back(somewhere);
  }
  return problem;
}

Problem random_clauses(std::uint64_t seed, std::uint32_t variables, std::size_t clauses) {
  Random random(seed);
  Problem problem;
  problem.must_decide.resize(variables, true);
  for (std::size_t i = 0; i < clauses; ++i) {
    auto& clause = problem.clauses.emplace_back();
    for (int j = 0; j < 3; ++j) {
      clause.push_back(
          SatLiteral::from_code(static_cast<std::uint32_t>(random.below(2 * variables))));
    }
  }
  return problem;
}

/// Every node is to be left by an edge: impossible without a cycle, and only cycles say so.
Problem endless_walk(std::uint64_t seed, std::uint32_t node_count, std::uint32_t choices) {
  Random random(seed);
  Problem problem;
  problem.node_count = node_count;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    auto& clause = problem.clauses.emplace_back();
    for (std::uint32_t i = 0; i < choices; ++i) {
      const auto variable = problem.must_decide.size();
      problem.must_decide.push_back(false);
      problem.edges.push_back({yes(variable),
                               {node, static_cast<std::uint32_t>(random.below(node_count))},
                               static_cast<std::uint32_t>(variable)});
      clause.push_back(yes(variable));
    }
  }
  return problem;
}

/// A total order of the nodes that respects, for each of many triples of random pairs, one at
/// least.
Problem some_of_three(std::uint64_t seed, std::uint32_t node_count, std::size_t triples) {
  Random random(seed);
  Problem problem;
  problem.node_count = node_count;
  for (std::uint32_t a = 0; a < node_count; ++a) {
    for (std::uint32_t b = a + 1; b < node_count; ++b) {
      const SatLiteral a_first = yes(problem.must_decide.size());
      problem.must_decide.push_back(true);
      problem.edges.push_back({a_first, {a, b}, 1});
      problem.edges.push_back({!a_first, {b, a}, 2});
    }
  }
  for (std::size_t i = 0; i < triples; ++i) {
    auto& clause = problem.clauses.emplace_back();
    for (int j = 0; j < 3; ++j) {
      clause.push_back(SatLiteral::from_code(
          static_cast<std::uint32_t>(random.below(2 * problem.must_decide.size()))));
    }
  }
  return problem;
}

/// Both ways to go back after a conflict.
class HardProblems : public testing::TestWithParam<std::uint32_t> {
 protected:
  static AcyclicSolver::Options options() { return {.longest_jump = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(LongestJump, HardProblems, testing::Values(0, 100));

TEST_P(HardProblems, Pigeons) {
  const Problem too_many = pigeons(7, 6);
  Trial trial(too_many, options());
  EXPECT_EQ(trial.solve(), Answer::unsatisfiable);
  EXPECT_LT(trial.proof().trimmed().size(), trial.proof().step_count());

  const Problem enough = pigeons(8, 8);
  Trial seated(enough, options());
  EXPECT_EQ(seated.solve(), Answer::satisfiable);
}

TEST_P(HardProblems, RandomClauses) {
  AcyclicSolver::Statistics sum;
  int satisfiable = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Problem problem = random_clauses(seed, 200, 860);
    Trial trial(problem, options());
    satisfiable += trial.solve() == Answer::satisfiable ? 1 : 0;
    sum.restarts += trial.solver().statistics().restarts;
    sum.deleted += trial.solver().statistics().deleted;
  }
  EXPECT_GT(satisfiable, 0);
  EXPECT_LT(satisfiable, 4);
  EXPECT_GT(sum.restarts, 20U);
  EXPECT_GT(sum.deleted, 1000U);
}

TEST_P(HardProblems, EndlessWalk) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem = endless_walk(seed, 14, 3);
    Trial trial(problem, options());
    EXPECT_EQ(trial.solve(), Answer::unsatisfiable);
    EXPECT_GT(trial.solver().statistics().cycle_conflicts, 10U);
  }
}

TEST_P(HardProblems, SomeOfThree) {
  int satisfiable = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem = some_of_three(seed, 20, 225);
    Trial trial(problem, options());
    satisfiable += trial.solve() == Answer::satisfiable ? 1 : 0;
  }
  EXPECT_GT(satisfiable, 0);
  EXPECT_LT(satisfiable, 10);
}

TEST_P(HardProblems, TheSameEveryTime) {
  const Problem problem = random_clauses(3, 120, 510);
  Trial first(problem, options());
  Trial second(problem, options());
  EXPECT_EQ(first.solve(), second.solve());
  EXPECT_EQ(first.model(), second.model());
  EXPECT_EQ(first.solver().statistics().decisions, second.solver().statistics().decisions);
  EXPECT_EQ(first.proof().step_count(), second.proof().step_count());
}

}  // namespace
}  // namespace isoscope
