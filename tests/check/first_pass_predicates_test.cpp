// What the first pass says about rows and predicates.

#include <gtest/gtest.h>

#include "check/finding_text.h"
#include "check/reads/unreturned_rows.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

using test::findings_of;
using Texts = std::vector<std::string>;

TEST(FirstPassPredicates, RowsOfPredicateReadsAreReads) {
  EXPECT_EQ(findings_of("a: T1! w(x,1) | b: T2 w(y,1) w(y,2) | c: T3 rp(true, {x:1 y:1 z:1})"),
            Texts({"T3.1 aborted read x=1 <- T1.1", "T3.1 intermediate read y=1 <- T2.1",
                   "T3.1 thin-air read z=1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,{a:1}) | b: T2 rp(a = 1, {x:{a:1}})"), Texts());
  EXPECT_EQ(findings_of("a: T1 w(x,1) | b: T2 r(x,nil) rp(true, {x:1})"),
            Texts({"T2.2 non-repeatable read x=1 <- T2.1"}));
  // A row that is gone the second time is a phantom, not a matter of single reads.
  EXPECT_EQ(findings_of("a: T1 w(x,1) | b: T2 rp(true, {x:1}) rp(true, {})"), Texts());
}

TEST(FirstPassPredicates, PredicateReadsShowOwnRows) {
  EXPECT_EQ(findings_of("a: T1 w(x,5) rp(@value = 5, {x:5}) rp(@value = 6, {})"), Texts());
  EXPECT_EQ(findings_of("a: T1 w(x,5) rp(@value = 5, {})"),
            Texts({"T1.2 internal inconsistency x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,5) w(x,6) rp(@value = 5, {})"), Texts());
  EXPECT_EQ(findings_of("a: T0 w(x,5) | b: T1 d(x) rp(true, {x:5})"),
            Texts({"T1.2 internal inconsistency x=5 <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(t.x,5) rp(true, {}) rp(t: true, {})"),
            Texts({"T1.3 internal inconsistency x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 a(x,5) rp(true, {})"),
            Texts({"T1.2 internal inconsistency x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,nil) rp(true, {})"), Texts());
}

TEST(FirstPassPredicates, PredicateReadsReturnOnlyWhatTheySelect) {
  EXPECT_EQ(findings_of("a: T1 w(x,6) | b: T2 rp(@value = 5, {x:6})"),
            Texts({"T2.1 internal inconsistency x=6"}));
  // NULL makes the condition unknown, which does not select either.
  EXPECT_EQ(findings_of("a: T1 w(x,{a:nil}) | b: T2 rp(a <> 1, {x:{a:nil}})"),
            Texts({"T2.1 internal inconsistency x={\"a\":nil }"}));
}

TEST(FirstPassPredicates, PredicateWritesAreOwnWrites) {
  EXPECT_EQ(
      findings_of("initial 3\n"
                  "a: T1 wp(true, {x:1 y:nil}) r(x,1) r(y,nil) rp(true, {x:1}) | b: T2 r(x,1)"),
      Texts());
  EXPECT_EQ(findings_of("a: T1 wp(true, {x:1}) r(x,2) | b: T2 w(x,2)"),
            Texts({"T1.2 internal inconsistency x=2 <- T1.1"}));
  EXPECT_EQ(findings_of("initial 3\na: T1 wp(true, {x:nil}) | b: T2 r(x,nil)"), Texts());
  EXPECT_EQ(findings_of("initial 3\na: T1! wp(true, {x:nil}) | b: T2 r(x,nil)"),
            Texts({"T2.1 aborted read x=nil <- T1.1"}));
}

TEST(FirstPassPredicates, ARowThatNobodyDeletesCannotBeMissed) {
  EXPECT_EQ(findings_of("initial none x=1\na: T1 rp(true, {})"), Texts({"T1.1 missed row x=nil"}));
  EXPECT_EQ(findings_of("initial none x=1\na: T1 wp(true, {})"), Texts({"T1.1 missed row x=nil"}));
  EXPECT_EQ(findings_of("initial 1\na: T1 w(x,2) | b: T2 rp(@value >= 1, {})"),
            Texts({"T2.1 missed row x=nil"}));
  EXPECT_EQ(findings_of("initial [1]\na: T1 a(x,2) | b: T2 rp(true, {})"),
            Texts({"T2.1 missed row x=nil"}));
  // There is a version that the predicate does not select.
  EXPECT_EQ(findings_of("a: T1 w(x,1) | b: T2 rp(true, {})"), Texts());
  EXPECT_EQ(findings_of("initial none\na: T1 w(x,1) | b: T2 rp(true, {})"), Texts());
  EXPECT_EQ(findings_of("initial 1\na: T1 d(x) | b: T2 rp(true, {})"), Texts());
  EXPECT_EQ(findings_of("initial 1\na: T1? d(x) | b: T2 rp(true, {})"), Texts());
  EXPECT_EQ(findings_of("initial 1\na: T1 w(x,0) | b: T2 rp(@value >= 1, {})"), Texts());
  EXPECT_EQ(findings_of("initial []\na: T1 a(x,2) | b: T2 rp(true, {})"), Texts());
  EXPECT_EQ(findings_of("initial none x=1\na: T1 rp(true, ?)"), Texts());
}

TEST(FirstPassPredicates, WhatExcusesNoMissedRowIsNamed) {
  EXPECT_EQ(findings_of("initial 1\na: T1! d(x) | b: T2 rp(true, {})"),
            Texts({"T2.1 aborted read x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("initial 1\na: T1 d(x) w(x,2) | b: T2 rp(true, {})"),
            Texts({"T2.1 intermediate read x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("initial 1\na: T1 rp(true, {}) d(x)"),
            Texts({"T1.1 future read x=nil <- T1.2"}));
  EXPECT_EQ(findings_of("initial 1\na: T1? r(y,9) d(x) | b: T2 rp(@key = \"x\", {})"),
            Texts({"T2.1 aborted read x=nil <- T1.2"}));
}

TEST(FirstPassPredicates, APredicateWriteChangesOnlyWhatItSelects) {
  EXPECT_EQ(findings_of("initial none x=1\na: T1 wp(@value = 9, {x:1})"),
            Texts({"T1.1 thin-air read x=nil"}));
  EXPECT_EQ(findings_of("a: T1 wp(true, {x:1})"), Texts({"T1.1 thin-air read x=nil"}));
  EXPECT_EQ(findings_of("a: T1! w(x,9) | b: T2 wp(@value = 9, {x:1})"),
            Texts({"T2.1 aborted read x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,9) w(x,8) | b: T2 wp(@value = 9, {x:1})"),
            Texts({"T2.1 intermediate read x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 wp(@value = 9, {x:1}) w(x,9)"),
            Texts({"T1.1 future read x=nil <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 w(x,9) | b: T2 wp(@value = 9, {x:1})"), Texts());
  EXPECT_EQ(findings_of("initial 9\na: T1 wp(@value = 9, {x:1 y:nil})"), Texts());
  // Its own rows.
  EXPECT_EQ(findings_of("a: T1 w(x,9) wp(@value = 9, {x:1}) wp(@value = 1, {x:nil})"), Texts());
  EXPECT_EQ(findings_of("initial 9\na: T1 w(x,8) wp(@value = 9, {x:1})"),
            Texts({"T1.2 internal inconsistency x=nil <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,9) wp(@value = 9, {})"),
            Texts({"T1.2 internal inconsistency x=nil <- T1.1"}));
}

TEST(FirstPassPredicates, AnEmptyListIsNoRow) {
  HistoryBuilder builder;
  const SessionId session = builder.add_session();
  const KeyId key = builder.key(0);
  const PredicateId all = builder.predicate(Predicate{});
  const RowVersion row{key, builder.values().integer(1)};
  builder.set_initial(key, ValuePool::empty_list);
  builder.begin_transaction(session);
  builder.write(key, ValuePool::empty_list);
  builder.begin_transaction(session);
  builder.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table, all,
                        std::span<const RowVersion>());
  builder.add_predicate(OperationKind::predicate_write, HistoryBuilder::default_table, all,
                        std::span(&row, 1));
  const FirstPassResult result = first_pass(std::move(builder).finish());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].problem, ReadProblem::changed_unselected);
}

TEST(FirstPassPredicates, OfAKeyWithManyVersionsTheSelectedOneIsFound) {
  HistoryBuilder builder;
  const SessionId session = builder.add_session();
  const KeyId key = builder.key(0);
  const auto set = [&](std::int64_t from, std::int64_t to) {
    Predicate equal;
    equal.kind = Predicate::Kind::equal;
    equal.operand = Predicate::value_operand;
    equal.constants = {Constant(from)};
    const std::vector<RowVersion> rows = {{key, builder.values().integer(to)}};
    builder.begin_transaction(session);
    builder.add_predicate(OperationKind::predicate_write, HistoryBuilder::default_table,
                          builder.predicate(equal), std::span<const RowVersion>(rows));
  };
  builder.set_initial(key, builder.values().integer(0));
  for (int i = 0; i < 100; ++i) set(i, i + 1);
  set(500, 500);  // its own write is no version to it
  const FirstPassResult result = first_pass(std::move(builder).finish());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].read.transaction, TransactionId(100));
  EXPECT_EQ(result.findings[0].problem, ReadProblem::changed_unselected);
}

TEST(FirstPassPredicates, OfManyMissedRowsAFewAreReported) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(1));
  for (int i = 0; i < 100; ++i) builder.key(i);
  builder.begin_transaction(builder.add_session());
  builder.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                        builder.predicate(Predicate{}), std::span<const RowVersion>());
  EXPECT_EQ(first_pass(std::move(builder).finish()).findings.size(), UnreturnedRows::most_reported);
}

TEST(FirstPassPredicates, AMissedRowRulesOutAnIndeterminateTransaction) {
  const FirstPassResult result = first_pass(test::litmus(
      "initial 1\na: T1? rp(@key = \"x\", {}) d(y) | b: T2? rp(@key = \"y\", {}) w(x,2)"));
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.counted_aborted, (std::vector{TransactionId(0), TransactionId(1)}));
  ASSERT_EQ(result.ruled_out.size(), 2u);
  EXPECT_EQ(result.ruled_out[0].kind, ReadFinding::missed_row);
  EXPECT_EQ(result.ruled_out[1].kind, ReadFinding::aborted_read);
}

}  // namespace
}  // namespace isoscope
