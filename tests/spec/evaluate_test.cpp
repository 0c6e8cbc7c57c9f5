#include "isoscope/spec/evaluate.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "isoscope/history/format.h"
#include "isoscope/spec/level_text.h"
#include "spec/node_builder.h"
#include "spec/random_formula.h"
#include "spec/random_structure.h"
#include "spec/tuple_meaning.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

using namespace build;

constexpr Sort transaction = Sort::transaction;
constexpr Sort key = Sort::key;

TupleMeaning::Tuples tuples_of(const WitnessValue& value, const Type& type) {
  TupleMeaning::Tuples result;
  const auto add = [&](const Matrix& matrix, const auto& tuple) {
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
      for (std::size_t j = 0; j < 64; ++j) {
        if (matrix.has(i, j)) result.insert(tuple(i, j));
      }
    }
  };
  using Tuple = TupleMeaning::Tuple;
  if (type.kind == Type::Kind::set) {
    add(value.matrix, [](std::size_t, std::size_t j) { return Tuple{j}; });
  } else if (type.kind == Type::Kind::relation) {
    add(value.matrix, [](std::size_t i, std::size_t j) { return Tuple{i, j}; });
  } else {
    for (std::size_t x = 0; x < value.by_key.size(); ++x) {
      add(value.by_key[x], [x](std::size_t i, std::size_t j) { return Tuple{i, x, j}; });
    }
  }
  return result;
}

TEST(Evaluate, AgreesWithSetsOfTuplesOnExpressions) {
  Random random(314);
  RandomFormula any(random);
  for (int i = 0; i < 20'000 * test_scale(); ++i) {
    const Structure history = random_structure(random, random.below(5), random.below(4));
    const Execution execution = random_execution(random, history);
    const Type type = any.type();
    const NodePtr node = any.expression(type, 1 + static_cast<int>(random.below(4)));
    const auto expected = TupleMeaning(history, execution).tuples(*node);
    ASSERT_EQ(tuples_of(value_of(*node, history, execution), type), expected) << i;
  }
}

TEST(Evaluate, AgreesWithSetsOfTuplesOnFormulas) {
  Random random(2718);
  RandomFormula any(random);
  std::map<Node::Kind, std::array<int, 2>> seen;
  for (int i = 0; i < 20'000 * test_scale(); ++i) {
    const Structure history = random_structure(random, random.below(5), random.below(4));
    const Execution execution = random_execution(random, history);
    const NodePtr node = any.formula(1 + static_cast<int>(random.below(5)));
    const bool expected = TupleMeaning(history, execution).truth(*node);
    ASSERT_EQ(evaluate(*node, history, execution), expected) << i;
    ++seen[node->kind][expected ? 1 : 0];
  }
  EXPECT_EQ(seen.size(), 14u);  // every kind of formula but constants, and tuples of variables
  for (const auto& [kind, count] : seen) {
    EXPECT_GT(count[0], 20) << static_cast<int>(kind);
    EXPECT_GT(count[1], 20) << static_cast<int>(kind);
  }
}

/// A history for the tests below: T1 writes x, T2 reads x from it and writes y, T3 reads y.
Structure chain() {
  Structure s = empty_structure(3, 2);
  s.writes.add(1, 0);
  s.writes.add(2, 1);
  s.wr[0].add(1, 2);
  s.wr[1].add(2, 3);
  return s;
}

TEST(Evaluate, RelationsBelowQuantifiersFollowTheirVariables) {
  const NodePtr wr = any_key(base(Base::wr));
  const NodePtr t = build::variable(0, transaction);
  const NodePtr successors = compose(t, closure(unite(wr, product(t, t))));
  const NodePtr all = comprehension(0, {transaction, transaction},
                                    subset(build::variable(1, transaction), successors));
  EXPECT_EQ(value_of(*all, chain(), {}).matrix, (Matrix{{0b0001, 0b1110, 0b1100, 0b1000}}));
}

