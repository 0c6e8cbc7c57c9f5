#include "synth/encoder.h"

#include <bit>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::synth {
namespace {

using spec::Node;
using spec::Sort;
using Kind = Node::Kind;

BitRelation constant_relation(const spec::Matrix& matrix, std::size_t rows, std::size_t columns) {
  BitRelation result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result.at(i, j) = constant(matrix.has(i, j));
  return result;
}

BitRelation any_key(Circuit& circuit, const BitValue& keyed, std::size_t transactions) {
  BitRelation result(transactions, transactions);
  for (std::size_t i = 0; i < result.bits().size(); ++i) {
    std::vector<Bit> ways;
    for (const BitRelation& relation : keyed) ways.push_back(relation.bits()[i]);
    result.bits()[i] = circuit.any_of(std::move(ways));
  }
  return result;
}

}  // namespace

BitHistory constant_history(const spec::Structure& structure) {
  const std::size_t n = structure.transactions;
  BitHistory history{.transactions = n,
                     .keys = structure.keys,
                     .so = constant_relation(structure.so, n, n),
                     .rt = constant_relation(structure.rt, n, n),
                     .writes = constant_relation(structure.writes, n, structure.keys),
                     .wr = {},
                     .seen_before = {}};
  for (const spec::Matrix& matrix : structure.wr)
    history.wr.push_back(constant_relation(matrix, n, n));
  for (const spec::Matrix& matrix : structure.seen_before)
    history.seen_before.push_back(constant_relation(matrix, n, n));
  return history;
}

Encoder::Encoder(Circuit& circuit, const BitHistory& history)
    : circuit_(circuit), history_(history), part_(std::make_unique<Part>()) {
  part_->transactions = BitRelation(1, history.transactions, yes);
  part_->keys = BitRelation(1, history.keys);
  for (std::size_t x = 0; x < history.keys; ++x) part_->keys.at(0, x) = history.writes.at(0, x);
}

// The values of the variables that the node depends on: short enough to need no memory of its own.
std::string Encoder::key_of(const Node& node) const {
  std::string key;
  for (std::uint64_t free = node.free_variables; free != 0; free &= free - 1)
    key.push_back(static_cast<char>(variable(static_cast<std::size_t>(std::countr_zero(free)))));
  return key;
}

Bit Encoder::formula(const Node& node) {
  std::string key = key_of(node);
  const auto& known = part_->formulas[&node];
  if (const auto it = known.find(key); it != known.end()) return it->second;
  const Bit bit = build_formula(node);
  part_->formulas[&node].emplace(std::move(key), bit);
  return bit;
}

const BitValue& Encoder::value(const Node& node) {
  std::string key = key_of(node);
  const auto& known = part_->values[&node];
  if (const auto it = known.find(key); it != known.end()) return it->second;
  BitValue built = build_value(node);
  return part_->values[&node].emplace(std::move(key), std::move(built)).first->second;
}

const BitRelation& Encoder::relation(const Node& node) {
  const BitValue& built = value(node);
  ISOSCOPE_REQUIRE(built.size() == 1 && node.type.kind != spec::Type::Kind::keyed);
  return built.front();
}

Bit Encoder::build_formula(const Node& node) {
  const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
  switch (node.kind) {
    case Kind::truth:
      return constant(node.index != 0);
    case Kind::holds:
      return membership(node);
    case Kind::subset:
    case Kind::equal: {
      const BitValue& left = value(child(0));
      const BitValue& right = value(child(1));
      ISOSCOPE_REQUIRE(left.size() == right.size());
      std::vector<Bit> all;
      for (std::size_t i = 0; i < left.size(); ++i) {
        all.push_back(is_subset(circuit_, left[i], right[i]));
        if (node.kind == Kind::equal) all.push_back(is_subset(circuit_, right[i], left[i]));
      }
      return circuit_.all_of(std::move(all));
    }
    case Kind::some: {
      std::vector<Bit> any;
      for (const BitRelation& part : value(child(0)))
        any.insert(any.end(), part.bits().begin(), part.bits().end());
      return circuit_.any_of(std::move(any));
    }
    case Kind::acyclic:
      return is_irreflexive(circuit_, closure(circuit_, relation(child(0))));
    case Kind::irreflexive:
      return is_irreflexive(circuit_, relation(child(0)));
    case Kind::total_order:
      return is_total_order(circuit_, relation(child(0)), relation(child(1)));
    case Kind::negation:
      return !formula(child(0));
    case Kind::conjunction:
    case Kind::disjunction: {
      // A false part decides a conjunction, a true one a disjunction.
      const bool is_and = node.kind == Kind::conjunction;
      std::vector<Bit> parts;
      for (const spec::NodePtr& part : node.children) {
        parts.push_back(formula(*part));
        if (parts.back() == constant(!is_and)) return constant(!is_and);
      }
      return is_and ? circuit_.all_of(std::move(parts)) : circuit_.any_of(std::move(parts));
    }
    case Kind::implication: {
      const Bit condition = formula(child(0));
      return condition == no ? yes : circuit_.implies(condition, formula(child(1)));
    }
    case Kind::equivalence:
      return circuit_.same(formula(child(0)), formula(child(1)));
    case Kind::for_all:
    case Kind::exists:
      return quantified(node);
    case Kind::within:
      return within(node);
    default:
      ISOSCOPE_REQUIRE(false && "not a formula");
      return no;
  }
}

