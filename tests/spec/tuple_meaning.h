#pragma once

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "isoscope/spec/evaluate.h"

namespace isoscope::spec {

/// The level language once more, in the plainest way: a set, relation or keyed relation is a
/// std::set of tuples, and every operator is said in terms of tuples. It is slow, and the evaluator
/// is held against it.
class TupleMeaning {
 public:
  using Tuple = std::vector<std::size_t>;
  using Tuples = std::set<Tuple>;

  TupleMeaning(const Structure& history, const Execution& execution)
      : h_(history), execution_(execution) {
    for (std::size_t t = 0; t < history.transactions; ++t) transactions_.insert(t);
    for (std::size_t key = 0; key < history.keys; ++key) keys_.insert(key);
  }

  Tuples tuples(const Node& n) {
    Tuples result;
    switch (n.kind) {
      case Node::Kind::base:
        for (const Tuple& tuple : all_tuples(sorts_of(n.type))) {
          if (base_has(n.base, tuple)) result.insert(tuple);
        }
        break;
      case Node::Kind::witness:
        for (const Tuple& tuple : all_tuples(sorts_of(n.type))) {
          const WitnessValue& value = execution_[n.index];
          if (tuple.size() == 1 && value.matrix.has(0, tuple[0])) result.insert(tuple);
          if (tuple.size() == 2 && value.matrix.has(tuple[0], tuple[1])) result.insert(tuple);
          if (tuple.size() == 3 && value.by_key[tuple[1]].has(tuple[0], tuple[2])) {
            result.insert(tuple);
          }
        }
        break;
      case Node::Kind::variable:
        result.insert({variables_[n.index]});
        break;
      case Node::Kind::universe:
        result = all_tuples({n.type.left});
        break;
      case Node::Kind::identity:
        for (const Tuple& tuple : child(n, 0)) result.insert({tuple[0], tuple[0]});
        break;
      case Node::Kind::unite:
        result = child(n, 0);
        result.merge(child(n, 1));
        break;
      case Node::Kind::intersect:
      case Node::Kind::subtract: {
        const Tuples right = child(n, 1);
        for (const Tuple& tuple : child(n, 0)) {
          if (right.contains(tuple) == (n.kind == Node::Kind::intersect)) result.insert(tuple);
        }
        break;
      }
      case Node::Kind::compose:
        result = composition(child(n, 0), child(n, 1));
        break;
      case Node::Kind::product:
        for (const Tuple& a : child(n, 0)) {
          for (const Tuple& b : child(n, 1)) result.insert({a[0], b[0]});
        }
        break;
      case Node::Kind::transpose:
        for (const Tuple& tuple : child(n, 0)) result.insert({tuple[1], tuple[0]});
        break;
      case Node::Kind::closure:
        result = closed(child(n, 0));
        break;
      case Node::Kind::optional:
      case Node::Kind::star:
        result = n.kind == Node::Kind::star ? closed(child(n, 0)) : child(n, 0);
        for (const Tuple& tuple : all_tuples({n.type.left})) result.insert({tuple[0], tuple[0]});
        break;
      case Node::Kind::slice:
      case Node::Kind::any_key: {
        for (const Tuple& tuple : child(n, 0)) {
          if (n.kind == Node::Kind::any_key || child(n, 1).contains(Tuple{tuple[1]})) {
            result.insert({tuple[0], tuple[2]});
          }
        }
        break;
      }
      case Node::Kind::comprehension:
        for (const Tuple& tuple : all_tuples(n.sorts)) {
          for (std::size_t i = 0; i < tuple.size(); ++i) variables_[n.index + i] = tuple[i];
          if (truth(*n.children[0])) result.insert(tuple);
        }
        break;
      default:
        throw std::logic_error("not an expression");
    }
    return result;
  }

  bool truth(const Node& n) {
    const auto part = [&](std::size_t i) { return truth(*n.children[i]); };
    const auto is_true = [&](const NodePtr& formula) { return truth(*formula); };
    switch (n.kind) {
      case Node::Kind::truth:
        return n.index == 1;
      case Node::Kind::holds: {
        Tuple arguments;
        for (std::size_t i = 1; i < n.children.size(); ++i) {
          arguments.push_back(variables_[n.children[i]->index]);
        }
        return child(n, 0).contains(arguments);
      }
      case Node::Kind::subset:
        return std::ranges::includes(child(n, 1), child(n, 0));
      case Node::Kind::equal:
        return child(n, 0) == child(n, 1);
      case Node::Kind::some:
        return !child(n, 0).empty();
      case Node::Kind::acyclic:
        return irreflexive(closed(child(n, 0)));
      case Node::Kind::irreflexive:
        return irreflexive(child(n, 0));
      case Node::Kind::total_order:
        return total_order(child(n, 0), child(n, 1));
      case Node::Kind::negation:
        return !part(0);
      case Node::Kind::conjunction:
        return std::ranges::all_of(n.children, is_true);
      case Node::Kind::disjunction:
        return std::ranges::any_of(n.children, is_true);
      case Node::Kind::implication:
        return !part(0) || part(1);
      case Node::Kind::equivalence:
        return part(0) == part(1);
      case Node::Kind::for_all:
      case Node::Kind::exists: {
        bool any = false;
        bool every = true;
        for (const Tuple& tuple : all_tuples(n.sorts)) {
          variables_[n.index] = tuple[0];
          const bool here = part(0);
          any = any || here;
          every = every && here;
        }
        return n.kind == Node::Kind::exists ? any : every;
      }
      case Node::Kind::within:
        return within(n);
      default:
        throw std::logic_error("not a formula");
    }
  }