TEST(Evaluate, WithinATransactionSetHasTheInitialOneToo) {
  const Structure s = chain();
  const NodePtr readers = compose(base(Base::reads), universe(key));  // T2, T3
  EXPECT_TRUE(
      evaluate(*within(readers, subset(base(Base::initial), universe(transaction))), s, {}));
  // wr of x is lost with T1, and T2 still reads it.
  EXPECT_TRUE(
      evaluate(*within(readers, equal(compose(base(Base::reads), universe(key)), readers)), s, {}));
  const NodePtr wr_is_closed = equal(closure(any_key(base(Base::wr))), any_key(base(Base::wr)));
  EXPECT_FALSE(evaluate(*wr_is_closed, s, {}));
  EXPECT_TRUE(evaluate(*within(readers, wr_is_closed), s, {}));
}

TEST(Evaluate, WithinAKeySetHasWhoTouchesIt) {
  const Structure s = chain();
  // Each key has its writer and its reader, and the reader of x does not count as an update there.
  const NodePtr x = build::variable(0, key);
  const NodePtr two_transactions = exists(
      1, transaction,
      exists(2, transaction,
             equal(subtract(universe(transaction), base(Base::initial)),
                   unite(build::variable(1, transaction), build::variable(2, transaction)))));
  EXPECT_TRUE(evaluate(*for_all(0, key, within(x, two_transactions)), s, {}));
  EXPECT_FALSE(evaluate(*two_transactions, s, {}));
  const NodePtr one_writer = exists(
      1, transaction,
      equal(subtract(base(Base::update), base(Base::initial)), build::variable(1, transaction)));
  EXPECT_TRUE(evaluate(*for_all(0, key, within(x, one_writer)), s, {}));
  EXPECT_FALSE(evaluate(*one_writer, s, {}));
}

TEST(Evaluate, AVariableFromOutsideASubHistoryIsInNoRelation) {
  const Structure s = chain();
  const NodePtr t = build::variable(0, transaction);
  const NodePtr u = build::variable(1, transaction);
  // T1 is before T3 in wr+; in the sub-history of T1 and T3 (neither is T2) it is not.
  const NodePtr before = holds(closure(any_key(base(Base::wr))), {t, u});
  const NodePtr far = conjunction({before, negation(holds(any_key(base(Base::wr)), {t, u}))});
  EXPECT_TRUE(evaluate(*exists(0, transaction, exists(1, transaction, far)), s, {}));
  const NodePtr alone = conjunction({far, within(unite(t, u), before)});
  EXPECT_FALSE(evaluate(*exists(0, transaction, exists(1, transaction, alone)), s, {}));
  // Outside, a variable is still itself, but no member.
  const NodePtr nobody = subtract(t, t);
  const NodePtr outside =
      within(nobody, conjunction({negation(subset(t, universe(transaction))),
                                  negation(holds(base(Base::update), {t})), equal(t, t), some(t)}));
  EXPECT_TRUE(evaluate(*exists(0, transaction, outside), s, {}));
  EXPECT_FALSE(evaluate(*for_all(0, transaction, outside), s, {}));  // the initial one is inside
}

TEST(Evaluate, TotalOrder) {
  const Structure s = empty_structure(3, 0);
  const NodePtr order =
      build::formula(Kind::total_order, {build::witness(0, order_type()), universe(transaction)});
  const auto is_order = [&](std::vector<std::uint64_t> rows) {
    return evaluate(*order, s, {{Matrix{std::move(rows)}, {}}});
  };
  EXPECT_TRUE(is_order({0b1110, 0b1100, 0b1000, 0b0000}));
  EXPECT_TRUE(is_order({0b0000, 0b0101, 0b0001, 0b0111}));
  EXPECT_FALSE(is_order({0b1110, 0b0100, 0b1000, 0b0010}));  // 1, 2, 3 in a circle
  EXPECT_FALSE(is_order({0b1110, 0b1000, 0b1000, 0b0000}));
  EXPECT_FALSE(is_order({0b1110, 0b1100, 0b1000, 0b1000}));
  EXPECT_FALSE(is_order({0b1110, 0b1101, 0b1000, 0b0000}));
  // On some: then it says nothing of others.
  const NodePtr among = build::formula(
      Kind::total_order,
      {build::witness(0, order_type()), subtract(universe(transaction), base(Base::initial))});
  EXPECT_TRUE(evaluate(*among, s, {{Matrix{{0, 0b1100, 0b1000, 0}}, {}}}));
  EXPECT_FALSE(evaluate(*among, s, {{Matrix{{0b1000, 0b1100, 0b1000, 0}}, {}}}));
  EXPECT_FALSE(evaluate(*among, s, {{Matrix{{0, 0b1101, 0b1000, 0}}, {}}}));
}

