#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

/// The pass counts its steps: twice the history must not take much more than twice as many, and a
/// step must not be far from an operation. Each family is built to be expensive if something is
/// looked at again and again.
void expect_linear(const std::function<History(int)>& make, double steps_per_operation) {
  const auto work = [&](int size) { return static_cast<double>(first_pass(make(size)).work); };
  const int size = 2000;
  const double once = work(size);
  EXPECT_LT(work(2 * size), 2.2 * once);
  EXPECT_LT(work(4 * size), 4.4 * once);
  EXPECT_LT(once, steps_per_operation * static_cast<double>(make(size).operation_count()));
}

TEST(FirstPassCost, ManyKeysAndOneKey) {
  for (const bool one_key : {false, true}) {
    expect_linear(
        [&](int size) {
          HistoryBuilder builder;
          Random random(1);
          const SessionId session = builder.add_session();
          for (int t = 0; t < size; ++t) {
            builder.begin_transaction(session);
            for (int i = 0; i < 4; ++i) {
              const KeyId key =
                  builder.key(one_key ? 0 : static_cast<std::int64_t>(random.below(100)));
              const ValueId value =
                  builder.values().integer(static_cast<std::int64_t>(random.below(50)));
              random.chance(50) ? builder.write(key, value) : builder.read(key, value);
            }
          }
          return std::move(builder).finish();
        },
        4);
  }
}

TEST(FirstPassCost, ManyBadReadsOfManyAbortedWrites) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        const SessionId session = builder.add_session();
        const KeyId key = builder.key(0);
        for (int t = 0; t < size; ++t) {
          builder.begin_transaction(session);
          builder.write(key, builder.values().integer(1));
          builder.set_outcome(Outcome::aborted);
          builder.begin_transaction(session);
          builder.read(key, builder.values().integer(1));
        }
        return std::move(builder).finish();
      },
      5);
}

TEST(FirstPassCost, AGrowingListReadAgainAndAgain) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        const SessionId session = builder.add_session();
        const KeyId key = builder.key(0);
        ValueId list = ValuePool::empty_list;
        for (int t = 0; t < size; ++t) {
          builder.begin_transaction(session);
          builder.list_read(key, list);
          list = builder.values().list_with(list, builder.values().integer(t));
          builder.append(key, builder.values().integer(t));
          builder.list_read(key, list);
        }
        return std::move(builder).finish();
      },
      5);
}

TEST(FirstPassCost, OneTransactionThatGrowsAndReadsAList) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        builder.begin_transaction(builder.add_session());
        const KeyId key = builder.key(0);
        ValueId list = ValuePool::empty_list;
        for (int i = 0; i < size; ++i) {
          list = builder.values().list_with(list, builder.values().integer(i));
          builder.append(key, builder.values().integer(i));
          builder.list_read(key, list);
        }
        return std::move(builder).finish();
      },
      5);
}

TEST(FirstPassCost, ElementsAppendedByEverybody) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        const SessionId session = builder.add_session();
        for (int t = 0; t < size; ++t) {
          const KeyId key = builder.key(t / 10);
          builder.begin_transaction(session);
          builder.append(key, builder.values().integer(1));
          builder.begin_transaction(session);
          ValueId list = ValuePool::empty_list;
          for (int i = 0; i <= t % 10; ++i)
            list = builder.values().list_with(list, builder.values().integer(1));
          builder.list_read(key, list);
        }
        return std::move(builder).finish();
      },
      20);
}

