// The meaning of formulas.

#include <algorithm>

#include "isoscope/base/contract.h"
#include "spec/evaluator.h"

namespace isoscope::spec {

bool Evaluator::holds(const Node& node) {
  const Node& of = *node.children[0];
  const auto argument = [&](std::size_t i) { return variable(*node.children[i]); };
  if (is_set(of)) return (set(of) >> argument(1) & 1) != 0;
  if (node.children.size() == 4) {
    ByKey space;
    const std::size_t key = argument(2);
    return (keys_ >> key & 1) != 0 && keyed(of, space)[key].has(argument(1), argument(3));
  }
  Matrix space;
  return relation(of, space).has(argument(1), argument(2));
}

bool Evaluator::is_total_order(const Matrix& matrix, Bits on) const {
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const Bits allowed = (on >> i & 1) != 0 ? on & ~bit(i) : 0;
    if ((matrix.rows[i] & ~allowed) != 0) return false;
  }
  return all_of_bits(on, [&](std::size_t i) {
    return all_of_bits(on & ~bit(i), [&](std::size_t j) {
      if (matrix.has(i, j) == matrix.has(j, i)) return false;
      return !matrix.has(i, j) || (matrix.rows[j] & ~matrix.rows[i]) == 0;
    });
  });
}

template <class Words>
bool Evaluator::compare(const Node& node, const Words& words) {
  const Node& left = *node.children[0];
  const Node& right = *node.children[1];
  const auto rows = [&](const Matrix& a, const Matrix& b) {
    return std::ranges::equal(a.rows, b.rows, words);
  };
  if (is_set(left)) return words(set(left), set(right));
  if (is_keyed(left) && is_keyed(right)) {
    ByKey left_space;
    ByKey right_space;
    return std::ranges::equal(keyed(left, left_space), keyed(right, right_space), rows);
  }
  Matrix left_space;
  Matrix right_space;
  return rows(relation(left, left_space), relation(right, right_space));
}

bool Evaluator::is_empty(const Node& node) {
  if (is_set(node)) return set(node) == 0;
  Matrix space;
  return std::ranges::all_of(relation(node, space).rows, [](Bits row) { return row == 0; });
}

bool Evaluator::within(const Node& node) {
  const Node& of = *node.children[0];
  const Bits chosen = set(of);
  if (of.type.left == Sort::transaction) {
    return Evaluator(*this, (chosen & transactions_) | bit(0), keys_).truth(*node.children[1]);
  }
  const Bits keys = chosen & keys_;
  Bits transactions = bit(0);
  for_each_bit(transactions_, [&](std::size_t t) {
    if (((history_.writes.rows[t] | reads_.rows[t]) & keys) != 0) transactions |= bit(t);
  });
  return Evaluator(*this, transactions, keys).truth(*node.children[1]);
}

bool Evaluator::truth(const Node& node) {
  const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
  const auto is_true = [&](const NodePtr& formula) { return truth(*formula); };
  const auto for_all = [&](bool wanted) {
    return all_of_bits(all(node.sorts[0]), [&](std::size_t i) {
      bind(node.index, i);
      return truth(child(0)) == wanted;
    });
  };
  Matrix space;
  switch (node.kind) {
    case Node::Kind::truth:
      return node.index != 0;
    case Node::Kind::holds:
      return holds(node);
    case Node::Kind::subset:
      return compare(node, [](Bits a, Bits b) { return (a & ~b) == 0; });
    case Node::Kind::equal:
      return compare(node, [](Bits a, Bits b) { return a == b; });
    case Node::Kind::some:
      return !is_empty(child(0));
    case Node::Kind::acyclic:
    case Node::Kind::irreflexive: {
      Matrix matrix = relation(child(0));
      if (node.kind == Node::Kind::acyclic) close(matrix);
      for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
        if (matrix.has(i, i)) return false;
      }
      return true;
    }
    case Node::Kind::total_order:
      return is_total_order(relation(child(0), space), set(child(1)));
    case Node::Kind::negation:
      return !truth(child(0));
    case Node::Kind::conjunction:
      return std::ranges::all_of(node.children, is_true);
    case Node::Kind::disjunction:
      return std::ranges::any_of(node.children, is_true);
    case Node::Kind::implication:
      return !truth(child(0)) || truth(child(1));
    case Node::Kind::equivalence:
      return truth(child(0)) == truth(child(1));
    case Node::Kind::for_all:
      return for_all(true);
    case Node::Kind::exists:
      return !for_all(false);
    case Node::Kind::within:
      return within(node);
    default:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return false;
}

}  // namespace isoscope::spec
