#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/spec/evaluate.h"
#include "spec/node_builder.h"

namespace isoscope::spec {

/// Well-typed expressions and formulas of every kind, at random. The witnesses they speak of are,
/// by number: a total order, a relation, a version order, a set of transactions, a set of keys; or
/// the first `witness_count` of these.
class RandomFormula {
 public:
  explicit RandomFormula(Random& random, std::uint32_t witness_count = 5)
      : random_(random), witness_count_(witness_count) {}

  static std::vector<Witness> witnesses() {
    using enum Witness::Kind;
    return {{"order", total_order},
            {"relation", relation},
            {"versions", version_order},
            {"some", transaction_set},
            {"keys", key_set}};
  }

  /// `depth`: how many operators may be inside each other.
  NodePtr formula(int depth) {
    using namespace build;
    if (depth <= 0) return truth(random_.chance(50));
    switch (random_.below(16)) {
      case 0:
        return negation(formula(depth - 1));
      case 1:
        return conjunction({formula(depth - 1), formula(depth - 1), formula(depth - 1)});
      case 2:
        return disjunction({formula(depth - 1), formula(depth - 1), formula(depth - 1)});
      case 3:
        return build::formula(random_.chance(50) ? Kind::implication : Kind::equivalence,
                              {formula(depth - 1), formula(depth - 1)});
      case 4:
      case 5:
      case 6: {
        const Sort bound = sort();
        const auto index = static_cast<std::uint32_t>(variables_.size());
        variables_.push_back(bound);
        NodePtr body = formula(depth - 1);
        variables_.pop_back();
        return random_.chance(50) ? for_all(index, bound, body) : exists(index, bound, body);
      }
      case 7:
      case 8: {
        NodePtr set = expression(set_type(sort()), depth - 1);
        return within(set, formula(depth - 1));
      }
      case 9:
        return build::formula(random_.chance(50) ? Kind::acyclic : Kind::irreflexive,
                              {expression(square(), depth - 1)});
      case 10: {
        const Sort on = sort();
        return build::formula(Kind::total_order, {expression(relation_type(on, on), depth - 1),
                                                  expression(set_type(on), depth - 1)});
      }
      case 11:
        return some(expression(type(), depth - 1));
      case 12:
      case 13:
        return tuple(depth);
      default: {
        const Type of = type();
        const Kind kind = random_.chance(70) ? Kind::subset : Kind::equal;
        NodePtr left = expression(of, depth - 1);
        return build::formula(kind, {left, expression(of, depth - 1)});
      }
    }
  }

  NodePtr expression(const Type& of, int depth) {
    switch (of.kind) {
      case Type::Kind::set:
        return set(of, depth);
      case Type::Kind::relation:
        return relation(of, depth);
      case Type::Kind::keyed:
        return keyed(depth);
      case Type::Kind::formula:
        break;
    }
    return formula(depth);
  }

  Type type() {
    if (random_.chance(20)) return build::keyed_type();
    return random_.chance(40) ? build::set_type(sort()) : build::relation_type(sort(), sort());
  }

 private:
  Sort sort() { return random_.chance(70) ? Sort::transaction : Sort::key; }
  Type square() {
    const Sort both = sort();
    return build::relation_type(both, both);
  }