 private:
  using Elements = std::set<std::size_t>;

  static std::vector<Sort> sorts_of(const Type& type) {
    if (type.kind == Type::Kind::set) return {type.left};
    if (type.kind == Type::Kind::relation) return {type.left, type.right};
    return {Sort::transaction, Sort::key, Sort::transaction};
  }

  Tuples child(const Node& n, std::size_t i) { return tuples(*n.children[i]); }

  Tuples all_tuples(const std::vector<Sort>& sorts) const {
    Tuples result = {{}};
    for (const Sort sort : sorts) {
      Tuples longer;
      for (const Tuple& tuple : result) {
        for (const std::size_t element : sort == Sort::key ? keys_ : transactions_) {
          Tuple more = tuple;
          more.push_back(element);
          longer.insert(more);
        }
      }
      result = longer;
    }
    return result;
  }

  bool base_has(Base base, const Tuple& at) const {
    switch (base) {
      case Base::so:
        return h_.so.has(at[0], at[1]);
      case Base::rt:
        return h_.rt.has(at[0], at[1]);
      case Base::writes:
        return h_.writes.has(at[0], at[1]);
      case Base::reads:
        return h_.reads(at[0], at[1]);
      case Base::update:
        return at[0] == 0 || std::ranges::any_of(
                                 keys_, [&](std::size_t key) { return h_.writes.has(at[0], key); });
      case Base::initial:
        return at[0] == 0;
      case Base::wr:
        return h_.wr[at[1]].has(at[0], at[2]);
      case Base::seen_before:
        return h_.seen_before[at[1]].has(at[0], at[2]);
      case Base::given_order:
        break;
    }
    throw std::logic_error("no such relation");
  }

  static Tuples composition(const Tuples& left, const Tuples& right) {
    Tuples result;
    for (const Tuple& a : left) {
      for (const Tuple& b : right) {
        if (a.back() != b.front()) continue;
        Tuple joined(a.begin(), a.end() - 1);
        joined.insert(joined.end(), b.begin() + 1, b.end());
        result.insert(joined);
      }
    }
    return result;
  }

  static Tuples closed(Tuples pairs) {
    for (std::size_t size = 0; size != pairs.size();) {
      size = pairs.size();
      pairs.merge(composition(pairs, pairs));
    }
    return pairs;
  }

  static bool irreflexive(const Tuples& pairs) {
    return std::ranges::none_of(pairs, [](const Tuple& pair) { return pair[0] == pair[1]; });
  }

  static bool total_order(const Tuples& pairs, const Tuples& on) {
    for (const Tuple& pair : pairs) {
      if (!on.contains({pair[0]}) || !on.contains({pair[1]})) return false;
    }
    for (const Tuple& a : on) {
      for (const Tuple& b : on) {
        const bool related = pairs.contains({a[0], b[0]}) || pairs.contains({b[0], a[0]});
        if (a != b && !related) return false;
      }
    }
    return irreflexive(pairs) && closed(pairs) == pairs;
  }

  bool within(const Node& n) {
    Elements chosen;
    for (const Tuple& tuple : child(n, 0)) chosen.insert(tuple[0]);
    const Elements all_transactions = transactions_;
    const Elements all_keys = keys_;
    if (n.children[0]->type.left == Sort::key) {
      std::erase_if(keys_, [&](std::size_t key) { return !chosen.contains(key); });
      chosen.clear();
      for (const std::size_t t : transactions_) {
        for (const std::size_t key : keys_) {
          if (h_.writes.has(t, key) || h_.reads(t, key)) chosen.insert(t);
        }
      }
    }
    chosen.insert(0);
    std::erase_if(transactions_, [&](std::size_t t) { return !chosen.contains(t); });
    const bool result = truth(*n.children[1]);
    transactions_ = all_transactions;
    keys_ = all_keys;
    return result;
  }

  const Structure& h_;
  const Execution& execution_;
  Elements transactions_;
  Elements keys_;
  std::vector<std::size_t> variables_ = std::vector<std::size_t>(64);
};

}  // namespace isoscope::spec