TEST(Evaluate, Texts) {
  // T1 and T2 are a session, T3 is alone and saw half of T1.
  const History history = *read_history(
      Source::from_memory("test",
                          "a: T1@1..2 w(x,1) w(y,1) ; T2@5..6 r(x,1) | b: T3@4..9 r(y,nil) r(x,1)"),
      {.format = Format::litmus});
  const Structure s = *structure_of(history);
  const auto says = [&](std::string text) {
    const auto definition = read_formula({"formula", text}, find_shipped);
    EXPECT_TRUE(definition) << text << ": " << (definition ? "" : definition.error().text());
    return definition && judge(*definition, s, {}).allowed;
  };
  for (const char* formula : {
           "some wr",
           "acyclic so | wr",
           "not (wr in so)",
           "forall t in reads ; key. not update(t)",
           "exists t, s: transaction. so(t, s) and wr(t, s) and not initial(t)",
           "exists t: transaction. t ; wr = t ; rt and t != initial",
           "forall x: key. some (transaction \\ initial) & (writes ; x)",
           "exists x, y: key. x != y and some wr[x] ; wr[y]^-1",
           "exists t, s: transaction, x: key. wr(t, x, s) and some (writes ; x) & (wr ; s) \\ t",
           "some seen-before",
           "irreflexive wr ; wr^-1 \\ [transaction]",
           "total order update <: so :> update on update",
           "not (total order so on update)",
           "not (total order so on transaction)",
           "within update { transaction = update and no (wr \\ initial * transaction) }",
           "within transaction \\ update { reads ; key = transaction \\ initial }",
           "forall x: key. within x { key = x and writes ; key = writes ; x }",
           "so in rt",
           "[update] ; rt = update <: rt",
           "wr+ in rt* and rt? = rt | [transaction]",
       }) {
    EXPECT_TRUE(says(formula)) << formula;
    EXPECT_FALSE(says("not (" + std::string(formula) + ")")) << formula;
  }
}

TEST(ValueOf, GivenOrder) {
  const Structure s = chain();
  Matrix order{{0b1110, 0b0000, 0b1010, 0b0010}};
  const NodePtr node = compose(base(Base::given_order), any_key(base(Base::wr)));
  EXPECT_EQ(value_of(*node, s, {}, &order).matrix, (Matrix{{0b1100, 0, 0b0100, 0b0100}}));
}

// What kinds of witnesses are, and that bounds and axioms are looked at.

Definition of_one(Witness witness) {
  Definition definition;
  definition.witnesses.push_back(std::move(witness));
  return definition;
}

TEST(Judge, TotalOrder) {
  const Structure s = chain();
  const Definition any = of_one({"co", Witness::Kind::total_order, nullptr, nullptr});
  const auto allowed = [&](const Definition& definition, std::vector<std::uint64_t> rows) {
    return judge(definition, s, {{Matrix{std::move(rows)}, {}}}).allowed;
  };
  EXPECT_TRUE(allowed(any, {0b1110, 0b1100, 0b1000, 0b0000}));
  EXPECT_TRUE(allowed(any, {0b1110, 0b0000, 0b1010, 0b0010}));
  EXPECT_FALSE(allowed(any, {0b1100, 0b1101, 0b1000, 0b0000}));   // the initial one is second
  EXPECT_FALSE(allowed(any, {0b1110, 0b1000, 0b1000, 0b0000}));   // not total
  EXPECT_FALSE(allowed(any, {0b1110, 0b0100, 0b1000, 0b0010}));   // a circle
  EXPECT_FALSE(allowed(any, {0b1111, 0b1100, 0b1000, 0b0000}));   // not strict
  EXPECT_FALSE(allowed(any, {0b11110, 0b1100, 0b1000, 0b0000}));  // nobody's number
  EXPECT_FALSE(allowed(any, {0b1110, 0b1100, 0b1000}));           // too small
  const Definition bounded =
      of_one({"co", Witness::Kind::total_order, any_key(base(Base::wr)), nullptr});
  EXPECT_TRUE(allowed(bounded, {0b1110, 0b1100, 0b1000, 0b0000}));
  EXPECT_FALSE(allowed(bounded, {0b1110, 0b0000, 0b1010, 0b0010}));
}

