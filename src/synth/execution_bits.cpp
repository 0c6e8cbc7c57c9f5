#include "synth/execution_bits.h"

#include "isoscope/base/contract.h"

namespace isoscope::synth {
namespace {

using spec::Witness;
using Kind = Witness::Kind;

// What the bounds leave open is a choice.
BitRelation free_relation(Circuit& circuit, Encoder& encoder, const Witness& witness,
                          std::size_t n) {
  BitRelation result(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      if (witness.at_most && encoder.value(*witness.at_most)[0].at(i, j) == no) continue;
      const bool is_certain =
          witness.at_least && encoder.value(*witness.at_least)[0].at(i, j) == yes;
      result.at(i, j) = is_certain ? yes : circuit.variable();
    }
  }
  return result;
}

BitValue free_version_order(Circuit& circuit, std::size_t n, std::size_t keys,
                            const BitRelation& writes) {
  BitValue result;
  for (std::size_t x = 0; x < keys; ++x) {
    BitRelation order = free_order(circuit, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        order.at(i, j) = circuit.all_of({order.at(i, j), writes.at(i, x), writes.at(j, x)});
    result.push_back(std::move(order));
  }
  return result;
}

// An order of some numbers, and after them the others, ascending.
BitRelation with_others_last(const spec::Matrix& order, std::size_t n) {
  std::vector<std::size_t> place(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_other = i > 0 && !order.has(0, i);
    for (std::size_t j = 0; j < n; ++j) place[i] += order.has(j, i) ? 1 : 0;
    if (is_other) place[i] = n + i;
  }
  BitRelation result(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result.at(i, j) = constant(place[i] < place[j]);
  return result;
}

BitRelation free_transactions(Circuit& circuit, std::size_t n) {
  BitRelation result(1, n);
  for (std::size_t t = 1; t < n; ++t) result.at(0, t) = circuit.variable();
  return result;
}

/// Those of the keys that exist: the ones that the initial transaction writes.
BitRelation existing(Circuit& circuit, BitRelation keys, const BitRelation& writes) {
  for (std::size_t x = 0; x < keys.columns(); ++x)
    keys.at(0, x) = circuit.both(keys.at(0, x), writes.at(0, x));
  return keys;
}

BitRelation free_keys(Circuit& circuit, const BitRelation& writes) {
  BitRelation result(1, writes.columns());
  for (std::size_t x = 0; x < writes.columns(); ++x) result.at(0, x) = circuit.variable();
  return existing(circuit, std::move(result), writes);
}

Bit is_first(Circuit& circuit, const BitRelation& order, const BitRelation& others) {
  std::vector<Bit> all;
  for (std::size_t i = 1; i < order.rows(); ++i)
    all.push_back(circuit.implies(others.at(0, i), order.at(0, i)));
  return circuit.all_of(std::move(all));
}

}  // namespace

// One variable for every pair of others than 0.
BitRelation free_order(Circuit& circuit, std::size_t n) {
  BitRelation order(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      order.at(i, j) = i == 0 ? yes : circuit.variable();
      order.at(j, i) = !order.at(i, j);
    }
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j)
      for (std::size_t k = 1; k < n; ++k)
        if (i != j && j != k && i != k)
          circuit.require(circuit.any_of({!order.at(i, j), !order.at(j, k), order.at(i, k)}));
  return order;
}

BitRelation numbering(std::size_t n) {
  BitRelation order(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) order.at(i, j) = yes;
  return order;
}

void add_free_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition,
                        std::size_t transactions, std::size_t keys, const BitRelation& writes,
                        std::optional<std::size_t> fixed) {
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    const Witness& witness = definition.witnesses[i];
    switch (witness.kind) {
      case Kind::total_order:
        encoder.add_witness(
            {i == fixed ? numbering(transactions) : free_order(circuit, transactions)});
        break;
      case Kind::relation:
        encoder.add_witness({free_relation(circuit, encoder, witness, transactions)});
        break;
      case Kind::version_order:
        encoder.add_witness(free_version_order(circuit, transactions, keys, writes));
        break;
      case Kind::transaction_set:
        encoder.add_witness({free_transactions(circuit, transactions)});
        break;
      case Kind::key_set:
        encoder.add_witness({free_keys(circuit, writes)});
        break;
    }
  }
}

