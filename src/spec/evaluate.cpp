#include "isoscope/spec/evaluate.h"

#include <algorithm>
#include <bit>

#include "isoscope/base/contract.h"
#include "spec/evaluator.h"

namespace isoscope::spec {
namespace {

/// Does it order just these elements, strictly and totally, and the initial transaction first?
bool orders(const Matrix& matrix, Bits elements) {
  Bits seen = 0;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const Bits row = matrix.rows[i];
    if ((elements >> i & 1) == 0) {
      if (row != 0) return false;
      continue;
    }
    if ((row & ~elements) != 0 || matrix.has(i, i)) return false;
    // In a total order the numbers of successors are 0, 1, ... n-1, each once; and a relation
    // with these numbers that contains its composition with itself is one.
    const Bits count = bit(static_cast<std::size_t>(std::popcount(row)));
    if ((seen & count) != 0) return false;
    seen |= count;
    if (!all_of_bits(row, [&](std::size_t j) { return (matrix.rows[j] & ~row) == 0; })) {
      return false;
    }
  }
  return (matrix.rows[0] | 1) == elements;
}

bool has_kind(const WitnessValue& value, Witness::Kind kind, const Structure& history) {
  const std::size_t n = history.transactions;
  const Bits all = first_bits(n);
  switch (kind) {
    case Witness::Kind::total_order:
      return value.matrix.rows.size() == n && orders(value.matrix, all);
    case Witness::Kind::relation: {
      if (value.matrix.rows.size() != n) return false;
      for (std::size_t t = 0; t < n; ++t) {
        if (value.matrix.has(t, t) || (value.matrix.rows[t] & ~all) != 0) return false;
      }
      return true;
    }
    case Witness::Kind::version_order: {
      if (value.by_key.size() != history.keys) return false;
      for (std::size_t key = 0; key < history.keys; ++key) {
        Bits writers = 0;
        for (std::size_t t = 0; t < n; ++t) {
          if (history.writes.has(t, key)) writers |= bit(t);
        }
        if (value.by_key[key].rows.size() != n || !orders(value.by_key[key], writers)) return false;
      }
      return true;
    }
    case Witness::Kind::transaction_set:
      return value.matrix.rows.size() == 1 && (value.matrix.rows[0] & (~all | 1)) == 0;
    case Witness::Kind::key_set:
      return value.matrix.rows.size() == 1 &&
             (value.matrix.rows[0] & ~first_bits(history.keys)) == 0;
  }
  return false;
}

bool is_within(const WitnessValue& a, const WitnessValue& b) {
  const auto rows = [](const Matrix& left, const Matrix& right) {
    return std::ranges::equal(left.rows, right.rows, [](Bits x, Bits y) { return (x & ~y) == 0; });
  };
  return rows(a.matrix, b.matrix) && std::ranges::equal(a.by_key, b.by_key, rows);
}

WitnessValue value_in(Evaluator& evaluator, const Node& node) {
  switch (node.type.kind) {
    case Type::Kind::set:
      return {Matrix{{evaluator.set(node)}}, {}};
    case Type::Kind::relation:
      return {evaluator.relation(node), {}};
    case Type::Kind::keyed:
      return {{}, evaluator.keyed(node)};
    case Type::Kind::formula:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return {};
}

}  // namespace

bool evaluate(const Node& formula, const Structure& history, const Execution& execution) {
  return Evaluator(history, execution).truth(formula);
}

WitnessValue value_of(const Node& expression, const Structure& history, const Execution& execution,
                      const Matrix* given_order) {
  Evaluator evaluator(history, execution, given_order);
  return value_in(evaluator, expression);
}

Judgement judge(const Definition& definition, const Structure& history,
                const Execution& execution) {
  if (execution.size() != definition.witnesses.size()) return {false, "number of witnesses"};
  Evaluator evaluator(history, execution);
  for (std::size_t i = 0; i < execution.size(); ++i) {
    const Witness& witness = definition.witnesses[i];
    const bool fits =
        has_kind(execution[i], witness.kind, history) &&
        (!witness.at_least || is_within(value_in(evaluator, *witness.at_least), execution[i])) &&
        (!witness.at_most || is_within(execution[i], value_in(evaluator, *witness.at_most)));
    if (!fits) return {false, witness.name};
  }
  for (const Axiom& axiom : definition.axioms) {
    if (!evaluator.truth(*axiom.formula)) return {false, axiom.name};
  }
  return {true, ""};
}

}  // namespace isoscope::spec