TEST(Judge, OtherKinds) {
  const Structure s = chain();
  const auto allowed = [&](Witness witness, WitnessValue value) {
    return judge(of_one(std::move(witness)), s, {std::move(value)}).allowed;
  };
  const Witness vis = {"vis", Witness::Kind::relation, base(Base::so), optional(base(Base::so))};
  EXPECT_TRUE(allowed(vis, {Matrix{{0b1110, 0, 0, 0}}, {}}));
  EXPECT_FALSE(allowed(vis, {Matrix{{0b1100, 0, 0, 0}}, {}}));       // too little
  EXPECT_FALSE(allowed(vis, {Matrix{{0b1110, 0b0100, 0, 0}}, {}}));  // too much
  EXPECT_FALSE(allowed(vis, {Matrix{{0b1110, 0b0010, 0, 0}}, {}}));  // not irreflexive

  const Witness ww = {"ww", Witness::Kind::version_order, nullptr, nullptr};
  EXPECT_TRUE(allowed(ww, {{}, {Matrix{{0b0010, 0, 0, 0}}, Matrix{{0b0100, 0, 0, 0}}}}));
  EXPECT_FALSE(allowed(ww, {{}, {Matrix{{0b0010, 0, 0, 0}}, Matrix{{0b0110, 0, 0, 0}}}}));
  EXPECT_FALSE(allowed(ww, {{}, {Matrix{{0b0010, 0, 0, 0}}, Matrix{{0, 0, 0, 0}}}}));
  EXPECT_FALSE(allowed(ww, {{}, {Matrix{{0b0010, 0, 0, 0}}}}));

  const Witness some = {"some", Witness::Kind::transaction_set, nullptr, nullptr};
  EXPECT_TRUE(allowed(some, {Matrix{{0b1010}}, {}}));
  EXPECT_FALSE(allowed(some, {Matrix{{0b0001}}, {}}));
  EXPECT_FALSE(allowed(some, {Matrix{{0b10000}}, {}}));
  const Witness keys = {"keys", Witness::Kind::key_set, nullptr, nullptr};
  EXPECT_TRUE(allowed(keys, {Matrix{{0b11}}, {}}));
  EXPECT_FALSE(allowed(keys, {Matrix{{0b100}}, {}}));
}

TEST(Judge, NamesWhatIsNotSo) {
  const Structure s = chain();
  Definition definition = of_one({"co", Witness::Kind::total_order, nullptr, nullptr});
  const NodePtr co = build::witness(0, order_type());
  definition.axioms = {{"session", subset(base(Base::so), co)},
                       {"reads", subset(any_key(base(Base::wr)), co)}};
  const auto why = [&](std::vector<std::uint64_t> rows) {
    return judge(definition, s, {{Matrix{std::move(rows)}, {}}}).why;
  };
  EXPECT_EQ(why({0b1110, 0b1100, 0b1000, 0b0000}), "");
  EXPECT_EQ(why({0b1110, 0b0000, 0b1010, 0b0010}), "reads");
  EXPECT_EQ(why({0, 0, 0, 0}), "co");
  EXPECT_FALSE(judge(definition, s, {}).allowed);
}

}  // namespace
}  // namespace isoscope::spec
