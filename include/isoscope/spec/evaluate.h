#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/spec/definition.h"
#include "isoscope/spec/structure.h"

namespace isoscope::spec {

/// The value of one witness: total_order and relation use matrix; version_order by_key; a set is
/// the one row of matrix.
struct WitnessValue {
  Matrix matrix;
  std::vector<Matrix> by_key;

  bool operator==(const WitnessValue&) const = default;
};
using Execution = std::vector<WitnessValue>;  ///< one per witness of the definition

/// Is the formula true? Straight from the meaning of each operator, without any solver.
bool evaluate(const Node& formula, const Structure& history, const Execution& execution);

/// A set, relation or keyed relation (sets have one row). `given_order`: what Base::given_order is;
/// only canonical witnesses need one.
WitnessValue value_of(const Node& expression, const Structure& history, const Execution& execution,
                      const Matrix* given_order = nullptr);

/// Do the witnesses have their kind, keep their bounds, and make every axiom true? If not, `why` is
/// the name of the first thing that is not so.
struct Judgement {
  bool allowed = false;
  std::string why;
};
Judgement judge(const Definition& definition, const Structure& history, const Execution& execution);

/// Tries every choice of witnesses in turn: an execution that the definition allows, or nothing.
/// For small histories only: all orders of n transactions, all relations between the bounds.
std::optional<Execution> find_execution(const Definition& definition, const Structure& history);

}  // namespace isoscope::spec
