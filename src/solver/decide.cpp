#include <algorithm>
#include <tuple>

#include "isoscope/base/contract.h"
#include "solver/core.h"

namespace isoscope {

/// False if nothing is left to decide: the assignment is a model.
bool AcyclicSolver::Core::decide() {
  while (!heap_.empty()) {
    const std::uint32_t variable = heap_.top();
    heap_.pop();
    if (is_open(SatLiteral::positive(variable))) {
      decide_on(preferred(variable));
      return true;
    }
  }
  if (const std::optional<SatLiteral> literal = literal_for_open_clause()) {
    decide_on(*literal);
    return true;
  }
  return false;
}

void AcyclicSolver::Core::decide_on(SatLiteral literal) {
  ++statistics_.decisions;
  levels_.push_back({trail_.size(), order_.mark()});
  set_true(literal, no_clause, level());
}

SatLiteral AcyclicSolver::Core::preferred(std::uint32_t variable) const {
  const SatLiteral positive = SatLiteral::positive(variable);
  const bool value = options_.order_guides_polarity ? order_agrees_with(positive).value_or(false)
                                                    : variables_[variable].last_value;
  return value ? positive : !positive;
}

/// Whether the order speaks for the literal: by its own first edge, or else by its negation's.
std::optional<bool> AcyclicSolver::Core::order_agrees_with(SatLiteral literal) const {
  for (const SatLiteral owner : {literal, !literal}) {
    if (const std::uint32_t index = edges_of_[owner.code()].first; index != no_edge) {
      const DirectedEdge edge = edges_[index].edge;
      const bool agrees = order_.rank(edge.from) < order_.rank(edge.to);
      return agrees == (owner == literal);
    }
  }
  return std::nullopt;
}

/// Goes round the given clauses until it finds one that has no true literal yet, or has seen all of
/// them true since a value was last taken back (given_unchecked_ are still to be seen). After a
/// conflict it goes on where it was: what is open is mostly there, and only the last round before a
/// model looks at everything.
std::optional<SatLiteral> AcyclicSolver::Core::literal_for_open_clause() {
  for (; given_unchecked_ > 0; --given_unchecked_) {
    GivenClause& given = given_[next_given_];
    if (!has_true_literal(given)) {
      return best_open_literal(given.clause);
    }
    next_given_ = next_given_ + 1 == given_.size() ? 0 : next_given_ + 1;
  }
  return std::nullopt;
}

bool AcyclicSolver::Core::has_true_literal(GivenClause& given) const {
  if (is_true(given.witness)) {
    return true;
  }
  for (const std::uint32_t code : clauses_.codes(given.clause)) {
    if (values_[code] > 0) {
      given.witness = SatLiteral::from_code(code);
      return true;
    }
  }
  return false;
}

/// Literals that the order speaks for come first, then those it has nothing to say about. Among
/// equal ones the most active comes first, and then the lowest.
SatLiteral AcyclicSolver::Core::best_open_literal(ClauseRef clause) const {
  std::optional<SatLiteral> best;
  std::tuple<int, double> best_score;
  for (const std::uint32_t code : clauses_.codes(clause)) {
    const SatLiteral literal = SatLiteral::from_code(code);
    if (!is_open(literal)) {
      continue;
    }
    int agreement = 0;
    if (options_.order_guides_polarity) {
      const std::optional<bool> agrees = order_agrees_with(literal);
      agreement = !agrees ? 0 : *agrees ? 1 : -1;
    }
    const std::tuple score(agreement, heap_.activity(literal.variable()));
    if (!best || score > best_score || (score == best_score && literal < *best)) {
      best = literal;
      best_score = score;
    }
  }
  ISOSCOPE_ENSURE(best.has_value());
  return *best;
}

}  // namespace isoscope