  /// A bound variable of the sort, if there is one.
  NodePtr variable(Sort of) {
    std::vector<std::uint32_t> fitting;
    for (std::uint32_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i] == of) fitting.push_back(i);
    }
    if (fitting.empty()) return nullptr;
    return build::variable(fitting[random_.below(fitting.size())], of);
  }

  NodePtr tuple(int depth) {
    const Type of = type();
    std::vector<Sort> sorts = {of.left};
    if (of.kind == Type::Kind::keyed) sorts.push_back(Sort::key);
    if (of.kind != Type::Kind::set) sorts.push_back(of.right);
    std::vector<NodePtr> children = {expression(of, depth - 1)};
    for (const Sort each : sorts) {
      children.push_back(variable(each));
      if (!children.back()) return build::some(children.front());
    }
    return build::formula(Node::Kind::holds, std::move(children));
  }

  NodePtr comprehension(std::vector<Sort> sorts, int depth) {
    const auto index = static_cast<std::uint32_t>(variables_.size());
    variables_.insert(variables_.end(), sorts.begin(), sorts.end());
    NodePtr body = formula(depth - 1);
    variables_.resize(index);
    return build::comprehension(index, std::move(sorts), body);
  }

  NodePtr two(const Type& of, int depth) {
    NodePtr left = expression(of, depth - 1);
    NodePtr right = expression(of, depth - 1);
    switch (random_.below(3)) {
      case 0:
        return build::unite(left, right);
      case 1:
        return build::intersect(left, right);
      default:
        return build::subtract(left, right);
    }
  }

  NodePtr set(const Type& of, int depth) {
    using namespace build;
    if (depth <= 0) {
      NodePtr bound = variable(of.left);
      if (bound && random_.chance(60)) return bound;
      if (random_.chance(20)) return universe(of.left);
      if (of.left == Sort::key) return witness_count_ > 4 ? witness(4, of) : universe(of.left);
      if (random_.chance(30) && witness_count_ > 3) return witness(3, of);
      return base(random_.chance(70) ? Base::update : Base::initial);
    }
    const Sort other = sort();
    switch (random_.below(5)) {
      case 0:
        return compose(expression(set_type(other), depth - 1),
                       expression(relation_type(other, of.left), depth - 1));
      case 1:
        return compose(expression(relation_type(of.left, other), depth - 1),
                       expression(set_type(other), depth - 1));
      case 2:
        return comprehension({of.left}, depth);
      case 3:
        return set(of, 0);
      default:
        return two(of, depth);
    }
  }

  NodePtr relation(const Type& of, int depth) {
    using namespace build;
    const bool between_transactions = of == order_type();
    if (depth <= 0) {
      if (between_transactions) {
        switch (random_.below(3 + std::min(witness_count_, 2u))) {
          case 0:
            return base(Base::so);
          case 1:
            return base(Base::rt);
          case 2:
            return any_key(base(Base::wr));
          case 3:
            return witness(0, of);
          default:
            return witness(1, of);
        }
      }
      if (of.left == of.right) return identity(universe(of.left));
      NodePtr to_keys = base(random_.chance(50) ? Base::writes : Base::reads);
      return of.left == Sort::key ? transpose(to_keys) : to_keys;
    }
    const Sort other = sort();
    switch (random_.below(8)) {
      case 0:
        return compose(expression(relation_type(of.left, other), depth - 1),
                       expression(relation_type(other, of.right), depth - 1));
      case 1:
        return product(expression(set_type(of.left), depth - 1),
                       expression(set_type(of.right), depth - 1));
      case 2:
        return transpose(expression(relation_type(of.right, of.left), depth - 1));
      case 3:
        return comprehension({of.left, of.right}, depth);
      case 4: {
        if (of.left != of.right) return two(of, depth);
        constexpr std::array kinds = {Kind::closure, Kind::optional, Kind::star};
        return node(kinds[random_.below(3)], of, {expression(of, depth - 1)});
      }
      case 5: {
        if (!between_transactions) return relation(of, 0);
        NodePtr by_key = keyed(depth - 1);
        NodePtr at = variable(Sort::key);
        return at && random_.chance(70) ? slice(by_key, at) : any_key(by_key);
      }
      case 6:
        return of.left == of.right ? identity(expression(set_type(of.left), depth - 1))
                                   : relation(of, 0);
      default:
        return two(of, depth);
    }
  }

  NodePtr keyed(int depth) {
    using namespace build;
    if (depth <= 0 || random_.chance(30)) {
      if (random_.chance(40) && witness_count_ > 2) return witness(2, keyed_type());
      return base(random_.chance(60) ? Base::wr : Base::seen_before);
    }
    if (random_.chance(30)) {
      return comprehension({Sort::transaction, Sort::key, Sort::transaction}, depth);
    }
    return two(keyed_type(), depth);
  }

  Random& random_;
  std::uint32_t witness_count_;
  std::vector<Sort> variables_;  // that are bound where we are
};

/// Any value of each kind.
inline Execution random_execution(Random& random, const Structure& history) {
  const auto order = [&](std::uint64_t elements) {
    Matrix result{std::vector<std::uint64_t>(history.transactions, 0)};
    std::vector<std::size_t> placed;
    for (std::size_t t = 0; t < history.transactions; ++t) {
      if ((elements >> t & 1) == 0) continue;
      const std::size_t at = placed.empty() ? 0 : 1 + random.below(placed.size());
      placed.insert(placed.begin() + static_cast<std::ptrdiff_t>(at), t);
    }
    for (std::size_t i = 0; i < placed.size(); ++i) {
      for (std::size_t j = i + 1; j < placed.size(); ++j) result.add(placed[i], placed[j]);
    }
    return result;
  };
  Execution result(5);
  result[0].matrix = order(~std::uint64_t{0});
  result[1].matrix.rows.assign(history.transactions, 0);
  for (std::size_t t = 0; t < history.transactions; ++t) {
    for (std::size_t s = 0; s < history.transactions; ++s) {
      if (t != s && random.chance(30)) result[1].matrix.add(t, s);
    }
  }
  for (std::size_t key = 0; key < history.keys; ++key) {
    std::uint64_t writers = 0;
    for (std::size_t t = 0; t < history.transactions; ++t) {
      if (history.writes.has(t, key)) writers |= std::uint64_t{1} << t;
    }
    result[2].by_key.push_back(order(writers));
  }
  result[3].matrix.rows = {0};
  result[4].matrix.rows = {0};
  for (std::size_t t = 1; t < history.transactions; ++t) {
    if (random.chance(50)) result[3].matrix.add(0, t);
  }
  for (std::size_t key = 0; key < history.keys; ++key) {
    if (random.chance(50)) result[4].matrix.add(0, key);
  }
  return result;
}

}  // namespace isoscope::spec
