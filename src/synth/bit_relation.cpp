#include "synth/bit_relation.h"

#include "isoscope/base/contract.h"

namespace isoscope::synth {
namespace {

template <class Combine>
BitRelation pairwise(const BitRelation& a, const BitRelation& b, Combine combine) {
  ISOSCOPE_REQUIRE(a.rows() == b.rows() && a.columns() == b.columns());
  BitRelation result(a.rows(), a.columns());
  for (std::size_t i = 0; i < a.bits().size(); ++i)
    result.bits()[i] = combine(a.bits()[i], b.bits()[i]);
  return result;
}

bool never_goes_backwards(const BitRelation& a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (a.at(i, j) != no) return false;
  return true;
}

// Every path from i starts with a step to some k, from where the closure is known already.
BitRelation closure_of_forward(Circuit& circuit, const BitRelation& a) {
  BitRelation result = a;
  for (std::size_t i = a.rows(); i-- > 0;) {
    for (std::size_t j = i + 1; j < a.rows(); ++j) {
      std::vector<Bit> ways = {a.at(i, j)};
      for (std::size_t k = i + 1; k < j; ++k)
        ways.push_back(circuit.both(a.at(i, k), result.at(k, j)));
      result.at(i, j) = circuit.any_of(std::move(ways));
    }
  }
  return result;
}

}  // namespace

BitRelation unite(Circuit& circuit, const BitRelation& a, const BitRelation& b) {
  return pairwise(a, b, [&](Bit x, Bit y) { return circuit.either(x, y); });
}

BitRelation intersect(Circuit& circuit, const BitRelation& a, const BitRelation& b) {
  return pairwise(a, b, [&](Bit x, Bit y) { return circuit.both(x, y); });
}

BitRelation subtract(Circuit& circuit, const BitRelation& a, const BitRelation& b) {
  return pairwise(a, b, [&](Bit x, Bit y) { return circuit.both(x, !y); });
}

BitRelation compose(Circuit& circuit, const BitRelation& a, const BitRelation& b) {
  ISOSCOPE_REQUIRE(a.columns() == b.rows());
  BitRelation result(a.rows(), b.columns());
  std::vector<Bit> ways;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.columns(); ++j) {
      ways.clear();
      for (std::size_t k = 0; k < b.rows(); ++k)
        if (a.at(i, k) != no && b.at(k, j) != no)
          ways.push_back(circuit.both(a.at(i, k), b.at(k, j)));
      result.at(i, j) = circuit.any_of(ways);
    }
  }
  return result;
}

BitRelation product(Circuit& circuit, const BitRelation& rows, const BitRelation& columns) {
  BitRelation result(rows.columns(), columns.columns());
  for (std::size_t i = 0; i < rows.columns(); ++i)
    for (std::size_t j = 0; j < columns.columns(); ++j)
      result.at(i, j) = circuit.both(rows.at(0, i), columns.at(0, j));
  return result;
}

BitRelation transpose(const BitRelation& a) {
  BitRelation result(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result.at(j, i) = a.at(i, j);
  return result;
}

BitRelation closure(Circuit& circuit, const BitRelation& a) {
  ISOSCOPE_REQUIRE(a.rows() == a.columns());
  if (never_goes_backwards(a)) return closure_of_forward(circuit, a);
  BitRelation result = a;
  for (std::size_t length = 1; length < a.rows(); length *= 2)
    result = unite(circuit, result, compose(circuit, result, result));
  return result;
}

Bit is_subset(Circuit& circuit, const BitRelation& a, const BitRelation& b) {
  ISOSCOPE_REQUIRE(a.bits().size() == b.bits().size());
  std::vector<Bit> all;
  for (std::size_t i = 0; i < a.bits().size(); ++i)
    all.push_back(circuit.implies(a.bits()[i], b.bits()[i]));
  return circuit.all_of(std::move(all));
}

Bit is_irreflexive(Circuit& circuit, const BitRelation& a) {
  std::vector<Bit> all;
  for (std::size_t i = 0; i < a.rows(); ++i) all.push_back(!a.at(i, i));
  return circuit.all_of(std::move(all));
}

Bit is_total_order(Circuit& circuit, const BitRelation& order, const BitRelation& set) {
  std::vector<Bit> all = {is_irreflexive(circuit, order),
                          is_subset(circuit, order, product(circuit, set, set))};
  const std::size_t n = order.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      if (i < j) {
        all.push_back(
            circuit.any_of({!set.at(0, i), !set.at(0, j), order.at(i, j), order.at(j, i)}));
        all.push_back(!circuit.both(order.at(i, j), order.at(j, i)));
      }
      for (std::size_t k = 0; k < n; ++k)
        if (k != i && k != j)
          all.push_back(circuit.any_of({!order.at(i, j), !order.at(j, k), order.at(i, k)}));
    }
  }
  return circuit.all_of(std::move(all));
}

}  // namespace isoscope::synth
