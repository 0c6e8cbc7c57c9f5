#include <gtest/gtest.h>

#include <functional>

#include "isoscope/history/format.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/spec/level_text.h"
#include "reference/reference_checker.h"
#include "spec/node_builder.h"
#include "spec/random_formula.h"
#include "spec/random_structure.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

using namespace build;

/// All bits of a few matrices, as one counter runs through them.
Matrix matrix_from(std::uint64_t& bits, std::size_t rows, std::size_t columns) {
  Matrix result{std::vector<std::uint64_t>(rows, 0)};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j, bits >>= 1) {
      if ((bits & 1) != 0) result.add(i, j);
    }
  }
  return result;
}

/// Every value of a witness of the kind, found by asking judge() of everything.
std::vector<WitnessValue> values_of(Witness::Kind kind, const Structure& history) {
  Definition definition;
  definition.witnesses.push_back({"w", kind, nullptr, nullptr});
  const std::size_t n = history.transactions;
  std::size_t size = n * n;
  if (kind == Witness::Kind::transaction_set) size = n;
  if (kind == Witness::Kind::key_set) size = history.keys;
  if (kind == Witness::Kind::version_order) size = n * n * history.keys;
  std::vector<WitnessValue> result;
  for (std::uint64_t number = 0; number < std::uint64_t{1} << size; ++number) {
    std::uint64_t bits = number;
    WitnessValue value;
    if (kind == Witness::Kind::transaction_set || kind == Witness::Kind::key_set) {
      value.matrix = matrix_from(bits, 1, size);
    } else if (kind == Witness::Kind::version_order) {
      for (std::size_t key = 0; key < history.keys; ++key) {
        value.by_key.push_back(matrix_from(bits, n, n));
      }
    } else {
      value.matrix = matrix_from(bits, n, n);
    }
    if (judge(definition, history, {value}).allowed) result.push_back(value);
  }
  return result;
}

bool any_execution(const Definition& definition, const Structure& history) {
  std::vector<std::vector<WitnessValue>> values;
  for (const Witness& witness : definition.witnesses) {
    values.push_back(values_of(witness.kind, history));
  }
  Execution execution;
  const std::function<bool()> extend = [&] {
    if (execution.size() == values.size()) return judge(definition, history, execution).allowed;
    for (const WitnessValue& value : values[execution.size()]) {
      execution.push_back(value);
      if (extend()) return true;
      execution.pop_back();
    }
    return false;
  };
  return extend();
}

TEST(FindExecution, FindsOneIfAndOnlyIfThereIsOne) {
  Random random(1984);
  int found = 0;
  int not_found = 0;
  for (int i = 0; i < 400 * test_scale(); ++i) {
    const Structure history = random_structure(random, random.below(3), random.below(2));
    Definition definition;
    definition.witnesses = RandomFormula::witnesses();
    // A bound speaks of earlier witnesses only.
    const std::array types = {order_type(), order_type(), keyed_type(), set_type(Sort::transaction),
                              set_type(Sort::key)};
    for (std::uint32_t w = 0; w < 5; ++w) {
      RandomFormula earlier(random, w);
      if (random.chance(15)) definition.witnesses[w].at_least = earlier.expression(types[w], 2);
      if (random.chance(15)) {
        definition.witnesses[w].at_most =
            unite(earlier.expression(types[w], 2), earlier.expression(types[w], 2));
      }
    }
    for (std::uint64_t axioms = 1 + random.below(5); axioms > 0; --axioms) {
      RandomFormula any(random, static_cast<std::uint32_t>(random.below(6)));
      definition.axioms.push_back({"a", any.formula(4)});
    }
    const auto execution = find_execution(definition, history);
    ASSERT_EQ(execution.has_value(), any_execution(definition, history)) << i;
    if (execution) {
      const Judgement judgement = judge(definition, history, *execution);
      ASSERT_TRUE(judgement.allowed) << judgement.why;
    }
    ++(execution ? found : not_found);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(not_found, 50);
}

/// Biswas and Enea's definition: a transaction that writes x and comes before a reader of x is the
/// one that it reads from, or comes before that one.
Definition serializability() {
  const NodePtr co = build::witness(0, order_type());
  const NodePtr x = build::variable(0, Sort::key);
  const NodePtr from = build::variable(1, Sort::transaction);
  const NodePtr other = build::variable(2, Sort::transaction);
  const NodePtr reader = build::variable(3, Sort::transaction);
  const NodePtr premise =
      conjunction({holds(base(Base::wr), {from, x, reader}), holds(base(Base::writes), {other, x}),
                   negation(equal(from, other)), holds(co, {other, reader})});
  Definition definition;
  definition.witnesses = {
      {"co", Witness::Kind::total_order, unite(base(Base::so), any_key(base(Base::wr))), nullptr}};
  definition.axioms = {
      {"serial",
       for_all(0, Sort::key,
               for_all(1, Sort::transaction,
                       for_all(2, Sort::transaction,
                               for_all(3, Sort::transaction,
                                       implication(premise, holds(co, {other, from}))))))}};
  return definition;
}

TEST(FindExecution, DecidesSerializability) {
  Random random(77);
  const Definition definition = serializability();
  int allowed = 0;
  const int count = 2000 * test_scale();
  for (int i = 0; i < count; ++i) {
    const Structure structure = random_structure(random, 1 + random.below(4), 2);
    const History history = history_of(structure, false);
    const bool expected = reference::satisfies(history, Level{LevelId::serializable, true});
    ASSERT_EQ(find_execution(definition, structure).has_value(), expected)
        << *format_history(history, Format::litmus);
    allowed += expected ? 1 : 0;
  }
  EXPECT_GT(allowed, count / 10);
  EXPECT_LT(allowed, 9 * count / 10);
}

TEST(FindExecution, GuessesSetsOfKeys) {
  // Serializable on some keys, and on the others, each part by itself.
  const auto definition = read_definition({"parts", R"(
    witness green : set of keys
    witness co : total order from so
    witness other : total order from so
    def serializable(before: relation) = wr in before and forall t, s: transaction, x: key.
      wr(t, x, s) => no ((before ; s) & (writes ; x) & (t ; before))
    axiom green: within green { serializable(co) }
    axiom red: within key \ green { serializable(other) }
  )"},
                                          find_shipped);
  ASSERT_TRUE(definition) << definition.error().text();
  const auto execution = [&](const char* litmus) {
    const Source source = Source::from_memory("test", litmus);
    return find_execution(*definition,
                          *structure_of(*read_history(source, {.format = Format::litmus})));
  };
  // A write skew: x green, y red, or the other way.
  const auto skew = execution("a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)");
  ASSERT_TRUE(skew);
  EXPECT_EQ(__builtin_popcountll((*skew)[0].matrix.rows[0]), 1);
  // A lost update is on one key.
  EXPECT_FALSE(execution("a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2) | c: T3 r(y,nil)"));
}

}  // namespace
}  // namespace isoscope::spec
