#include "check/rows/row_subset.h"

#include <gtest/gtest.h>

#include <set>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

using Kind = Predicate::Kind;

Predicate comparison(Kind kind, const char* operand, std::vector<Constant> constants) {
  return {kind, operand, std::move(constants), {}};
}

/// Some of each kind, those included that look at all rows.
std::vector<Predicate> predicates() {
  const auto integer = [](std::int64_t value) { return Constant(value); };
  std::vector<Predicate> all = {
      {},
      comparison(Kind::equal, "v", {integer(3)}),
      comparison(Kind::equal, "v", {Constant()}),
      comparison(Kind::less, "v", {integer(3)}),
      comparison(Kind::greater_equal, "w", {Constant("b")}),
      comparison(Kind::greater, "w", {integer(1)}),
      comparison(Kind::between, "v", {integer(2), integer(5)}),
      comparison(Kind::between, "v", {integer(1), Constant("x")}),
      comparison(Kind::in, "v", {integer(1), integer(6), Constant("b")}),
      comparison(Kind::in, "v", {}),
      comparison(Kind::prefix, "w", {Constant("a")}),
      comparison(Kind::less_equal, "@key", {integer(20)}),
      comparison(Kind::modulo, "v", {integer(2), integer(0)}),
      comparison(Kind::is_null, "w", {}),
  };
  all.push_back({Kind::conjunction, "", {}, {all[6], all[10]}});
  all.push_back({Kind::disjunction, "", {}, {all[1], all[10]}});
  all.push_back({Kind::negation, "", {}, {all[3]}});
  return all;
}

TEST(RowSubset, SelectsWhatEachRowSaysByItself) {
  HistoryBuilder builder;
  Random random(1);
  std::vector<RowIndex::Row> rows;
  for (int i = 0; i < 150; ++i) {
    const KeyId key = builder.key(std::int64_t{i});
    const auto scalar = [&] {
      ValuePool& values = builder.values();
      if (random.chance(15)) return ValuePool::nil;
      if (random.chance(30)) return values.string(std::string(1, "abc"[random.below(3)]) + "x");
      return values.integer(static_cast<std::int64_t>(random.below(8)));
    };
    const Column columns[] = {{builder.values().string("v"), scalar()},
                              {builder.values().string("w"), scalar()}};
    rows.push_back({key, builder.values().row(columns)});
  }
  const History history = std::move(builder).finish();
  RowIndex index(history);
  for (const RowIndex::Row& row : rows) index.add(row);
  RowSubset subset(index);
  std::set<std::uint32_t> present;
  for (int step = 0; step < 400; ++step) {
    const auto row = static_cast<std::uint32_t>(random.below(rows.size()));
    if (present.erase(row) > 0) {
      subset.erase(row);
    } else {
      present.insert(row);
      subset.insert(row);
    }
    if (step == 200) {
      subset.clear();
      present.clear();
    }
    for (const Predicate& predicate : predicates()) {
      std::set<std::uint32_t> expected;
      for (const std::uint32_t one : present) {
        if (evaluate(predicate, history.values(), history.key_name(rows[one].key),
                     rows[one].value) == Truth::yes) {
          expected.insert(one);
        }
      }
      std::set<std::uint32_t> found;
      subset.for_each_selected(predicate, subset.place_of(predicate),
                               [&](std::uint32_t one) { EXPECT_TRUE(found.insert(one).second); });
      ASSERT_EQ(found, expected) << static_cast<int>(predicate.kind) << " at " << step;
    }
  }
}

}  // namespace
}  // namespace isoscope
