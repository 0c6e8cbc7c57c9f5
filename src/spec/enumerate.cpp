// All executions of a history, one after the other.
//
// Witnesses are chosen in the order of the text. A witness's bounds speak of earlier ones only, so
// they are known when its turn comes, and nothing outside them is tried; an axiom is looked at as
// soon as the last witness it mentions is chosen. That is all the cleverness: n! orders, and 2 to
// the number of pairs that a relation's bounds leave open.

#include <functional>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/spec/evaluate.h"
#include "spec/evaluator.h"

namespace isoscope::spec {
namespace {

class Search {
 public:
  Search(const Definition& definition, const Structure& history)
      : definition_(definition),
        history_(history),
        execution_(definition.witnesses.size()),
        evaluator_(history, execution_),
        axioms_(definition.witnesses.size() + 1) {
    for (const Axiom& axiom : definition.axioms) {
      std::size_t needs = 0;
      for_each_bit(evaluator_.facts().of(*axiom.formula).witnesses,
                   [&](std::size_t witness) { needs = witness + 1; });
      axioms_[needs].push_back(axiom.formula.get());
    }
  }

  std::optional<Execution> run() {
    if (!choose(0)) return std::nullopt;
    return std::move(execution_);
  }

 private:
  /// What is done with every value that is tried: true ends the search.
  using Then = std::function<bool()>;

  /// The first `index` witnesses are chosen: are their axioms true, and can the others be chosen?
  bool choose(std::size_t index) {
    if (index > 0) evaluator_.witness_changed(index - 1);
    for (const Node* formula : axioms_[index]) {
      if (!evaluator_.truth(*formula)) return false;
    }
    if (index == execution_.size()) return true;
    const Then then = [&, index] { return choose(index + 1); };
    const Witness& witness = definition_.witnesses[index];
    WitnessValue& value = execution_[index];
    switch (witness.kind) {
      case Witness::Kind::total_order: {
        const auto [least, most] = relation_bounds(witness);
        value.matrix = none();
        return orders(first_bits(history_.transactions), least, most, value.matrix, then);
      }
      case Witness::Kind::version_order:
        return version_orders(witness, value, then);
      case Witness::Kind::relation: {
        auto [least, most] = relation_bounds(witness);
        for (std::size_t t = 0; t < history_.transactions; ++t) {
          most.rows[t] &= ~bit(t);
        }
        return between(least, most, value.matrix, then);
      }
      case Witness::Kind::transaction_set:
        return sets(witness, first_bits(history_.transactions) & ~bit(0), value.matrix, then);
      case Witness::Kind::key_set:
        return sets(witness, first_bits(history_.keys), value.matrix, then);
    }
    return false;
  }

  Matrix none() const { return Matrix{std::vector<Bits>(history_.transactions, 0)}; }
  Matrix full() const {
    return Matrix{std::vector<Bits>(history_.transactions, first_bits(history_.transactions))};
  }

  std::pair<Matrix, Matrix> relation_bounds(const Witness& witness) {
    return {witness.at_least ? evaluator_.relation(*witness.at_least) : none(),
            witness.at_most ? evaluator_.relation(*witness.at_most) : full()};
  }

  /// Orders of the elements `left`; the initial transaction, if it is one of them, comes first.
  bool orders(Bits left, const Matrix& least, const Matrix& most, Matrix& value, const Then& then) {
    if (left == 0) return then();
    const Bits candidates = (left & bit(0)) != 0 ? bit(0) : left;
    const bool fails = all_of_bits(candidates, [&](std::size_t next) {
      const Bits rest = left & ~bit(next);
      // What is placed after it must be allowed there, and nothing of it must come before it.
      if ((rest & ~most.rows[next]) != 0) return true;
      const bool is_first = all_of_bits(left, [&](std::size_t t) { return !least.has(t, next); });
      if (!is_first) return true;
      value.rows[next] = rest;
      return !orders(rest, least, most, value, then);
    });
    return !fails;
  }

  bool version_orders(const Witness& witness, WitnessValue& value, const Then& then) {
    const auto bound = [&](const NodePtr& node, const Matrix& otherwise) {
      return node ? evaluator_.keyed(*node) : std::vector<Matrix>(history_.keys, otherwise);
    };
    const std::vector<Matrix> least = bound(witness.at_least, none());
    const std::vector<Matrix> most = bound(witness.at_most, full());
    value.by_key.assign(history_.keys, none());
    const std::function<bool(std::size_t)> from_key = [&](std::size_t key) {
      if (key == history_.keys) return then();
      Bits writers = 0;
      for (std::size_t t = 0; t < history_.transactions; ++t) {
        if (history_.writes.has(t, key)) writers |= bit(t);
      }
      for (std::size_t t = 0; t < history_.transactions; ++t) {
        const Bits allowed = (writers >> t & 1) != 0 ? writers : 0;
        if ((least[key].rows[t] & ~allowed) != 0) return false;
      }
      return orders(writers, least[key], most[key], value.by_key[key],
                    [&, key] { return from_key(key + 1); });
    };
    return from_key(0);
  }

  bool sets(const Witness& witness, Bits possible, Matrix& value, const Then& then) {
    const Bits least = witness.at_least ? evaluator_.set(*witness.at_least) : 0;
    const Bits most = witness.at_most ? evaluator_.set(*witness.at_most) : possible;
    return between(Matrix{{least}}, Matrix{{most & possible}}, value, then);
  }

  /// Every value with what `least` has and nothing that `most` does not have; the least one first.
  bool between(const Matrix& least, const Matrix& most, Matrix& value, const Then& then) {
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (std::size_t i = 0; i < least.rows.size(); ++i) {
      if ((least.rows[i] & ~most.rows[i]) != 0) return false;
      for_each_bit(most.rows[i] & ~least.rows[i], [&](std::size_t j) { open.emplace_back(i, j); });
    }
    value = least;
    const std::function<bool(std::size_t)> decide = [&](std::size_t at) {
      if (at == open.size()) return then();
      if (decide(at + 1)) return true;
      const auto [i, j] = open[at];
      value.add(i, j);
      if (decide(at + 1)) return true;
      value.rows[i] &= ~bit(j);
      return false;
    };
    return decide(0);
  }

  const Definition& definition_;
  const Structure& history_;
  Execution execution_;
  Evaluator evaluator_;
  std::vector<std::vector<const Node*>> axioms_;  // by how many witnesses they need
};

}  // namespace

std::optional<Execution> find_execution(const Definition& definition, const Structure& history) {
  return Search(definition, history).run();
}

}  // namespace isoscope::spec
