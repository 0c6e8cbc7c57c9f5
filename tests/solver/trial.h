#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "isoscope/solver/acyclic_solver.h"
#include "solver/problem.h"
#include "solver/proof_check.h"

namespace isoscope {

/// A problem that grows, the solver that is told of it, and checks of all it says.
class Trial {
 public:
  /// Base edges must go from lower to higher nodes.
  explicit Trial(const Problem& problem, AcyclicSolver::Options options = {})
      : problem_(problem),
        base_(problem.node_count, problem.base),
        solver_(base_, numbered(problem.node_count), options, &proof_) {}

  /// Solves what the problem is now, and checks the model or the refutation.
  Satisfiability solve() {
    for (const std::uint32_t id : tell(solver_, problem_, told_)) {
      ids_.push_back(id);
    }
    const Satisfiability answer = solver_.solve(Limits::none());
    if (answer == Satisfiability::satisfiable) {
      EXPECT_EQ(fault_in(problem_, model()), "");
      expect_order();
    } else {
      EXPECT_EQ(answer, Satisfiability::unsatisfiable);
      EXPECT_TRUE(proof_.is_refutation());
      EXPECT_EQ(ProofCheck(problem_, ids_).fault_in(proof_.trimmed()), "");
    }
    return answer;
  }

  Values model() const {
    Values values;
    for (std::uint32_t variable = 0; variable < problem_.must_decide.size(); ++variable) {
      values.push_back(solver_.value(SatLiteral::positive(variable)));
      const auto negated = solver_.value(SatLiteral::negative(variable));
      EXPECT_EQ(values.back().has_value(), negated.has_value());
      EXPECT_TRUE(!negated || *negated != *values.back());
    }
    return values;
  }

  AcyclicSolver& solver() { return solver_; }
  const RecordedProof& proof() const { return proof_; }

 private:
  static std::vector<std::uint32_t> numbered(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
  }

  void expect_order() const {
    for (const Problem::Edge& edge : problem_.edges) {
      if (solver_.value(edge.owner) == true) {
        EXPECT_LT(solver_.order().rank(edge.edge.from), solver_.order().rank(edge.edge.to));
      }
    }
  }

  const Problem& problem_;
  Digraph base_;
  RecordedProof proof_;
  AcyclicSolver solver_;
  Told told_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace isoscope
