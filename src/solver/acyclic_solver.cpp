#include "isoscope/solver/acyclic_solver.h"

#include "solver/core.h"

namespace isoscope {

AcyclicSolver::AcyclicSolver(const Digraph& base, std::span<const std::uint32_t> order,
                             Options options, ProofListener* proof)
    : core_(std::make_unique<Core>(base, order, options, proof)) {}

AcyclicSolver::~AcyclicSolver() = default;
AcyclicSolver::AcyclicSolver(AcyclicSolver&&) noexcept = default;
AcyclicSolver& AcyclicSolver::operator=(AcyclicSolver&&) noexcept = default;

std::uint32_t AcyclicSolver::add_variable(bool must_decide) {
  return core_->add_variable(must_decide);
}

void AcyclicSolver::make_decided(std::uint32_t variable) { core_->make_decided(variable); }

void AcyclicSolver::add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag) {
  core_->add_edge(literal, edge, tag);
}

std::uint32_t AcyclicSolver::add_clause(std::span<const SatLiteral> literals) {
  return core_->add_clause(literals);
}

Satisfiability AcyclicSolver::solve(const Limits& limits, std::uint64_t most_conflicts) {
  return core_->solve(limits, most_conflicts);
}

std::optional<bool> AcyclicSolver::value(SatLiteral literal) const { return core_->value(literal); }

const IncrementalOrder& AcyclicSolver::order() const { return core_->order(); }

const AcyclicSolver::Statistics& AcyclicSolver::statistics() const { return core_->statistics(); }

}  // namespace isoscope
