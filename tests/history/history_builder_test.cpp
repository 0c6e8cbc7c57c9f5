#include "isoscope/history/history_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "isoscope/base/random.h"

namespace isoscope {
namespace {

TEST(HistoryBuilder, IntegerKeysOfManyTables) {
  HistoryBuilder builder;
  std::map<std::pair<std::uint32_t, std::int64_t>, KeyId> keys;
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t number = random.below(5);
    const TableId table = builder.table(number == 0 ? "" : "t" + std::to_string(number));
    const auto name = static_cast<std::int64_t>(random.next() >> random.below(64));
    const KeyId key = random.chance(50) ? builder.key(name, table)
                                        : builder.key(builder.values().integer(name), table);
    ASSERT_EQ(keys.try_emplace({table.value, name}, key).first->second, key);
    ASSERT_EQ(builder.key_table(key), table);
    ASSERT_EQ(builder.values().integer_of(builder.key_name(key)), name);
  }
  EXPECT_EQ(builder.key_count(), keys.size());
  for (const auto& [place, key] : keys)
    ASSERT_EQ(builder.key(place.second, TableId(place.first)), key);
}

TEST(HistoryBuilder, AnEmptyHistory) {
  const History history = HistoryBuilder().finish();
  EXPECT_EQ(history.session_count(), 0U);
  EXPECT_EQ(history.transaction_count(), 0U);
  EXPECT_EQ(history.operation_count(), 0U);
  EXPECT_EQ(history.table_count(), 1U);
  EXPECT_EQ(history.initial_default(), ValuePool::nil);
  EXPECT_FALSE(history.has_times());
}

TEST(HistoryBuilder, SessionsMayInterleave) {
  HistoryBuilder builder;
  const SessionId a = builder.session(builder.values().string("a"));
  const SessionId b = builder.session(builder.values().integer(2));
  EXPECT_EQ(builder.session(builder.values().string("a")), a);
  const TransactionId t0 = builder.begin_transaction(a);
  builder.write(builder.key("x"), builder.values().integer(1));
  builder.write(builder.key(7), builder.values().integer(2));
  const TransactionId t1 = builder.begin_transaction(b);
  const TransactionId t2 = builder.begin_transaction(a);
  builder.read(builder.key("x"), ValuePool::nil);
  const History history = std::move(builder).finish();

  ASSERT_EQ(history.session_count(), 2U);
  EXPECT_EQ(history.values().string_of(history.session_name(a)), "a");
  EXPECT_EQ(std::vector(history.session(a).begin(), history.session(a).end()),
            (std::vector{t0, t2}));
  EXPECT_EQ(std::vector(history.session(b).begin(), history.session(b).end()), (std::vector{t1}));
  EXPECT_EQ(history.session_of(t2), a);
  EXPECT_EQ(history.operations(t0).size(), 2U);
  EXPECT_EQ(history.operations(t1).size(), 0U);
  ASSERT_EQ(history.operations(t2).size(), 1U);
  EXPECT_EQ(history.operations(t2)[0].key(), history.operations(t0)[0].key());
  EXPECT_EQ(history.key_count(), 2U);
  EXPECT_EQ(history.operation_count(), 3U);
}

TEST(HistoryBuilder, SessionAndNameMayComeAfterTheOperations) {
  HistoryBuilder builder;
  builder.begin_transaction();
  builder.write(builder.key(1), builder.values().integer(1));
  const SessionId b = builder.session(builder.values().string("b"));
  builder.set_session(b);
  builder.set_name(builder.values().integer(9));
  builder.begin_transaction(b);
  const History history = std::move(builder).finish();
  EXPECT_EQ(history.session(b).size(), 2U);
  EXPECT_EQ(history.label(TransactionId(0)), "T9");
  EXPECT_EQ(history.label(TransactionId(1)), "T1");
}

TEST(HistoryBuilder, WhatHasNoNameGetsAFreeNumber) {
  HistoryBuilder builder;
  const SessionId first = builder.add_session();
  const SessionId one = builder.session(builder.values().integer(1));
  const SessionId last = builder.add_session();
  builder.begin_transaction(first);
  builder.begin_transaction(one, builder.values().integer(2));
  builder.begin_transaction(last);
  builder.begin_transaction(last, builder.values().string("T"));
  builder.begin_transaction(last);
  const History history = std::move(builder).finish();
  std::set<ValueId> names;
  for (const TransactionId t : history.transactions()) names.insert(history.name(t));
  EXPECT_EQ(names.size(), history.transaction_count());
  EXPECT_EQ(history.label(TransactionId(0)), "T1");
  EXPECT_EQ(history.label(TransactionId(1)), "T2");
  EXPECT_EQ(history.label(TransactionId(2)), "T3");
  EXPECT_EQ(history.label(TransactionId(3)), "T");
  EXPECT_EQ(history.label(TransactionId(4)), "T4");
  EXPECT_EQ(history.values().integer_of(history.session_name(first)), 2);
  EXPECT_EQ(history.values().integer_of(history.session_name(last)), 3);
}

TEST(HistoryBuilder, LabelsPrintAndParseBack) {
  HistoryBuilder builder;
  ValuePool& values = builder.values();
  EXPECT_EQ(builder.transaction_name("T12"), values.integer(12));
  EXPECT_EQ(builder.transaction_name("T0"), values.integer(0));
  EXPECT_EQ(builder.transaction_name("T-5"), values.integer(-5));
  EXPECT_EQ(builder.transaction_name("T-9223372036854775808"), values.integer(INT64_MIN));
  for (const char* text : {"T", "T012", "T-0", "T-", "T+1", "T1 ", "T 1", "t1", "12", "T1x",
                           "T9223372036854775808", ""}) {
    EXPECT_EQ(builder.transaction_name(text), values.string(text)) << text;
  }
}

TEST(HistoryBuilder, KnowsWhichNamesAreTaken) {
  HistoryBuilder builder;
  const ValueId name = builder.transaction_name("x");
  EXPECT_FALSE(builder.has_transaction(name));
  builder.begin_transaction(builder.add_session(), name);
  EXPECT_TRUE(builder.has_transaction(name));
  EXPECT_FALSE(builder.has_transaction(builder.values().integer(12345)));
}

TEST(HistoryBuilder, TablesKeepTheirKeysApart) {
  HistoryBuilder builder;
  const TableId accounts = builder.table("accounts");
  EXPECT_EQ(builder.table("accounts"), accounts);
  EXPECT_EQ(builder.table(""), HistoryBuilder::default_table);
  EXPECT_NE(builder.table("orders"), accounts);
  const ValueId seven = builder.values().integer(7);
  const KeyId plain = builder.key(seven);
  const KeyId account = builder.key(seven, accounts);
  EXPECT_NE(plain, account);
  EXPECT_EQ(builder.key(seven, accounts), account);
  EXPECT_EQ(builder.key(7), plain);
  EXPECT_NE(builder.key("7"), plain);
  const History history = std::move(builder).finish();
  EXPECT_EQ(history.table_name(history.key_table(account)), "accounts");
  EXPECT_EQ(history.table_name(history.key_table(plain)), "");
  EXPECT_EQ(history.key_name(account), history.key_name(plain));
  EXPECT_EQ(history.table_count(), 3U);
}

TEST(HistoryBuilder, OutcomesAndTimesBelongToTheLastTransaction) {
  HistoryBuilder builder;
  const SessionId s = builder.add_session();
  const TransactionId t0 = builder.begin_transaction(s);
  const TransactionId t1 = builder.begin_transaction(s);
  builder.set_outcome(Outcome::aborted);
  builder.set_times(5, 5);
  const TransactionId t2 = builder.begin_transaction(s);
  builder.set_times(std::nullopt, -3);
  const TransactionId t3 = builder.begin_transaction(s);
  const History history = std::move(builder).finish();
  EXPECT_TRUE(history.has_times());
  EXPECT_EQ(history.outcome(t0), Outcome::committed);
  EXPECT_EQ(history.outcome(t1), Outcome::aborted);
  EXPECT_EQ(history.outcome(t2), Outcome::committed);
  EXPECT_EQ(history.begin_time(t0), std::nullopt);
  EXPECT_EQ(history.begin_time(t1), 5);
  EXPECT_EQ(history.end_time(t1), 5);
  EXPECT_EQ(history.begin_time(t2), std::nullopt);
  EXPECT_EQ(history.end_time(t2), -3);
  EXPECT_EQ(history.begin_time(t3), std::nullopt);
  EXPECT_EQ(history.end_time(t3), std::nullopt);
}

TEST(HistoryBuilder, PredicateOperationsKeepTheirRows) {
  HistoryBuilder builder;
  builder.begin_transaction(builder.add_session());
  const TableId table = builder.table("t");
  Predicate predicate;
  predicate.kind = Predicate::Kind::equal;
  predicate.operand = "v";
  predicate.constants = {std::int64_t{5}};
  const PredicateId five = builder.predicate(predicate);
  EXPECT_EQ(builder.predicate(predicate), five);
  EXPECT_NE(builder.predicate(Predicate{}), five);
  const KeyId key = builder.key(builder.values().integer(1), table);
  const std::vector<RowVersion> rows = {{key, builder.values().integer(5)}, {key, ValuePool::nil}};
  builder.add_predicate(OperationKind::predicate_write, table, five, rows);
  builder.add_predicate(OperationKind::predicate_read, table, five, std::vector<RowVersion>{});
  builder.add_predicate(OperationKind::predicate_read, table, five, std::nullopt);
  const History history = std::move(builder).finish();

  const auto operations = history.operations(TransactionId(0));
  ASSERT_EQ(operations.size(), 3U);
  const PredicateAccess write = history.predicate_access(operations[0]);
  EXPECT_EQ(write.table, table);
  EXPECT_EQ(history.predicate(write.predicate), predicate);
  EXPECT_TRUE(write.reported);
  EXPECT_EQ(std::vector(write.rows.begin(), write.rows.end()), rows);
  EXPECT_TRUE(history.predicate_access(operations[1]).reported);
  EXPECT_TRUE(history.predicate_access(operations[1]).rows.empty());
  EXPECT_FALSE(history.predicate_access(operations[2]).reported);
}

TEST(HistoryBuilder, InitialStates) {
  {
    HistoryBuilder builder;
    const KeyId key = builder.key(1);
    EXPECT_EQ(std::move(builder).finish().initial_value(key), ValuePool::nil);
  }
  {
    HistoryBuilder builder;
    const KeyId key = builder.key(1);
    builder.set_initial_default(std::nullopt);
    EXPECT_EQ(std::move(builder).finish().initial_value(key), std::nullopt);
  }
  for (const bool with_default : {false, true}) {
    HistoryBuilder builder;
    const KeyId listed = builder.key(1);
    const KeyId other = builder.key(2);
    const ValueId zero = builder.values().integer(0);
    const ValueId nine = builder.values().integer(9);
    builder.set_initial_default(with_default ? std::optional(zero) : std::nullopt);
    builder.set_initial(listed, zero);
    builder.set_initial(listed, nine);
    const History history = std::move(builder).finish();
    EXPECT_EQ(history.initial_value(listed), nine) << "the last one wins";
    EXPECT_EQ(history.initial_value(other), with_default ? std::optional(zero) : std::nullopt);
    EXPECT_EQ(history.initial_default(), with_default ? std::optional(zero) : std::nullopt);
  }
}

TEST(HistoryBuilder, TwoMillionOperationsFitIn100Megabytes) {
  HistoryBuilder builder;
  std::vector<SessionId> sessions;
  for (int i = 0; i < 20; ++i) sessions.push_back(builder.add_session());
  for (std::int64_t t = 0; t < 100'000; ++t) {
    builder.begin_transaction(sessions[static_cast<std::size_t>(t % 20)],
                              builder.values().integer(t));
    builder.set_times(t, t + 1);
    for (std::int64_t i = 0; i < 20; ++i) {
      const KeyId key = builder.key((t * 20 + i) * 7919 % 50'000);
      if (i % 2 == 0) {
        builder.write(key, builder.values().integer(t * 20 + i));
      } else {
        builder.read(key, builder.values().integer(t * 10));
      }
    }
  }
  const History history = std::move(builder).finish();
  EXPECT_EQ(history.operation_count(), 2'000'000U);
  EXPECT_LT(history.memory(), 100'000'000U);
}

#ifndef ISOSCOPE_NO_CONTRACTS
TEST(HistoryBuilderDeathTest, WhatReadersMustCheck) {
  HistoryBuilder builder;
  const SessionId s = builder.add_session();
  EXPECT_DEATH(builder.set_outcome(Outcome::aborted), "requirement on the caller");
  builder.begin_transaction(s, builder.values().integer(1));
  EXPECT_DEATH(builder.begin_transaction(s, builder.values().integer(1)),
               "requirement on the caller");
  EXPECT_DEATH(builder.set_times(2, 1), "requirement on the caller");
  builder.begin_transaction();
  EXPECT_DEATH(builder.begin_transaction(), "requirement on the caller");
  EXPECT_DEATH(static_cast<void>(std::move(builder).finish()), "requirement on the caller");
}
#endif

}  // namespace
}  // namespace isoscope
