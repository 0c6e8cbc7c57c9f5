#include "check/rows/row_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using Kind = Predicate::Kind;

Constant some_constant(Random& random) {
  if (random.chance(5)) return {};
  if (random.chance(50)) return static_cast<std::int64_t>(random.below(10)) - 5;
  return std::string(random.below(3), 'a') + (random.chance(50) ? "b" : "");
}

Predicate some_predicate(Random& random, int depth) {
  Predicate predicate;
  predicate.kind = static_cast<Kind>(random.below(depth > 0 ? 15 : 12));
  switch (predicate.kind) {
    case Kind::always:
      return predicate;
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::negation:
      for (std::uint64_t i = predicate.kind == Kind::negation ? 1 : random.below(4); i > 0; --i)
        predicate.children.push_back(some_predicate(random, depth - 1));
      return predicate;
    case Kind::prefix:
      predicate.constants = {std::string(random.below(3), 'a')};
      break;
    case Kind::modulo:
      predicate.constants = {std::int64_t{3}, static_cast<std::int64_t>(random.below(3))};
      break;
    case Kind::in:
      for (std::uint64_t i = random.below(4); i > 0; --i)
        predicate.constants.push_back(some_constant(random));
      break;
    case Kind::is_null:
      break;
    default:
      predicate.constants = {some_constant(random), some_constant(random)};
      if (predicate.kind != Kind::between) predicate.constants.pop_back();
  }
  predicate.operand = random.chance(30)   ? Predicate::key_operand
                      : random.chance(50) ? Predicate::value_operand
                                          : "v";
  return predicate;
}

ValueId scalar(ValuePool& values, const Constant& constant) {
  if (const auto* integer = std::get_if<std::int64_t>(&constant)) return values.integer(*integer);
  if (const auto* text = std::get_if<std::string>(&constant)) return values.string(*text);
  return ValuePool::nil;
}

TEST(RowIndex, FindsEveryRowThatIsSelectedOnce) {
  Random random(61);
  std::size_t selected = 0;
  for (int round = 0; round < 300 * test_scale(); ++round) {
    HistoryBuilder builder;
    std::vector<RowIndex::Row> rows;
    for (std::uint64_t i = random.below(12); i > 0; --i) {
      ValueId name = scalar(builder.values(), some_constant(random));
      if (name == ValuePool::nil) name = builder.values().integer(0);
      ValueId value = scalar(builder.values(), some_constant(random));
      if (random.chance(40)) {
        const Column column{builder.values().string("v"), value};
        value = builder.values().row(std::span(&column, 1));
      }
      rows.push_back({builder.key(name), value, TransactionId(i)});
    }
    std::vector<PredicateId> predicates;
    for (int i = 0; i < 20; ++i) predicates.push_back(builder.predicate(some_predicate(random, 2)));
    const History history = std::move(builder).finish();
    RowIndex index(history);
    for (const RowIndex::Row& row : rows) index.add(row);
    for (int again = 0; again < 2; ++again) {
      for (const PredicateId id : predicates) {
        std::vector<std::uint32_t> found;
        std::uint64_t work = 0;
        index.for_each_selected(id, work, [&](const RowIndex::Row& row) {
          found.push_back(row.writer.value);
          return true;
        });
        std::vector<std::uint32_t> expected;
        for (const RowIndex::Row& row : rows) {
          if (evaluate(history.predicate(id), history.values(), history.key_name(row.key),
                       row.value) == Truth::yes) {
            expected.push_back(row.writer.value);
          }
        }
        std::ranges::sort(found);
        std::ranges::sort(expected);
        ASSERT_EQ(found, expected);
        selected += found.size();
      }
    }
  }
  EXPECT_GT(selected, 10'000u);
}

TEST(RowIndex, StopsWhenToldTo) {
  HistoryBuilder builder;
  const KeyId key = builder.key(1);
  const ValueId one = builder.values().integer(1);
  const PredicateId all = builder.predicate(Predicate{});
  const PredicateId equal =
      builder.predicate({Kind::equal, Predicate::value_operand, {std::int64_t{1}}, {}});
  const PredicateId negated = builder.predicate(
      {Kind::negation, "", {}, {{Kind::is_null, Predicate::value_operand, {}, {}}}});
  const History history = std::move(builder).finish();
  RowIndex index(history);
  for (int i = 0; i < 5; ++i) index.add({key, one});
  for (const PredicateId predicate : {all, equal, negated}) {
    std::size_t calls = 0;
    std::uint64_t work = 0;
    index.for_each_selected(predicate, work, [&](const RowIndex::Row&) { return ++calls < 2; });
    EXPECT_EQ(calls, 2u);
  }
}

}  // namespace
}  // namespace isoscope