void add_constant_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition,
                            const spec::Execution& execution, const BitRelation& writes) {
  const std::size_t transactions = writes.rows();
  const auto copy = [](const spec::Matrix& matrix, std::size_t rows, std::size_t columns) {
    BitRelation result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) result.at(i, j) = constant(matrix.has(i, j));
    return result;
  };
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    const spec::WitnessValue& value = execution[i];
    switch (definition.witnesses[i].kind) {
      case Kind::total_order:
      case Kind::relation:
        encoder.add_witness({copy(value.matrix, transactions, transactions)});
        break;
      case Kind::version_order: {
        BitValue orders;
        for (const spec::Matrix& matrix : value.by_key) {
          BitRelation order = with_others_last(matrix, transactions);
          for (std::size_t a = 0; a < transactions; ++a)
            for (std::size_t b = 0; b < transactions; ++b)
              order.at(a, b) = circuit.all_of(
                  {order.at(a, b), writes.at(a, orders.size()), writes.at(b, orders.size())});
          orders.push_back(std::move(order));
        }
        encoder.add_witness(std::move(orders));
        break;
      }
      case Kind::transaction_set:
        encoder.add_witness({copy(value.matrix, 1, transactions)});
        break;
      case Kind::key_set:
        encoder.add_witness({existing(circuit, copy(value.matrix, 1, writes.columns()), writes)});
        break;
    }
  }
}

Bit have_right_kinds(Circuit& circuit, const Encoder& encoder, const spec::Definition& definition,
                     const BitRelation& writes) {
  std::vector<Bit> all;
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    const BitValue& value = encoder.witnesses()[i];
    switch (definition.witnesses[i].kind) {
      case Kind::total_order: {
        const BitRelation everybody(1, value[0].rows(), yes);
        all.push_back(is_total_order(circuit, value[0], everybody));
        all.push_back(is_first(circuit, value[0], everybody));
        break;
      }
      case Kind::relation:
        all.push_back(is_irreflexive(circuit, value[0]));
        break;
      case Kind::version_order:
        for (std::size_t x = 0; x < value.size(); ++x) {
          BitRelation writers(1, writes.rows());
          for (std::size_t t = 0; t < writes.rows(); ++t) writers.at(0, t) = writes.at(t, x);
          all.push_back(is_total_order(circuit, value[x], writers));
          all.push_back(is_first(circuit, value[x], writers));
        }
        break;
      case Kind::transaction_set:
        all.push_back(!value[0].at(0, 0));
        break;
      case Kind::key_set:
        break;
    }
  }
  return circuit.all_of(std::move(all));
}

Bit is_execution(Circuit& circuit, Encoder& encoder, const spec::Definition& definition) {
  std::vector<Bit> all;
  const auto contains = [&](const BitValue& larger, const BitValue& smaller) {
    ISOSCOPE_REQUIRE(larger.size() == smaller.size());
    for (std::size_t x = 0; x < larger.size(); ++x)
      all.push_back(is_subset(circuit, smaller[x], larger[x]));
  };
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    const Witness& witness = definition.witnesses[i];
    if (witness.at_least) contains(encoder.witnesses()[i], encoder.value(*witness.at_least));
    if (witness.at_most) contains(encoder.value(*witness.at_most), encoder.witnesses()[i]);
  }
  for (const spec::Axiom& axiom : definition.axioms) all.push_back(encoder.formula(*axiom.formula));
  return circuit.all_of(std::move(all));
}

spec::Execution execution_of(const Circuit& circuit, const Encoder& encoder,
                             const spec::Definition& definition) {
  spec::Execution result;
  const auto copy = [&](const BitRelation& relation) {
    spec::Matrix matrix{std::vector<std::uint64_t>(relation.rows())};
    for (std::size_t i = 0; i < relation.rows(); ++i)
      for (std::size_t j = 0; j < relation.columns(); ++j)
        if (circuit.value(relation.at(i, j))) matrix.add(i, j);
    return matrix;
  };
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    spec::WitnessValue value;
    if (definition.witnesses[i].kind == Kind::version_order) {
      for (const BitRelation& order : encoder.witnesses()[i]) value.by_key.push_back(copy(order));
    } else {
      value.matrix = copy(encoder.witnesses()[i][0]);
    }
    result.push_back(std::move(value));
  }
  return result;
}

}  // namespace isoscope::synth