Bit Encoder::quantified(const Node& node) {
  const bool is_all = node.kind == Kind::for_all;
  const BitRelation range = universe(node.sorts[0]);
  std::vector<Bit> parts;
  for (std::uint32_t i = 0; i < range.columns(); ++i) {
    if (range.at(0, i) == no) continue;
    variables_[node.index] = i;
    const Bit body = formula(*node.children[0]);
    const Bit part =
        is_all ? circuit_.implies(range.at(0, i), body) : circuit_.both(range.at(0, i), body);
    if (part == constant(!is_all)) return part;
    parts.push_back(part);
  }
  return is_all ? circuit_.all_of(std::move(parts)) : circuit_.any_of(std::move(parts));
}

Bit Encoder::membership(const Node& node) {
  std::vector<std::uint32_t> tuple;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    ISOSCOPE_REQUIRE(node.children[i]->kind == Kind::variable);
    tuple.push_back(variable(node.children[i]->index));
  }
  const BitValue& in = value(*node.children[0]);
  if (tuple.size() == 1) return in[0].at(0, tuple[0]);
  if (tuple.size() == 2) return in[0].at(tuple[0], tuple[1]);
  return in[tuple[1]].at(tuple[0], tuple[2]);
}

// A sub-history of transactions keeps the initial one, too. A sub-history of keys keeps the
// transactions that read or write one of these keys.
Bit Encoder::within(const Node& node) {
  const BitRelation set = relation(*node.children[0]);
  auto inner = std::make_unique<Part>();
  inner->transactions = part_->transactions;
  inner->keys = part_->keys;
  if (node.children[0]->type.left == Sort::transaction) {
    for (std::size_t t = 1; t < history_.transactions; ++t)
      inner->transactions.at(0, t) = circuit_.both(part_->transactions.at(0, t), set.at(0, t));
  } else {
    for (std::size_t x = 0; x < history_.keys; ++x)
      inner->keys.at(0, x) = circuit_.both(part_->keys.at(0, x), set.at(0, x));
    for (std::size_t t = 1; t < history_.transactions; ++t) {
      std::vector<Bit> touches;
      for (std::size_t x = 0; x < history_.keys; ++x) {
        std::vector<Bit> access = {history_.writes.at(t, x)};
        for (std::size_t s = 0; s < history_.transactions; ++s)
          access.push_back(history_.wr[x].at(s, t));
        touches.push_back(circuit_.both(inner->keys.at(0, x), circuit_.any_of(std::move(access))));
      }
      inner->transactions.at(0, t) =
          circuit_.both(part_->transactions.at(0, t), circuit_.any_of(std::move(touches)));
    }
  }
  std::swap(part_, inner);
  const bool was_whole = std::exchange(is_whole_, false);
  const Bit bit = formula(*node.children[1]);
  is_whole_ = was_whole;
  std::swap(part_, inner);
  return bit;
}

BitValue Encoder::build_value(const Node& node) {
  const auto child = [&](std::size_t i) -> const BitRelation& {
    return relation(*node.children[i]);
  };
  const auto each = [&](auto combine) {
    const BitValue& left = value(*node.children[0]);
    const BitValue& right = value(*node.children[1]);
    ISOSCOPE_REQUIRE(left.size() == right.size());
    BitValue result;
    for (std::size_t i = 0; i < left.size(); ++i)
      result.push_back(combine(circuit_, left[i], right[i]));
    return result;
  };
  switch (node.kind) {
    case Kind::base:
      return restricted(base_value(node.base), node.type);
    case Kind::witness:
      return restricted(execution_[node.index], node.type);
    case Kind::variable: {
      // The variable may stand for something outside the sub-history, which is in none of its sets.
      BitRelation set(1, universe(node.type.left).columns());
      set.at(0, variable(node.index)) = yes;
      return {std::move(set)};
    }
    case Kind::universe:
      return {universe(node.type.left)};
    case Kind::identity: {
      const BitRelation& set = child(0);
      BitRelation result(set.columns(), set.columns());
      for (std::size_t i = 0; i < set.columns(); ++i) result.at(i, i) = set.at(0, i);
      return {std::move(result)};
    }
    case Kind::unite:
      return each(unite);
    case Kind::intersect:
      return each(intersect);
    case Kind::subtract:
      return each(subtract);
    case Kind::compose: {
      // relation ; set: the elements with a successor in the set.
      const BitRelation& left = child(0);
      const BitRelation& right = child(1);
      if (node.children[1]->type.kind == spec::Type::Kind::set)
        return {transpose(compose(circuit_, left, transpose(right)))};
      return {compose(circuit_, left, right)};
    }
    case Kind::product:
      return {product(circuit_, child(0), child(1))};
    case Kind::transpose:
      return {transpose(child(0))};
    case Kind::closure:
      return {closure(circuit_, child(0))};
    case Kind::optional:
    case Kind::star: {
      BitRelation result = child(0);
      if (node.kind == Kind::star) result = closure(circuit_, result);
      const BitRelation& range = universe(node.type.left);
      for (std::size_t i = 0; i < result.rows(); ++i)
        result.at(i, i) = circuit_.either(result.at(i, i), range.at(0, i));
      return {std::move(result)};
    }
    case Kind::slice:
      ISOSCOPE_REQUIRE(node.children[1]->kind == Kind::variable);
      return {value(*node.children[0])[variable(node.children[1]->index)]};
    case Kind::any_key:
      return {any_key(circuit_, value(*node.children[0]), history_.transactions)};
    case Kind::comprehension:
      return comprehension(node);
    default:
      ISOSCOPE_REQUIRE(false && "not a set or relation");
      return {};
  }
}

