#include <algorithm>

#include "isoscope/base/contract.h"
#include "solver/core.h"

namespace isoscope {

std::uint32_t AcyclicSolver::Core::add_variable(bool must_decide) {
  const auto variable = static_cast<std::uint32_t>(variables_.size());
  variables_.emplace_back();
  values_.resize(values_.size() + 2, 0);
  watches_.resize(watches_.size() + 2);
  edges_of_.resize(edges_of_.size() + 2);
  marks_.push_back(Mark::none);
  level_stamps_.resize(variables_.size() + 1, 0);
  heap_.add_variable();
  if (must_decide) {
    make_decided(variable);
  }
  return variable;
}

void AcyclicSolver::Core::make_decided(std::uint32_t variable) {
  ISOSCOPE_REQUIRE(variable < variables_.size());
  variables_[variable].must_decide = true;
  if (is_open(SatLiteral::positive(variable))) {
    heap_.insert(variable);  // otherwise it gets there when its value is taken back
  }
}

void AcyclicSolver::Core::add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag) {
  ISOSCOPE_REQUIRE(literal.variable() < variables_.size());
  ISOSCOPE_REQUIRE(edge.from < order_.node_count() && edge.to < order_.node_count());
  backtrack(0);
  const auto index = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({edge, literal, tag, no_edge});
  EdgeList& list = edges_of_[literal.code()];
  (list.first == no_edge ? list.first : edges_[list.last].next) = index;
  list.last = index;
  if (!unsatisfiable_ && is_true(literal) && !insert_edge(index)) {
    conclude_unsatisfiable();
  }
}

std::uint32_t AcyclicSolver::Core::add_clause(std::span<const SatLiteral> literals) {
  const std::uint32_t id = ++last_id_;
  if (proof_ != nullptr) {
    proof_->given(id, literals);
  }
  if (unsatisfiable_) {
    return id;
  }
  backtrack(0);
  std::vector<SatLiteral> all(literals.begin(), literals.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ISOSCOPE_REQUIRE(all[i].variable() < variables_.size());
    const bool tautology = i > 0 && all[i - 1] == !all[i];
    if (tautology || is_true(all[i])) {
      return id;
    }
  }
  // False literals stay in the clause, for a proof has to say why they are false.
  const auto first_false = std::stable_partition(
      all.begin(), all.end(), [&](SatLiteral literal) { return is_open(literal); });
  const auto open = first_false - all.begin();
  if (open == 0) {
    conflict_ = {id, no_clause, all};
    conclude_unsatisfiable();
  } else if (open == 1) {
    if (all.size() == 1) {
      assign_unit(all.front(), id);
    } else {
      announce_unit(all.front(), id, all);
    }
    settle();
  } else {
    const ClauseRef clause = clauses_.add(id, all, false, 0);
    watch(clause);
    given_.push_back({clause, all.front()});
    given_unchecked_ = given_.size();
  }
  return id;
}

void AcyclicSolver::Core::settle() {
  if (!propagate()) {
    conclude_unsatisfiable();
  }
}

void AcyclicSolver::Core::conclude_unsatisfiable() {
  announce_empty_clause();
  unsatisfiable_ = true;
}

}  // namespace isoscope
