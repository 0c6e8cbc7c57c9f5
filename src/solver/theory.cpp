#include <algorithm>

#include "solver/core.h"

namespace isoscope {

bool AcyclicSolver::Core::insert_edges_of(SatLiteral literal) {
  for (std::uint32_t index = edges_of_[literal.code()].first; index != no_edge;
       index = edges_[index].next) {
    if (!insert_edge(index)) {
      return false;
    }
  }
  return true;
}

bool AcyclicSolver::Core::insert_edge(std::uint32_t index) {
  if (order_.add(edges_[index].edge, index)) {
    return true;
  }
  ++statistics_.cycle_conflicts;
  make_lemma();
  return false;
}

/// Not all literals on a cycle can be true. The clause is the conflict; it is not kept itself, for
/// what is learned from it says more.
void AcyclicSolver::Core::make_lemma() {
  conflict_.id = ++last_id_;
  conflict_.clause = no_clause;
  conflict_.literals.clear();
  cycle_edges_.clear();
  for (const IncrementalOrder::LabelledEdge& edge : order_.cycle()) {
    if (edge.label == IncrementalOrder::no_label) {
      cycle_edges_.push_back({edge.from, edge.to, std::nullopt, 0});
    } else {
      const OwnedEdge& owned = edges_[edge.label];
      conflict_.literals.push_back(!owned.owner);
      cycle_edges_.push_back({edge.from, edge.to, owned.owner, owned.tag});
    }
  }
  std::sort(conflict_.literals.begin(), conflict_.literals.end());
  conflict_.literals.erase(std::unique(conflict_.literals.begin(), conflict_.literals.end()),
                           conflict_.literals.end());
  if (proof_ != nullptr) {
    proof_->cycle(conflict_.id, conflict_.literals, cycle_edges_);
  }
}

}  // namespace isoscope