BitValue Encoder::comprehension(const Node& node) {
  const std::size_t n = history_.transactions;
  BitValue result;
  const auto bit_at = [&](std::initializer_list<std::uint32_t> tuple) {
    std::vector<Bit> parts;
    std::size_t i = 0;
    for (const std::uint32_t element : tuple) {
      parts.push_back(universe(node.sorts[i]).at(0, element));
      variables_[node.index + i++] = element;
    }
    for (const Bit part : parts)
      if (part == no) return no;
    parts.push_back(formula(*node.children[0]));
    return circuit_.all_of(std::move(parts));
  };
  const auto size_of = [&](Sort sort) {
    return static_cast<std::uint32_t>(sort == Sort::key ? history_.keys : n);
  };
  if (node.sorts.size() == 1) {
    BitRelation set(1, size_of(node.sorts[0]));
    for (std::uint32_t i = 0; i < set.columns(); ++i) set.at(0, i) = bit_at({i});
    result.push_back(std::move(set));
  } else if (node.sorts.size() == 2) {
    BitRelation pairs(size_of(node.sorts[0]), size_of(node.sorts[1]));
    for (std::uint32_t i = 0; i < pairs.rows(); ++i)
      for (std::uint32_t j = 0; j < pairs.columns(); ++j) pairs.at(i, j) = bit_at({i, j});
    result.push_back(std::move(pairs));
  } else {
    for (std::uint32_t x = 0; x < history_.keys; ++x) {
      BitRelation pairs(n, n);
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) pairs.at(i, j) = bit_at({i, x, j});
      result.push_back(std::move(pairs));
    }
  }
  return result;
}

BitValue Encoder::base_value(spec::Base base) {
  const std::size_t n = history_.transactions;
  switch (base) {
    case spec::Base::so:
      return {history_.so};
    case spec::Base::rt:
      return {history_.rt};
    case spec::Base::writes:
      return {history_.writes};
    case spec::Base::wr:
      return history_.wr;
    case spec::Base::seen_before:
      return history_.seen_before;
    case spec::Base::given_order:
      return {given_order_};
    case spec::Base::initial: {
      BitRelation set(1, n);
      set.at(0, 0) = yes;
      return {std::move(set)};
    }
    case spec::Base::update: {
      BitRelation set(1, n);
      for (std::size_t t = 0; t < n; ++t) {
        std::vector<Bit> any;
        for (std::size_t x = 0; x < history_.keys; ++x)
          any.push_back(circuit_.both(part_->keys.at(0, x), history_.writes.at(t, x)));
        set.at(0, t) = t == 0 ? yes : circuit_.any_of(std::move(any));
      }
      return {std::move(set)};
    }
    case spec::Base::reads: {
      BitRelation result(n, history_.keys);
      for (std::size_t t = 0; t < n; ++t)
        for (std::size_t x = 0; x < history_.keys; ++x) {
          std::vector<Bit> any;
          for (std::size_t s = 0; s < n; ++s) any.push_back(history_.wr[x].at(s, t));
          result.at(t, x) = circuit_.any_of(std::move(any));
        }
      return {std::move(result)};
    }
  }
  return {};
}

BitValue Encoder::restricted(BitValue value, spec::Type type) const {
  if (is_whole_) return value;
  const auto keep = [&](BitRelation& relation, const BitRelation& rows, const BitRelation& columns,
                        Bit all) {
    for (std::size_t i = 0; i < relation.rows(); ++i)
      for (std::size_t j = 0; j < relation.columns(); ++j)
        relation.at(i, j) =
            circuit_.all_of({relation.at(i, j), rows.at(0, i), columns.at(0, j), all});
  };
  if (type.kind == spec::Type::Kind::set) {
    keep(value[0], BitRelation(1, 1, yes), universe(type.left), yes);
  } else if (type.kind == spec::Type::Kind::relation) {
    keep(value[0], universe(type.left), universe(type.right), yes);
  } else {
    for (std::size_t x = 0; x < value.size(); ++x)
      keep(value[x], part_->transactions, part_->transactions, part_->keys.at(0, x));
  }
  return value;
}

}  // namespace isoscope::synth