/// A table of many initial rows, and range reads of them while rows move about: each returns the
/// rows that are in its range at that time.
TEST(FirstPassCost, RangesOfALargeTable) {
  for (const char* operand : {"@key", "@value", "v"}) {
    expect_linear(
        [&](int size) {
          constexpr std::int64_t table = 1000;
          constexpr std::int64_t width = 5;
          HistoryBuilder builder;
          Random random(3);
          const bool columns = operand == std::string("v");
          const ValueId name = builder.values().string("v");
          const auto row = [&](std::int64_t number) {
            const ValueId value = builder.values().integer(number);
            const Column column{name, value};
            return columns ? builder.values().row(std::span(&column, 1)) : value;
          };
          std::vector<std::int64_t> state;
          for (std::int64_t i = 0; i < table; ++i) {
            state.push_back(i);
            builder.set_initial(builder.key(i), row(i));
          }
          const SessionId session = builder.add_session();
          for (int t = 0; t < size; ++t) {
            builder.begin_transaction(session);
            const std::int64_t key = static_cast<std::int64_t>(random.below(table));
            state[static_cast<std::size_t>(key)] = static_cast<std::int64_t>(random.below(table));
            builder.write(builder.key(key), row(state[static_cast<std::size_t>(key)]));
            builder.begin_transaction(session);
            const std::int64_t from = static_cast<std::int64_t>(random.below(table));
            Predicate range{Predicate::Kind::between, operand, {from, from + width}, {}};
            Predicate both{Predicate::Kind::conjunction, "", {}, {range, Predicate{}}};
            std::vector<RowVersion> rows;
            for (std::int64_t i = 0; i < table; ++i) {
              const ValueId value = row(state[static_cast<std::size_t>(i)]);
              if (evaluate(both, builder.values(), builder.values().integer(i), value) ==
                  Truth::yes) {
                rows.push_back({builder.key(i), value});
              }
            }
            builder.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                                  builder.predicate(both), std::span<const RowVersion>(rows));
          }
          return std::move(builder).finish();
        },
        40);
  }
}

/// A row that is compared and set again and again: each looks for one of its many versions.
TEST(FirstPassCost, CompareAndSetOfOneRow) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        const SessionId session = builder.add_session();
        const KeyId key = builder.key(0);
        builder.set_initial(key, builder.values().integer(0));
        for (std::int64_t t = 0; t < size; ++t) {
          builder.begin_transaction(session);
          const Predicate equal{Predicate::Kind::equal, Predicate::value_operand, {t}, {}};
          const RowVersion row{key, builder.values().integer(t + 1)};
          builder.add_predicate(OperationKind::predicate_write, HistoryBuilder::default_table,
                                builder.predicate(equal), std::span(&row, 1));
        }
        return std::move(builder).finish();
      },
      20);
}

/// Predicates that no index helps are evaluated on each row once.
TEST(FirstPassCost, TheSamePredicatesOnALargeTable) {
  expect_linear(
      [](int size) {
        HistoryBuilder builder;
        for (std::int64_t i = 0; i < 1000; ++i)
          builder.set_initial(builder.key(i), builder.values().integer(i));
        const SessionId session = builder.add_session();
        const Predicate odd{Predicate::Kind::modulo,
                            Predicate::value_operand,
                            {std::int64_t{1000}, std::int64_t{1}},
                            {}};
        const RowVersion row{builder.key(1), builder.values().integer(1)};
        for (int t = 0; t < size; ++t) {
          builder.begin_transaction(session);
          builder.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                                builder.predicate(odd), std::span(&row, 1));
        }
        return std::move(builder).finish();
      },
      10);
}

/// Each transaction is indeterminate and reads what the one before wrote; the first read nonsense,
/// so that one after the other is ruled out.
History chain(int size, bool lists) {
  HistoryBuilder builder;
  const SessionId session = builder.add_session();
  for (int t = 0; t < size; ++t) {
    builder.begin_transaction(session);
    builder.set_outcome(Outcome::indeterminate);
    const KeyId before = builder.key(lists ? t : 0);
    const KeyId after = builder.key(lists ? t + 1 : 0);
    const ValueId seen = builder.values().integer(t);
    if (lists) {
      builder.list_read(before, builder.values().list_with(ValuePool::empty_list, seen));
      builder.append(after, builder.values().integer(t + 1));
    } else {
      builder.read(before, seen);
      builder.write(after, builder.values().integer(t + 1));
    }
  }
  return std::move(builder).finish();
}

TEST(FirstPassCost, ChainsOfRuledOutTransactions) {
  for (const bool lists : {false, true}) {
    expect_linear([&](int size) { return chain(size, lists); }, 20);
    EXPECT_EQ(first_pass(chain(1000, lists)).counted_aborted.size(), 1000u);
  }
}

}  // namespace
}  // namespace isoscope
