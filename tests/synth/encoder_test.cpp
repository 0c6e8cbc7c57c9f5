#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "isoscope/base/random.h"
#include "isoscope/spec/evaluate.h"
#include "shipped.h"
#include "spec/random_formula.h"
#include "spec/random_structure.h"
#include "synth/execution_bits.h"
#include "synth/history_space.h"
#include "synth/used_keys.h"
#include "test_scale.h"

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Execution;
using spec::Structure;
using spec::Witness;
using spec::WitnessValue;

spec::Matrix random_order(Random& random, std::vector<std::size_t> members, std::size_t n) {
  for (std::size_t i = members.size(); i > 2; --i)  // the first stays
    std::swap(members[i - 1], members[1 + random.below(i - 1)]);
  spec::Matrix order{std::vector<std::uint64_t>(n)};
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j) order.add(members[i], members[j]);
  return order;
}

// The witnesses are of the right kinds. Relations often keep within the bounds, so that the axioms
// matter.
Execution random_execution(Random& random, const Definition& level, const Structure& history) {
  const std::size_t n = history.transactions;
  Execution result;
  for (const Witness& witness : level.witnesses) {
    WitnessValue value;
    std::vector<std::size_t> everybody(n);
    std::iota(everybody.begin(), everybody.end(), 0);
    switch (witness.kind) {
      case Witness::Kind::total_order:
        value.matrix = random_order(random, everybody, n);
        break;
      case Witness::Kind::version_order:
        for (std::size_t x = 0; x < history.keys; ++x) {
          std::vector<std::size_t> writers = everybody;
          std::erase_if(writers, [&](std::size_t t) { return !history.writes.has(t, x); });
          value.by_key.push_back(random_order(random, writers, n));
        }
        break;
      case Witness::Kind::relation: {
        value.matrix.rows.resize(n);
        const auto bound = [&](const spec::NodePtr& node, std::uint64_t otherwise) {
          if (node) return value_of(*node, history, result).matrix;
          return spec::Matrix{std::vector<std::uint64_t>(n, otherwise)};
        };
        const spec::Matrix least = bound(witness.at_least, 0), most = bound(witness.at_most, ~0ull);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            if (i != j && most.has(i, j) && (least.has(i, j) || random.chance(60)))
              value.matrix.add(i, j);
        break;
      }
      default:
        value.matrix.rows = {
            random.next() &
            ((std::uint64_t{1} << (witness.kind == Witness::Kind::key_set ? history.keys : n)) -
             1) &
            ~std::uint64_t{1}};
    }
    result.push_back(std::move(value));
  }
  return result;
}

// With everything known, the circuit folds to what the evaluator says.
TEST(Encoder, OfKnownFactsIsTheEvaluator) {
  Random random(1);
  std::size_t allowed = 0, forbidden = 0;
  for (const Definition& level : all_shipped()) {
    for (int i = 0; i < 60 * test_scale(); ++i) {
      const Structure structure =
          spec::random_structure(random, 1 + random.below(4), 1 + random.below(3));
      const Execution execution = random_execution(random, level, structure);
      Circuit circuit;
      const BitHistory history = constant_history(structure);
      Encoder encoder(circuit, history);
      add_constant_execution(circuit, encoder, level, execution, history.writes);
      const bool expected = judge(level, structure, execution).allowed;
      (expected ? allowed : forbidden) += 1;
      ASSERT_EQ(is_execution(circuit, encoder, level), constant(expected))
          << level.name << " " << i;
      ASSERT_EQ(have_right_kinds(circuit, encoder, level, history.writes), yes) << level.name;
    }
  }
  EXPECT_GT(allowed, 100u);
  EXPECT_GT(forbidden, 100u);
}

// Formulas nobody would write, sub-histories within each other among them.
TEST(Encoder, OfRandomFormulasIsTheEvaluator) {
  Random random(2);
  Definition level;
  level.witnesses = spec::RandomFormula::witnesses();
  for (int i = 0; i < 6000 * test_scale(); ++i) {
    const Structure structure =
        spec::random_structure(random, 1 + random.below(4), 1 + random.below(3));
    const Execution execution = random_execution(random, level, structure);
    const spec::NodePtr formula = spec::RandomFormula(random).formula(5);
    Circuit circuit;
    const BitHistory history = constant_history(structure);
    Encoder encoder(circuit, history);
    add_constant_execution(circuit, encoder, level, execution, history.writes);
    ASSERT_EQ(encoder.formula(*formula), constant(evaluate(*formula, structure, execution))) << i;
  }
}

// With everything open, a model of "is an execution" is one for the evaluator, and a model of the
// opposite is none.
TEST(Encoder, OfOpenFactsHasTheEvaluatorsModels) {
  for (const Definition& level : all_shipped()) {
    for (const bool is_wanted : {true, false}) {
      Circuit circuit;
      HistorySpace space(circuit, {.values = 4}, 3, 2, {.real_time = true, .seen_before = true});
      Encoder encoder(circuit, space.history());
      add_free_execution(circuit, encoder, level, 4, 2, space.history().writes, {});
      const Bit bit = is_execution(circuit, encoder, level);
      circuit.require(is_wanted ? bit : !bit);
      Limits limits;
      for (std::uint64_t model = 0; model < 5; ++model) {
        if (circuit.solve({}, limits) != Satisfiability::satisfiable) {
          EXPECT_TRUE(!is_wanted || level.name.starts_with("history/")) << level.name;
          break;
        }
        const Structure structure = space.structure();
        const std::vector<std::size_t> keys = used_keys(structure);
        const spec::Execution execution =
            with_keys(execution_of(circuit, encoder, level), level, keys);
        ASSERT_EQ(judge(level, with_keys(structure, keys), execution).allowed, is_wanted)
            << level.name;
        std::vector<Bit> others;
        for (const Bit fact : space.facts(structure)) others.push_back(!fact);
        circuit.require_any(others);
      }
    }
  }
}

}  // namespace
}  // namespace isoscope::synth
