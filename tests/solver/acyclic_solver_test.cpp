#include "isoscope/solver/acyclic_solver.h"

#include <gtest/gtest.h>

#include "solver/trial.h"

namespace isoscope {
namespace {

using Answer = Satisfiability;

SatLiteral yes(std::uint32_t variable) { return SatLiteral::positive(variable); }
SatLiteral no(std::uint32_t variable) { return SatLiteral::negative(variable); }

TEST(SatLiteral, Codes) {
  EXPECT_EQ(yes(3).variable(), 3U);
  EXPECT_EQ(no(3).variable(), 3U);
  EXPECT_TRUE(no(3).is_negative());
  EXPECT_EQ(!yes(3), no(3));
  EXPECT_EQ(!no(3), yes(3));
  EXPECT_EQ(SatLiteral::from_code(no(3).code()), no(3));
  EXPECT_LT(yes(3), no(3));
  EXPECT_LT(no(3), yes(4));
}

TEST(AcyclicSolver, TheExampleOfTheHeader) {
  Problem problem;
  problem.node_count = 3;
  problem.base = {{0, 1}};
  problem.must_decide = {false, false};
  problem.edges = {{yes(0), {1, 2}, 10}, {yes(1), {2, 0}, 11}};
  problem.clauses = {{yes(0), yes(1)}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  problem.clauses.push_back({yes(0)});
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  problem.clauses.push_back({yes(1)});
  EXPECT_EQ(trial.solve(), Answer::unsatisfiable);
  const auto steps = trial.proof().trimmed();
  ASSERT_EQ(steps.size(), 4U);  // both unit clauses, the cycle, the end
  EXPECT_EQ(steps[2].kind, ProofEvent::Kind::cycle);
  EXPECT_EQ(
      std::vector(steps[2].edges.begin(), steps[2].edges.end()),
      (std::vector<CycleEdge>{{2, 0, yes(1), 11}, {0, 1, std::nullopt, 0}, {1, 2, yes(0), 10}}));
}

TEST(AcyclicSolver, NothingToDo) {
  const Problem problem;
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
}

TEST(AcyclicSolver, TheEmptyClause) {
  Problem problem;
  problem.clauses = {{}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::unsatisfiable);
  EXPECT_EQ(trial.proof().trimmed().size(), 2U);
}

TEST(AcyclicSolver, RepeatedLiteralsAndTautologies) {
  Problem problem;
  problem.must_decide = {false, false};
  problem.clauses = {{yes(0), no(0)}, {yes(1), yes(1)}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  EXPECT_EQ(trial.model(), (Values{std::nullopt, true}));
}

TEST(AcyclicSolver, DecidesOnlyWhatIsNeeded) {
  Problem problem;
  problem.must_decide = {true, false, false, false};
  problem.clauses = {{yes(1), yes(2)}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  EXPECT_EQ(trial.model(), (Values{false, true, std::nullopt, std::nullopt}));
  EXPECT_EQ(trial.solver().statistics().decisions, 2U);
  trial.solver().make_decided(3);
  problem.must_decide[3] = true;
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  EXPECT_EQ(trial.solver().statistics().decisions, 3U);
}

TEST(AcyclicSolver, TheOrderSaysWhichValue) {
  Problem problem;
  problem.node_count = 2;
  problem.must_decide = {true, true, true, true, true};
  problem.edges = {{yes(0), {0, 1}}, {yes(1), {1, 0}}, {no(2), {0, 1}}, {no(3), {1, 0}}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  EXPECT_EQ(trial.model(), (Values{true, false, false, true, false}));
  EXPECT_EQ(trial.solver().statistics().conflicts, 0U);

  Trial unguided(problem, {.order_guides_polarity = false});
  EXPECT_EQ(unguided.solve(), Answer::satisfiable);
  EXPECT_GT(unguided.solver().statistics().cycle_conflicts, 0U);
}

TEST(AcyclicSolver, AnEdgeOfALiteralThatIsAlreadyFixed) {
  Problem problem;
  problem.node_count = 3;
  problem.base = {{0, 1}, {1, 2}};
  problem.must_decide = {false};
  problem.clauses = {{yes(0)}};
  Trial trial(problem);
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  problem.edges.push_back({yes(0), {0, 2}, 1});
  EXPECT_EQ(trial.solve(), Answer::satisfiable);
  EXPECT_EQ(trial.solver().order().mark(), 1U);
  problem.edges.push_back({yes(0), {2, 0}, 2});
  EXPECT_EQ(trial.solve(), Answer::unsatisfiable);
}

TEST(AcyclicSolver, StopsWhenToldTo) {
  Problem problem;
  problem.must_decide = {true, true};
  Trial trial(problem);
  Told told;
  tell(trial.solver(), problem, told);
  Limits limits;
  limits.request_stop();
  EXPECT_EQ(trial.solver().solve(limits), Answer::stopped);
  EXPECT_EQ(trial.solver().value(yes(0)), std::nullopt);
  EXPECT_EQ(trial.solver().solve(Limits::none()), Answer::satisfiable);
}

}  // namespace
}  // namespace isoscope
