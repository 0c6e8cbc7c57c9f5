#include "isoscope/base/contract.h"
#include "isoscope/solver/proof.h"

namespace isoscope {

void RecordedProof::given(std::uint32_t id, std::span<const SatLiteral> literals) {
  record(ProofEvent::Kind::given, id, literals);
}

void RecordedProof::cycle(std::uint32_t id, std::span<const SatLiteral> literals,
                          std::span<const CycleEdge> edges) {
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  record(ProofEvent::Kind::cycle, id, literals);
}

void RecordedProof::learned(std::uint32_t id, std::span<const SatLiteral> literals,
                            std::span<const std::uint32_t> antecedents) {
  antecedents_.insert(antecedents_.end(), antecedents.begin(), antecedents.end());
  record(ProofEvent::Kind::learned, id, literals);
  if (literals.empty() && !refutation_) {
    refutation_ = steps_.size() - 1;
  }
}

void RecordedProof::record(ProofEvent::Kind kind, std::uint32_t id,
                           std::span<const SatLiteral> literals) {
  ISOSCOPE_REQUIRE(id == steps_.size() + 1);
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  steps_.push_back({literals_.size(), edges_.size(), antecedents_.size(), kind});
}

ProofEvent RecordedProof::step(std::size_t index) const {
  ISOSCOPE_REQUIRE(index < steps_.size());
  const Step start = index == 0 ? Step{0, 0, 0, ProofEvent::Kind::given} : steps_[index - 1];
  const Step& end = steps_[index];
  return {end.kind,
          static_cast<std::uint32_t>(index + 1),
          {literals_.data() + start.literals_end, literals_.data() + end.literals_end},
          {edges_.data() + start.edges_end, edges_.data() + end.edges_end},
          {antecedents_.data() + start.antecedents_end, antecedents_.data() + end.antecedents_end}};
}

std::vector<ProofEvent> RecordedProof::trimmed() const {
  if (!refutation_) {
    return {};
  }
  // Antecedents have lower ids, so going down once finds all that is needed.
  std::vector<bool> needed(*refutation_ + 1, false);
  needed[*refutation_] = true;
  for (std::size_t index = needed.size(); index-- > 0;) {
    if (needed[index]) {
      for (const std::uint32_t id : step(index).antecedents) {
        needed[id - 1] = true;
      }
    }
  }
  std::vector<ProofEvent> steps;
  for (std::size_t index = 0; index < needed.size(); ++index) {
    if (needed[index]) {
      steps.push_back(step(index));
    }
  }
  return steps;
}

}  // namespace isoscope
