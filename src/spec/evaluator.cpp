// The meaning of sets, relations and keyed relations.

#include "spec/evaluator.h"

#include "isoscope/base/contract.h"

namespace isoscope::spec {
namespace {

Matrix united(const std::vector<Matrix>& by_key, std::size_t rows) {
  Matrix result{std::vector<Bits>(rows, 0)};
  for (const Matrix& matrix : by_key) {
    for (std::size_t i = 0; i < rows; ++i) result.rows[i] |= matrix.rows[i];
  }
  return result;
}

}  // namespace

const NodeFacts& NodeFactTable::of(const Node& node) {
  if (const auto at = facts_.find(&node); at != facts_.end()) return at->second;
  NodeFacts facts;
  for (const NodePtr& child : node.children) {
    const NodeFacts& of_child = of(*child);
    facts.free_variables |= of_child.free_variables;
    facts.witnesses |= of_child.witnesses;
  }
  using enum Node::Kind;
  if (node.kind == variable || node.kind == witness) {
    ISOSCOPE_REQUIRE(node.index < 64);
    (node.kind == variable ? facts.free_variables : facts.witnesses) |= bit(node.index);
  } else if (node.kind == comprehension || node.kind == for_all || node.kind == exists) {
    for (std::size_t i = 0; i < node.sorts.size(); ++i) {
      facts.free_variables &= ~bit(node.index + i);
    }
  }
  return facts_.emplace(&node, facts).first->second;
}

Evaluator::Evaluator(const Structure& history, const Execution& execution,
                     const Matrix* given_order)
    : history_(history),
      execution_(execution),
      given_order_(given_order),
      transactions_(first_bits(history.transactions)),
      keys_(first_bits(history.keys)),
      reads_(none(Sort::transaction)),
      wr_(united(history.wr, history.transactions)) {
  for (std::size_t key = 0; key < history.keys; ++key) {
    for (const Bits readers : history.wr[key].rows) {
      for_each_bit(readers, [&](std::size_t t) { reads_.add(t, key); });
    }
  }
}

Evaluator::Evaluator(const Evaluator& outer, Bits transactions, Bits keys)
    : history_(outer.history_),
      execution_(outer.execution_),
      given_order_(outer.given_order_),
      transactions_(transactions),
      keys_(keys),
      reads_(outer.reads_),
      wr_(outer.wr_),
      variables_(outer.variables_),
      facts_(outer.facts_) {}

void Evaluator::witness_changed(std::size_t index) { changed_[index] = ++clock_; }

bool Evaluator::is_whole() const {
  return transactions_ == first_bits(history_.transactions) && keys_ == first_bits(history_.keys);
}

std::size_t Evaluator::variable(const Node& node) const {
  ISOSCOPE_REQUIRE(node.kind == Node::Kind::variable);
  return variables_[node.index];
}

Bits Evaluator::set(const Node& node) {
  ISOSCOPE_REQUIRE(is_set(node));
  const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
  const Bits everything = all(node.type.left);
  switch (node.kind) {
    case Node::Kind::base: {
      if (node.base == Base::initial) return bit(0);
      ISOSCOPE_REQUIRE(node.base == Base::update);
      Bits result = bit(0);
      for_each_bit(transactions_, [&](std::size_t t) {
        if ((history_.writes.rows[t] & keys_) != 0) result |= bit(t);
      });
      return result;
    }
    case Node::Kind::witness:
      return execution_[node.index].matrix.rows[0] & everything;
    case Node::Kind::variable:
      return bit(variable(node));
    case Node::Kind::universe:
      return everything;
    case Node::Kind::unite:
      return set(child(0)) | set(child(1));
    case Node::Kind::intersect:
      return set(child(0)) & set(child(1));
    case Node::Kind::subtract:
      return set(child(0)) & ~set(child(1));
    case Node::Kind::compose: {
      Bits result = 0;
      Matrix space;
      if (is_set(child(0))) {  // image
        const Bits from = set(child(0));
        const Matrix& pairs = relation(child(1), space);
        for_each_bit(from, [&](std::size_t i) { result |= pairs.rows[i]; });
      } else {  // preimage
        const Bits to = set(child(1));
        const Matrix& pairs = relation(child(0), space);
        for (std::size_t i = 0; i < pairs.rows.size(); ++i) {
          if ((pairs.rows[i] & to) != 0) result |= bit(i);
        }
      }
      return result;
    }
    case Node::Kind::comprehension: {
      Bits result = 0;
      for_each_bit(everything, [&](std::size_t i) {
        bind(node.index, i);
        if (truth(child(0))) result |= bit(i);
      });
      return result;
    }
    default:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return 0;
}

template <class Value, class Compute>
const Value& Evaluator::remembered(std::unordered_map<const Node*, Remembered<Value>>& all_of_kind,
                                   const Node& node, Value& space, const Compute& compute) {
  const NodeFacts& facts = facts_->of(node);
  if (facts.free_variables != 0) return space = compute();
  Remembered<Value>& known = all_of_kind[&node];
  const bool is_fresh = known.since != 0 && all_of_bits(facts.witnesses, [&](std::size_t w) {
                          return changed_[w] <= known.since;
                        });
  if (!is_fresh) {
    known.value = compute();
    known.since = clock_;
  }
  return known.value;
}

const Matrix& Evaluator::base_relation(Base base) const {
  switch (base) {
    case Base::so:
      return history_.so;
    case Base::rt:
      return history_.rt;
    case Base::writes:
      return history_.writes;
    case Base::reads:
      return reads_;
    case Base::wr:
      return wr_;
    case Base::given_order:
      ISOSCOPE_REQUIRE(given_order_ != nullptr);
      return *given_order_;
    default:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return reads_;
}

const Matrix& Evaluator::relation(const Node& node, Matrix& space) {
  if (is_whole()) {
    if (node.kind == Node::Kind::base && node.base != Base::seen_before) {
      return base_relation(node.base);
    }
    if (node.kind == Node::Kind::witness && !is_keyed(node)) {
      return execution_[node.index].matrix;
    }
    if (node.kind == Node::Kind::slice && node.children[0]->kind == Node::Kind::base) {
      const Base base = node.children[0]->base;
      const ByKey& by_key = base == Base::wr ? history_.wr : history_.seen_before;
      return by_key[variable(*node.children[1])];
    }
    if (node.kind == Node::Kind::slice && node.children[0]->kind == Node::Kind::witness) {
      return execution_[node.children[0]->index].by_key[variable(*node.children[1])];
    }
  }
  return remembered(relations_, node, space, [&] { return compute(node); });
}

const std::vector<Matrix>& Evaluator::keyed(const Node& node, ByKey& space) {
  ISOSCOPE_REQUIRE(is_keyed(node));
  if (is_whole()) {
    if (node.kind == Node::Kind::witness) return execution_[node.index].by_key;
    if (node.kind == Node::Kind::base) {
      return node.base == Base::wr ? history_.wr : history_.seen_before;
    }
  }
  return remembered(keyed_, node, space, [&] { return compute_by_key(node); });
}

Matrix Evaluator::relation(const Node& node) {
  Matrix space;
  return relation(node, space);
}

std::vector<Matrix> Evaluator::keyed(const Node& node) {
  ByKey space;
  return keyed(node, space);
}

Matrix Evaluator::restricted(const Matrix& matrix, const Type& type) const {
  Matrix result = none(type.left);
  for_each_bit(all(type.left),
               [&](std::size_t i) { result.rows[i] = matrix.rows[i] & all(type.right); });
  return result;
}

void Evaluator::add_identity(Matrix& matrix, Bits on) const {
  for_each_bit(on, [&](std::size_t i) { matrix.add(i, i); });
}

void Evaluator::close(Matrix& matrix) const {
  for (std::size_t k = 0; k < matrix.rows.size(); ++k) {
    for (Bits& row : matrix.rows) {
      if ((row >> k & 1) != 0) row |= matrix.rows[k];
    }
  }
}

Matrix Evaluator::transposed(const Matrix& matrix, Sort new_left) const {
  Matrix result = none(new_left);
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    for_each_bit(matrix.rows[i], [&](std::size_t j) { result.add(j, i); });
  }
  return result;
}

template <class Operator>
Matrix Evaluator::combine(const Node& node, const Operator& word) {
  Matrix left = relation(*node.children[0]);
  Matrix space;
  const Matrix& right = relation(*node.children[1], space);
  for (std::size_t i = 0; i < left.rows.size(); ++i)
    left.rows[i] = word(left.rows[i], right.rows[i]);
  return left;
}

Matrix Evaluator::compute(const Node& node) {
  if (is_keyed(node)) return united(keyed(node), history_.transactions);
  ISOSCOPE_REQUIRE(node.type.kind == Type::Kind::relation);
  const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
  switch (node.kind) {
    case Node::Kind::base:
      return restricted(base_relation(node.base), node.type);
    case Node::Kind::witness:
      return restricted(execution_[node.index].matrix, node.type);
    case Node::Kind::any_key:
      return relation(child(0));
    case Node::Kind::slice: {
      const std::size_t key = variable(child(1));
      ByKey space;
      const ByKey& by_key = keyed(child(0), space);
      return (keys_ >> key & 1) != 0 ? by_key[key] : none(node.type.left);
    }
    case Node::Kind::identity: {
      Matrix result = none(node.type.left);
      add_identity(result, set(child(0)));
      return result;
    }
    case Node::Kind::unite:
      return combine(node, [](Bits a, Bits b) { return a | b; });
    case Node::Kind::intersect:
      return combine(node, [](Bits a, Bits b) { return a & b; });
    case Node::Kind::subtract:
      return combine(node, [](Bits a, Bits b) { return a & ~b; });
    case Node::Kind::compose: {
      Matrix result = none(node.type.left);
      Matrix left_space;
      Matrix right_space;
      const Matrix& left = relation(child(0), left_space);
      const Matrix& right = relation(child(1), right_space);
      for (std::size_t i = 0; i < left.rows.size(); ++i) {
        for_each_bit(left.rows[i], [&](std::size_t j) { result.rows[i] |= right.rows[j]; });
      }
      return result;
    }
    case Node::Kind::product: {
      Matrix result = none(node.type.left);
      const Bits to = set(child(1));
      for_each_bit(set(child(0)), [&](std::size_t i) { result.rows[i] = to; });
      return result;
    }
    case Node::Kind::transpose:
      return transposed(relation(child(0)), node.type.left);
    case Node::Kind::closure:
    case Node::Kind::optional:
    case Node::Kind::star: {
      Matrix result = relation(child(0));
      if (node.kind != Node::Kind::optional) close(result);
      if (node.kind != Node::Kind::closure) add_identity(result, all(node.type.left));
      return result;
    }
    case Node::Kind::comprehension: {
      Matrix result = none(node.type.left);
      for_each_bit(all(node.type.left), [&](std::size_t i) {
        for_each_bit(all(node.type.right), [&](std::size_t j) {
          bind(node.index, i);
          bind(node.index + 1, j);
          if (truth(child(0))) result.add(i, j);
        });
      });
      return result;
    }
    default:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return {};
}

std::vector<Matrix> Evaluator::compute_by_key(const Node& node) {
  const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
  ByKey result(history_.keys, none(Sort::transaction));
  const auto for_each_key = [&](const auto& make) {
    for_each_bit(keys_, [&](std::size_t key) { result[key] = make(key); });
    return result;
  };
  const auto restrict_all = [&](const ByKey& of) {
    return for_each_key([&](std::size_t key) { return restricted(of[key], node.type); });
  };
  const auto combine_all = [&](const auto& word) {
    result = keyed(child(0));
    ByKey space;
    const ByKey& right = keyed(child(1), space);
    for (std::size_t key = 0; key < history_.keys; ++key) {
      for (std::size_t t = 0; t < history_.transactions; ++t) {
        result[key].rows[t] = word(result[key].rows[t], right[key].rows[t]);
      }
    }
    return result;
  };
  switch (node.kind) {
    case Node::Kind::base:
      return restrict_all(node.base == Base::wr ? history_.wr : history_.seen_before);
    case Node::Kind::witness:
      return restrict_all(execution_[node.index].by_key);
    case Node::Kind::unite:
      return combine_all([](Bits a, Bits b) { return a | b; });
    case Node::Kind::intersect:
      return combine_all([](Bits a, Bits b) { return a & b; });
    case Node::Kind::subtract:
      return combine_all([](Bits a, Bits b) { return a & ~b; });
    case Node::Kind::comprehension:
      return for_each_key([&](std::size_t key) {
        Matrix pairs = none(Sort::transaction);
        for_each_bit(transactions_, [&](std::size_t i) {
          for_each_bit(transactions_, [&](std::size_t j) {
            bind(node.index, i);
            bind(node.index + 1, key);
            bind(node.index + 2, j);
            if (truth(child(0))) pairs.add(i, j);
          });
        });
        return pairs;
      });
    default:
      break;
  }
  ISOSCOPE_REQUIRE(false);
  return result;
}

}  // namespace isoscope::spec
