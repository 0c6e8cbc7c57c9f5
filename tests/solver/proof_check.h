#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "isoscope/solver/proof.h"
#include "solver/problem.h"

namespace isoscope {

/// Follows a refutation step by step, knowing only the problem. It shares no code with the solver.
class ProofCheck {
 public:
  /// `ids` are those of the problem's clauses.
  ProofCheck(const Problem& problem, const std::vector<std::uint32_t>& ids) : problem_(problem) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      given_[ids[i]] = problem.clauses[i];
    }
  }

  /// What is wrong with the proof; empty if it is a refutation.
  std::string fault_in(const std::vector<ProofEvent>& steps) {
    for (const ProofEvent& step : steps) {
      std::string fault;
      switch (step.kind) {
        case ProofEvent::Kind::given:
          fault = fault_in_given(step);
          break;
        case ProofEvent::Kind::cycle:
          fault = fault_in_cycle(step);
          break;
        case ProofEvent::Kind::learned:
          fault = fault_in_learned(step);
          break;
      }
      if (!fault.empty()) {
        return "step " + std::to_string(step.id) + ": " + fault;
      }
      if (!known_.emplace(step.id, std::vector(step.literals.begin(), step.literals.end()))
               .second) {
        return "two steps have id " + std::to_string(step.id);
      }
    }
    return !steps.empty() && steps.back().literals.empty() ? "" : "it does not end in a conflict";
  }

 private:
  std::string fault_in_given(const ProofEvent& step) const {
    const auto found = given_.find(step.id);
    if (found == given_.end() || !std::equal(step.literals.begin(), step.literals.end(),
                                             found->second.begin(), found->second.end())) {
      return "not a clause of the problem";
    }
    return "";
  }

  std::string fault_in_cycle(const ProofEvent& step) const {
    std::set<SatLiteral> negations;
    for (std::size_t i = 0; i < step.edges.size(); ++i) {
      const CycleEdge& edge = step.edges[i];
      if (edge.to != step.edges[(i + 1) % step.edges.size()].from) {
        return "the edges do not join";
      }
      const DirectedEdge plain{edge.from, edge.to};
      if (!edge.literal) {
        if (std::find(problem_.base.begin(), problem_.base.end(), plain) == problem_.base.end()) {
          return "not an edge of the base";
        }
        continue;
      }
      negations.insert(!*edge.literal);
      if (std::none_of(problem_.edges.begin(), problem_.edges.end(), [&](const auto& owned) {
            return owned.owner == *edge.literal && owned.edge == plain && owned.tag == edge.tag;
          })) {
        return "not an edge of its literal";
      }
    }
    const std::set<SatLiteral> literals(step.literals.begin(), step.literals.end());
    if (step.edges.empty() || literals != negations || literals.size() != step.literals.size()) {
      return "not the clause of this cycle";
    }
    return "";
  }

  std::string fault_in_learned(const ProofEvent& step) const {
    std::set<SatLiteral> falsified(step.literals.begin(), step.literals.end());
    for (std::size_t i = 0; i < step.antecedents.size(); ++i) {
      const auto found = known_.find(step.antecedents[i]);
      if (found == known_.end()) {
        return "antecedent " + std::to_string(step.antecedents[i]) + " is not known";
      }
      std::set<SatLiteral> open;
      for (const SatLiteral literal : found->second) {
        if (!falsified.contains(literal)) {
          open.insert(literal);
        }
      }
      const bool is_last = i + 1 == step.antecedents.size();
      if (open.size() != (is_last ? 0U : 1U)) {
        return "antecedent " + std::to_string(step.antecedents[i]) + " has " +
               std::to_string(open.size()) + " literals left";
      }
      if (!is_last) {
        if (falsified.contains(!*open.begin())) {
          return "antecedent " + std::to_string(step.antecedents[i]) + " says nothing new";
        }
        falsified.insert(!*open.begin());
      }
    }
    return step.antecedents.empty() ? "no antecedents" : "";
  }

  const Problem& problem_;
  std::map<std::uint32_t, std::vector<SatLiteral>> given_;
  std::map<std::uint32_t, std::vector<SatLiteral>> known_;
};

}  // namespace isoscope
