#include "isoscope/history/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "test_scale.h"

namespace isoscope {
namespace {

TEST(ValuePool, StartsWithTheReservedValues) {
  const ValuePool pool;
  EXPECT_EQ(pool.size(), 3U);
  EXPECT_EQ(pool.kind(ValuePool::nil), ValueKind::nil);
  EXPECT_EQ(pool.kind(ValuePool::unreported), ValueKind::unreported);
  EXPECT_EQ(pool.kind(ValuePool::empty_list), ValueKind::list);
  EXPECT_EQ(pool.list_size(ValuePool::empty_list), 0U);
  EXPECT_TRUE(pool.list_elements(ValuePool::empty_list).empty());
}

TEST(ValuePool, EqualValuesAreEqualIds) {
  ValuePool pool;
  EXPECT_EQ(pool.integer(7), pool.integer(7));
  EXPECT_NE(pool.integer(7), pool.integer(-7));
  EXPECT_EQ(pool.string("a"), pool.string("a"));
  EXPECT_NE(pool.string("a"), pool.string("b"));
  EXPECT_NE(pool.string("7"), pool.integer(7));
  EXPECT_NE(pool.string(""), ValuePool::nil);
  EXPECT_NE(pool.integer(0), ValuePool::nil);
}

TEST(ValuePool, IntegersOfAllSizes) {
  ValuePool pool;
  std::map<std::int64_t, ValueId> ids;
  const auto add = [&](std::int64_t integer) {
    const ValueId id = pool.integer(integer);
    ASSERT_TRUE(ids.try_emplace(integer, id).first->second == id) << integer;
    ASSERT_EQ(pool.integer_of(id), integer);
  };
  for (const std::int64_t edge :
       {std::int64_t{0}, std::int64_t{1} << 10, std::int64_t{1} << 31, INT64_MAX, INT64_MIN}) {
    for (int i = -3; i <= 3; ++i)
      add(static_cast<std::int64_t>(static_cast<std::uint64_t>(edge) +
                                    static_cast<std::uint64_t>(i)));
  }
  Random random(1);
  for (int i = 0; i < 100'000 * test_scale(); ++i) {
    add(static_cast<std::int64_t>(random.next() >> random.below(64)));
    add(-static_cast<std::int64_t>(random.below(1000)));
    add(i);
  }
  EXPECT_EQ(pool.size(), ids.size() + 3);
  for (const auto& [integer, id] : ids) {
    ASSERT_EQ(pool.integer(integer), id);
    ASSERT_EQ(pool.integer_of(id), integer);
  }
}

TEST(ValuePool, StringsOfAllLengthsAndBytes) {
  ValuePool pool;
  std::map<std::string, ValueId> ids;
  Random random(2);
  for (int i = 0; i < 20'000 * test_scale(); ++i) {
    std::string text(random.below(20), 'x');
    // Few letters, so that texts repeat and differ late; zero bytes, so that padding would show.
    for (char& c : text) c = "ab\0"[random.below(3)];
    const ValueId id = pool.string(text);
    ASSERT_TRUE(ids.try_emplace(text, id).first->second == id);
    ASSERT_EQ(pool.string_of(id), text);
  }
  EXPECT_EQ(pool.size(), ids.size() + 3);
  for (const auto& [text, id] : ids) ASSERT_EQ(pool.string_of(id), text);
}

TEST(ValuePool, RowsDoNotDependOnTheOrderOfColumns) {
  ValuePool pool;
  const ValueId a = pool.string("a");
  const ValueId b = pool.string("b");
  const ValueId c = pool.string("c");
  const ValueId one = pool.integer(1);
  const std::vector<Column> forward = {{a, one}, {b, ValuePool::nil}, {c, a}};
  const std::vector<Column> backward = {{c, a}, {b, ValuePool::nil}, {a, one}};
  const ValueId row = pool.row(forward);
  EXPECT_EQ(pool.row(backward), row);
  EXPECT_EQ(pool.kind(row), ValueKind::row);
  ASSERT_EQ(pool.row_of(row).size(), 3U);
  EXPECT_TRUE(std::equal(forward.begin(), forward.end(), pool.row_of(row).begin()));

  EXPECT_NE(pool.row(std::vector<Column>{{a, one}}), row);
  EXPECT_NE(pool.row(std::vector<Column>{{a, one}, {c, a}}), row) << "a column of nil is there";
  EXPECT_EQ(pool.row({}), pool.row({}));
  EXPECT_EQ(pool.row_of(pool.row({})).size(), 0U);
}

TEST(ValuePool, RowsAreSortedByNameNotByWhenItWasSeen) {
  ValuePool pool;
  const ValueId late = pool.string("z");
  const ValueId early = pool.string("a");
  const ValueId row =
      pool.row(std::vector<Column>{{late, ValuePool::nil}, {early, ValuePool::nil}});
  EXPECT_EQ(pool.row_of(row)[0].name, early);
}

/// Two pools, given the same: one by shapes, one value after the other.
TEST(ValuePool, RowsOfAShapeAreThoseMadeOfTheirValues) {
  ValuePool shaped;
  ValuePool single;
  const std::vector<std::string> texts = {"b", "c", "a"};
  std::vector<ValueId> names;
  for (const std::string& text : texts) {
    names.push_back(shaped.string(text));
    ASSERT_EQ(single.string(text), names.back());
  }
  const std::vector<RowShape> shapes = {shaped.row_shape(names),
                                        shaped.row_shape(std::span(names).first(2)),
                                        shaped.row_shape(std::span(names).first(0))};
  std::map<ValueId, ValueId> of_single;  // by the row of the other pool
  Random random(4);
  for (int i = 0; i < 20'000 * test_scale(); ++i) {
    const RowShape& shape = shapes[random.below(shapes.size())];
    std::vector<std::int64_t> integers;
    std::vector<Column> columns;
    for (std::size_t c = 0; c < shape.size(); ++c) {
      // Small and large ones, each several times.
      const auto number = static_cast<std::int64_t>(random.below(30));
      integers.push_back(random.chance(50) ? number : -number * 1'000'000'007);
      columns.push_back({names[c], single.integer(integers.back())});
    }
    const std::uint64_t hash = shaped.row_hash(shape, integers);
    shaped.prefetch_row(hash);
    shaped.prefetch_row_content(hash);
    const ValueId row = shaped.row(shape, integers, hash);
    const ValueId same = single.row(columns);
    ASSERT_EQ(of_single.try_emplace(row, same).first->second, same);
    for (Column& column : columns) column.value = shaped.integer(single.integer_of(column.value));
    ASSERT_EQ(shaped.row(columns), row);
    ASSERT_EQ(shaped.row(shape, integers), row);
    const RowColumns there = single.row_of(same);
    ASSERT_TRUE(std::ranges::equal(shaped.row_of(row), there, [&](Column a, Column b) {
      return a.name == b.name && shaped.integer_of(a.value) == single.integer_of(b.value);
    }));
  }
  std::set<ValueId> all;
  for (const auto& [row, same] : of_single) all.insert(same);
  EXPECT_EQ(all.size(), of_single.size());
}

TEST(ValuePool, StringsOfAllLengths) {
  ValuePool pool;
  std::map<std::string, ValueId> ids;
  Random random(6);
  for (int i = 0; i < 20'000 * test_scale(); ++i) {
    // Few letters, so that many differ in one place only, be it the first or the last.
    std::string text(random.below(40), 'a');
    for (int letter = 0; letter < 2 && !text.empty(); ++letter) {
      text[random.below(text.size())] = static_cast<char>('a' + random.below(3));
    }
    const std::uint64_t hash = ValuePool::string_hash(text);
    pool.prefetch_string(hash);
    const ValueId id = pool.string(text, hash);
    ASSERT_EQ(ids.try_emplace(text, id).first->second, id) << text;
    ASSERT_EQ(pool.string(text), id);
    ASSERT_EQ(pool.string_of(id), text);
  }
  EXPECT_EQ(pool.size(), ids.size() + 3);
}

TEST(ValuePool, RoomForValuesChangesNothing) {
  for (const std::size_t room : {0U, 1U, 10U, 3000U, 100'000U}) {
    ValuePool plain;
    ValuePool roomy;
    roomy.reserve(room, 5 * room);
    Random random(7);
    for (int i = 0; i < 5'000; ++i) {
      const std::uint64_t number = random.next() >> random.below(64);
      const std::string text = std::to_string(number % 3000);
      ASSERT_EQ(plain.string(text), roomy.string(text));
      const auto integer = static_cast<std::int64_t>(number);
      ASSERT_EQ(plain.integer(integer), roomy.integer(integer));
      if (i == 2'000) roomy.reserve(4 * room, room);  // in between, too
    }
  }
}

/// However many there are, and wherever they are found.
TEST(ValuePool, IntegersAreNotTakenForThoseInRows) {
  ValuePool pool;
  const RowShape shape = pool.row_shape(std::vector<ValueId>{pool.string("a"), pool.string("b")});
  std::map<std::int64_t, ValueId> ids;
  Random random(5);
  for (std::int64_t i = 0; i < 5'000; ++i) {
    const auto integer = static_cast<std::int64_t>(random.below(2'000));
    const ValueId id = pool.integer(integer);
    ASSERT_EQ(ids.try_emplace(integer, id).first->second, id);
    const RowColumns row =
        pool.row_of(pool.row(shape, std::vector<std::int64_t>{integer, 2'000 - integer}));
    ASSERT_EQ(pool.integer_of(row[0].value), integer);
    ASSERT_EQ(pool.integer_of(row[1].value), 2'000 - integer);
  }
  EXPECT_TRUE(pool.has_integers_of_rows());
}

TEST(ValuePool, ARowOfAShapeIsNotARowOfOtherValues) {
  ValuePool pool;
  const std::vector<ValueId> names = {pool.string("a")};
  const RowShape shape = pool.row_shape(names);
  const ValueId seven = pool.row(shape, std::vector<std::int64_t>{7});
  EXPECT_NE(pool.row(shape, std::vector<std::int64_t>{8}), seven);
  EXPECT_NE(pool.row(std::vector<Column>{{names[0], pool.string("7")}}), seven);
  EXPECT_NE(pool.row(std::vector<Column>{{names[0], ValuePool::nil}}), seven);
  EXPECT_EQ(pool.row(std::vector<Column>{{names[0], pool.integer(7)}}), seven);
}

TEST(ValuePool, ADraftDoesNotLookForRows) {
  ValuePool draft = ValuePool::draft();
  const std::vector<ValueId> names = {draft.string("b"), draft.string("a")};
  const RowShape shape = draft.row_shape(names);
  const std::vector<std::int64_t> integers = {1, 2};
  const ValueId first = draft.row(shape, integers);
  const ValueId second = draft.row(shape, integers);
  EXPECT_NE(first, second);
  ValuePool pool;
  const std::vector<ValueId> here = pool.add_all(draft);
  EXPECT_EQ(here[first.index()], here[second.index()]);
  const auto columns = pool.row_of(here[first.index()]);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(pool.string_of(columns[0].name), "a");
  EXPECT_EQ(pool.integer_of(columns[0].value), 2);
}

TEST(ValuePool, ListsShareTheirPrefixes) {
  ValuePool pool;
  ValueId list = ValuePool::empty_list;
  std::vector<ValueId> elements;
  for (int i = 0; i < 1000; ++i) {
    elements.push_back(pool.integer(i % 10));
    list = pool.list_with(list, elements.back());
  }
  EXPECT_EQ(pool.size(), 3U + 10 + 1000);
  EXPECT_EQ(pool.list_size(list), 1000U);
  EXPECT_EQ(pool.list_elements(list), elements);
  EXPECT_EQ(pool.list_last(list), elements.back());

  ValueId again = ValuePool::empty_list;
  for (const ValueId element : elements) again = pool.list_with(again, element);
  EXPECT_EQ(again, list);
  EXPECT_EQ(pool.list_with(pool.list_prefix(list), elements.back()), list);
  EXPECT_NE(pool.list_with(ValuePool::empty_list, pool.integer(1)), pool.integer(1));
}

/// Ids stay what they were however many values come later.
TEST(ValuePool, GrowsWithoutForgetting) {
  ValuePool pool;
  Random random(3);
  std::vector<ValueId> integers;
  std::vector<ValueId> strings;
  std::vector<ValueId> lists;
  for (int i = 0; i < 50'000; ++i) {
    integers.push_back(pool.integer(i * 1'000'003LL));
    strings.push_back(pool.string("s" + std::to_string(i)));
    lists.push_back(pool.list_with(
        i == 0 ? ValuePool::empty_list : lists[random.below(lists.size())], integers.back()));
  }
  for (int i = 0; i < 50'000; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(pool.integer(i * 1'000'003LL), integers[at]);
    ASSERT_EQ(pool.string("s" + std::to_string(i)), strings[at]);
    ASSERT_EQ(pool.list_with(pool.list_prefix(lists[at]), integers[at]), lists[at]);
  }
}

TEST(ValuePool, FreezingKeepsTheValuesAndFreesTheIndex) {
  ValuePool pool;
  for (int i = 0; i < 100'000; ++i) pool.integer(i * 7919LL);
  const ValueId text = pool.string("text");
  const std::size_t before = pool.memory();
  pool.freeze();
  EXPECT_LT(pool.memory(), before);
  EXPECT_EQ(pool.string_of(text), "text");
}

#ifndef ISOSCOPE_NO_CONTRACTS
TEST(ValuePoolDeathTest, AskingAValueOfAnotherKindIsABrokenContract) {
  ValuePool pool;
  const ValueId seven = pool.integer(7);
  EXPECT_DEATH(static_cast<void>(pool.string_of(seven)), "requirement on the caller");
  EXPECT_DEATH(static_cast<void>(pool.list_prefix(ValuePool::empty_list)),
               "requirement on the caller");
  EXPECT_DEATH(pool.list_with(seven, seven), "requirement on the caller");
  pool.freeze();
  EXPECT_DEATH(pool.integer(8), "requirement on the caller");
  EXPECT_DEATH(pool.string("x"), "requirement on the caller");
}

TEST(ValuePoolDeathTest, ARowHasNoColumnTwiceAndNoRowInside) {
  ValuePool pool;
  const ValueId a = pool.string("a");
  EXPECT_DEATH(pool.row(std::vector<Column>{{a, ValuePool::nil}, {a, a}}),
               "requirement on the caller");
  EXPECT_DEATH(pool.row(std::vector<Column>{{a, pool.row({})}}), "requirement on the caller");
  EXPECT_DEATH(static_cast<void>(pool.row_shape(std::vector<ValueId>{a, a})),
               "requirement on the caller");
  EXPECT_DEATH(pool.row(pool.row_shape(std::vector<ValueId>{a}), {}), "requirement on the caller");
}
#endif

}  // namespace
}  // namespace isoscope
