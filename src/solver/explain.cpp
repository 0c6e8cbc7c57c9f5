#include <algorithm>

#include "isoscope/base/contract.h"
#include "solver/core.h"

namespace isoscope {

/// The last open literal of a clause at level 0 becomes true, and is announced as a unit clause of
/// its own.
void AcyclicSolver::Core::announce_unit(SatLiteral literal, std::uint32_t id,
                                        std::span<const SatLiteral> clause) {
  const std::uint32_t unit = ++last_id_;
  if (proof_ != nullptr) {
    antecedents_.clear();
    for (const SatLiteral other : clause) {
      if (other != literal) {
        antecedents_.push_back(variables_[other.variable()].unit_id);
      }
    }
    antecedents_.push_back(id);
    proof_->learned(unit, {&literal, 1}, antecedents_);
  }
  assign_unit(literal, unit);
}

/// Returns the id of new_clause_. If nothing was resolved, it is the conflict itself, which has
/// one.
std::uint32_t AcyclicSolver::Core::announce_learned() {
  if (proof_ == nullptr) {
    return ++last_id_;
  }
  collect_antecedents();
  if (antecedents_.size() == 1) {
    return conflict_.id;
  }
  proof_->learned(++last_id_, new_clause_, antecedents_);
  return last_id_;
}

void AcyclicSolver::Core::announce_empty_clause() {
  const std::uint32_t id = ++last_id_;
  if (proof_ != nullptr) {
    new_clause_.clear();
    collect_antecedents();
    proof_->learned(id, {}, antecedents_);
  }
}

/// Finds anew from the conflict what new_clause_ rests on, whatever analysis did. It asks why each
/// literal of the conflict is false. Either the clause says so, or a unit clause of level 0, or the
/// literal's reason; then it asks the same about the reason's other literals. The units come first,
/// then the reasons in the order in which they took effect, then the conflict.
void AcyclicSolver::Core::collect_antecedents() {
  antecedents_.clear();
  needed_.clear();
  for (const SatLiteral literal : new_clause_) {
    set_mark(literal.variable(), Mark::in_clause);
  }
  for (const SatLiteral literal : conflict_.literals) {
    need(literal);
  }
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    for (const std::uint32_t code : clauses_.codes(variables_[needed_[i]].reason)) {
      need(SatLiteral::from_code(code));
    }
  }
  forget_marks();
  std::sort(needed_.begin(), needed_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return variables_[a].trail_place < variables_[b].trail_place;
  });
  for (const std::uint32_t variable : needed_) {
    antecedents_.push_back(clauses_.id(variables_[variable].reason));
  }
  antecedents_.push_back(conflict_.id);
}

void AcyclicSolver::Core::need(SatLiteral false_literal) {
  const std::uint32_t variable = false_literal.variable();
  if (marks_[variable] != Mark::none) {
    return;
  }
  set_mark(variable, Mark::implied);
  if (level_of(false_literal) == 0) {
    antecedents_.push_back(variables_[variable].unit_id);
  } else {
    ISOSCOPE_ENSURE(variables_[variable].reason != no_clause);
    needed_.push_back(variable);
  }
}

}  // namespace isoscope
