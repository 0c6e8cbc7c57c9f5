#include "isoscope/check/first_pass.h"

#include <gtest/gtest.h>

#include "check/finding_text.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

using test::findings_of;
using Texts = std::vector<std::string>;

std::vector<TransactionId> ids(std::initializer_list<std::size_t> numbers) {
  std::vector<TransactionId> result;
  for (const std::size_t number : numbers) result.emplace_back(number);
  return result;
}

// Reads that are right.

TEST(FirstPass, FindsNothingInAGoodHistory) {
  EXPECT_EQ(findings_of("a: T1 w(x,1) w(y,1) ; T2 r(x,1)  |  b: T3 r(y,1) r(x,nil)"), Texts());
  EXPECT_EQ(findings_of("a: T1 r(x,nil) w(x,1) r(x,1) w(x,2) r(x,2)"), Texts());
  EXPECT_EQ(findings_of("a: T1"), Texts());
}

TEST(FirstPass, ReadsFromTheFutureOfOthersAreNotItsBusiness) {
  // Orders are for the levels; a circle of reads is fine here.
  EXPECT_EQ(findings_of("a: T1 r(y,1) w(x,1)  |  b: T2 r(x,1) w(y,1)"), Texts());
}

TEST(FirstPass, AnyInitialValueCanBeRead) {
  EXPECT_EQ(findings_of("initial 0 y=5\na: T1 r(x,0) r(y,5)"), Texts());
  EXPECT_EQ(findings_of("initial 0\na: T1 r(x,nil)"), Texts({"T1.1 thin-air read x=nil"}));
  EXPECT_EQ(findings_of("initial none\na: T1 r(x,nil)"), Texts({"T1.1 thin-air read x=nil"}));
  EXPECT_EQ(findings_of("initial none x=1\na: T1 r(x,1)"), Texts());
}

TEST(FirstPass, ReadsOfAbortedTransactionsAndUnreportedReadsSayNothing) {
  EXPECT_EQ(findings_of("a: T1! r(x,9) w(x,1) r(x,2)  |  b: T2 r(x,?) w(x,1) r(x,?)"), Texts());
  EXPECT_EQ(findings_of("a: T1 w(x,1) rp(true, ?)"), Texts());
}

// One test for each kind.

TEST(FirstPass, InternalInconsistency) {
  EXPECT_EQ(findings_of("a: T1 w(x,1) r(x,2)  |  b: T2 w(x,2)"),
            Texts({"T1.2 internal inconsistency x=2 <- T1.1"}));
  // The latest own write counts, and a later one does not excuse.
  EXPECT_EQ(findings_of("a: T1 w(x,1) w(x,2) r(x,1)"),
            Texts({"T1.3 internal inconsistency x=1 <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 w(x,1) r(x,2) w(x,2)"),
            Texts({"T1.2 internal inconsistency x=2 <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,1) d(x) r(x,1)"),
            Texts({"T1.3 internal inconsistency x=1 <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 i(x,1) r(x,nil)"),
            Texts({"T1.2 internal inconsistency x=nil <- T1.1"}));
}

TEST(FirstPass, AbortedRead) {
  EXPECT_EQ(findings_of("a: T1! w(x,1)  |  b: T2 r(x,1)"),
            Texts({"T2.1 aborted read x=1 <- T1.1"}));
  EXPECT_EQ(findings_of("initial 0\na: T1! w(x,1) d(x)  |  b: T2 r(x,nil)"),
            Texts({"T2.1 aborted read x=nil <- T1.2"}));
}

TEST(FirstPass, IntermediateRead) {
  EXPECT_EQ(findings_of("a: T1 w(x,1) w(x,2)  |  b: T2 r(x,1)"),
            Texts({"T2.1 intermediate read x=1 <- T1.1"}));
  EXPECT_EQ(findings_of("a: T1 w(x,1) w(x,2) w(x,1)  |  b: T2 r(x,1)"), Texts());
}

TEST(FirstPass, FutureRead) {
  EXPECT_EQ(findings_of("a: T1 r(x,1) w(x,1)"), Texts({"T1.1 future read x=1 <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 r(x,1) w(x,1) w(x,2)"), Texts({"T1.1 future read x=1 <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 r(x,1) w(x,1)  |  b: T2 w(x,1)"), Texts());
}

TEST(FirstPass, ThinAirRead) {
  EXPECT_EQ(findings_of("a: T1 r(x,9) w(y,9)"), Texts({"T1.1 thin-air read x=9"}));
  EXPECT_EQ(findings_of("a: T1 w(x,1)  |  b: T2 r(x,\"1\")"),
            Texts({"T2.1 thin-air read x=\"1\""}));
}

TEST(FirstPass, NonRepeatableRead) {
  EXPECT_EQ(findings_of("a: T1 r(x,nil) r(x,1)  |  b: T2 w(x,1)"),
            Texts({"T1.2 non-repeatable read x=1 <- T1.1"}));
  // Each read that differs from the first is one; one that comes back to it is none.
  EXPECT_EQ(
      findings_of("a: T1 r(x,nil) r(x,1) r(x,nil) r(x,1)  |  b: T2 w(x,1)"),
      Texts({"T1.2 non-repeatable read x=1 <- T1.1", "T1.4 non-repeatable read x=1 <- T1.1"}));
  // After an own write there is nothing to repeat.
  EXPECT_EQ(findings_of("a: T1 r(x,nil) w(x,1) r(x,1)"), Texts());
  EXPECT_EQ(findings_of("a: T1 r(x,nil) w(x,1) r(x,2)  |  b: T2 w(x,2)"),
            Texts({"T1.3 internal inconsistency x=2 <- T1.2"}));
}

// Values written more than once.

TEST(FirstPass, OneSourceIsEnough) {
  EXPECT_EQ(findings_of("a: T1! w(x,1) ; T2 w(x,1) w(x,2) ; T3 w(x,1) | b: T4 r(x,1)"), Texts());
  EXPECT_EQ(findings_of("initial 1\na: T1! w(x,1)  |  b: T2 r(x,1)"), Texts());
}

TEST(FirstPass, NamesTheExplanationThatTheFewestLevelsForbid) {
  const std::string text = "a: T1! w(x,1) ; T2 w(x,1) w(x,2)  |  b: T3 r(x,1) w(x,1)";
  EXPECT_EQ(findings_of(text), Texts({"T3.1 aborted read x=1 <- T1.1"}));
  const BadRead finding = first_pass(test::litmus(text)).findings.at(0);
  EXPECT_EQ(finding.possible,
            ReadFindings({ReadFinding::aborted_read, ReadFinding::intermediate_read,
                          ReadFinding::future_read}));
  EXPECT_FALSE(finding.refutes(ReadFindings::forbidden_by(Level{LevelId::read_uncommitted})));
  EXPECT_TRUE(finding.refutes(ReadFindings::forbidden_by(Level{LevelId::valid_reads})));
  EXPECT_EQ(findings_of("a: T2 w(x,1) w(x,2)  |  b: T3 r(x,1) w(x,1)"),
            Texts({"T3.1 intermediate read x=1 <- T2.1"}));
}

TEST(FirstPass, NamesAFewOfManyWriters) {
  EXPECT_EQ(
      findings_of("a: T1! w(x,1) w(x,1) ; T2! w(x,1) ; T3! w(x,1) ; T4! w(x,1) | b: T5 r(x,1)"),
      Texts({"T5.1 aborted read x=1 <- T1.1 T1.2 T2.1 +2"}));
  // The reader's own writes stand between those of others.
  EXPECT_EQ(findings_of("a: T1 w(x,1) w(x,2) ; T2 r(x,1) w(x,1) w(x,1) w(x,3) ; T3 w(x,1) w(x,4)"),
            Texts({"T2.1 intermediate read x=1 <- T1.1 T3.1"}));
}

// Lists.

TEST(FirstPass, ListsAreMadeOfWholeTransactions) {
  const auto reads = [](const std::string& list) {
    return findings_of("a: T1 a(x,1) a(x,2) | b: T2 a(x,3) | c: T4! a(x,4) | d: T3 r(x," + list +
                       ")");
  };
  for (const char* list : {"[]", "nil", "[1 2]", "[3]", "[1 2 3]", "[3 1 2]"})
    EXPECT_EQ(reads(list), Texts());
  EXPECT_EQ(reads("[1]"), Texts({"T3.1 intermediate read x=[1 ] (2) <- T1.1 T1.2"}));
  EXPECT_EQ(reads("[2]"), Texts({"T3.1 intermediate read x=[2 ] (2) <- T1.1 T1.2"}));
  EXPECT_EQ(reads("[2 1]"), Texts({"T3.1 intermediate read x=[2 1 ] (2) <- T1.1 T1.2",
                                   "T3.1 intermediate read x=[2 1 ] (2) <- T1.1 T1.2"}));
  EXPECT_EQ(reads("[1 3 2]"), Texts({"T3.1 intermediate read x=[1 3 2 ] (2) <- T1.1 T1.2"}));
  EXPECT_EQ(reads("[3 3]"), Texts({"T3.1 thin-air read x=[3 3 ] (3) <- T2.1"}));
  EXPECT_EQ(reads("[4]"), Texts({"T3.1 aborted read x=[4 ] (4) <- T4.1"}));
  EXPECT_EQ(reads("[4 9]"),
            Texts({"T3.1 aborted read x=[4 9 ] (4) <- T4.1", "T3.1 thin-air read x=[4 9 ] (9)"}));
  EXPECT_EQ(reads("7"), Texts({"T3.1 thin-air read x=7"}));
}

TEST(FirstPass, ListReadsAfterOwnAppendsEndInThem) {
  EXPECT_EQ(findings_of("a: T1 a(x,1) | b: T2 a(x,2) r(x,[1 2]) a(x,3) r(x,[1 2 3]) r(x,[1 2 3])"),
            Texts());
  EXPECT_EQ(findings_of("a: T2 a(x,2) r(x,[])"),
            Texts({"T2.2 internal inconsistency x=[] (2) <- T2.1"}));
  EXPECT_EQ(findings_of("a: T1 a(x,1) | b: T2 a(x,2) r(x,[2 1])"),
            Texts({"T2.2 internal inconsistency x=[2 1 ] (2) <- T2.1"}));
  EXPECT_EQ(findings_of("a: T2 a(x,2) a(x,3) r(x,[3])"),
            Texts({"T2.3 internal inconsistency x=[3 ] (2) <- T2.1"}));
  EXPECT_EQ(findings_of("a: T2 a(x,2) r(x,7)"),
            Texts({"T2.2 internal inconsistency x=7 (2) <- T2.1"}));
  // Its own appends are there twice.
  EXPECT_EQ(findings_of("a: T2 a(x,2) r(x,[2 2])"),
            Texts({"T2.2 thin-air read x=[2 2 ] (2) <- T2.1"}));
}

TEST(FirstPass, ListReadsOfOwnLaterAppends) {
  EXPECT_EQ(findings_of("a: T1 r(x,[1]) a(x,1)"), Texts({"T1.1 future read x=[1 ] (1) <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 r(x,[1]) a(x,1) a(x,2)"),
            Texts({"T1.1 future read x=[1 ] (1) <- T1.2"}));
  EXPECT_EQ(findings_of("a: T1 a(x,1) r(x,[2 1]) a(x,2)"),
            Texts({"T1.2 future read x=[2 1 ] (2) <- T1.3"}));
}

TEST(FirstPass, ListsInFrontOfOwnAppendsAreRepeatable) {
  EXPECT_EQ(findings_of("a: T1 a(x,1) | b: T2 r(x,[]) a(x,2) r(x,[1 2])"),
            Texts({"T2.3 non-repeatable read x=[1 2 ] <- T2.1"}));
  EXPECT_EQ(findings_of("a: T1 a(x,1) | b: T2 r(x,nil) r(x,[]) r(x,[1])"),
            Texts({"T2.3 non-repeatable read x=[1 ] <- T2.1"}));
}

TEST(FirstPass, DifferentOrdersOfOneListAreNotItsBusiness) {
  EXPECT_EQ(findings_of("a: T1 a(x,1) | b: T2 a(x,2) | c: T3 r(x,[1 2]) ; T4 r(x,[2 1])"), Texts());
}

TEST(FirstPass, ListsStartFromTheInitialList) {
  const std::string start = "initial nil x=[1 2]\na: T1 a(x,3) | b: T2 ";
  EXPECT_EQ(findings_of(start + "r(x,[1 2])"), Texts());
  EXPECT_EQ(findings_of(start + "r(x,[1 2 3])"), Texts());
  EXPECT_EQ(findings_of(start + "r(x,[])"), Texts({"T2.1 thin-air read x=[] (1)"}));
  EXPECT_EQ(findings_of(start + "r(x,[3])"), Texts({"T2.1 thin-air read x=[3 ] (1)"}));
  EXPECT_EQ(findings_of(start + "r(x,[1 3])"), Texts({"T2.1 thin-air read x=[1 3 ] (2)"}));
  EXPECT_EQ(findings_of("initial 0\na: T1 a(x,3) | b: T2 r(x,[3]) | c: T3 r(x,[]) r(x,0)"),
            Texts());
  EXPECT_EQ(findings_of("initial none\na: T1 a(x,3) r(x,[3]) | b: T2 r(x,[3]) | c: T3 r(x,[])"),
            Texts({"T3.1 thin-air read x=[] (?)"}));
}

TEST(FirstPass, ElementsAppendedMoreThanOnce) {
  const std::string start = "a: T1 a(x,1) a(x,2) | b: T2 a(x,1) | c: T3 a(x,2) a(x,1) | d: T4 ";
  for (const char* list : {"[]", "[1]", "[1 2 1]", "[1 2 1 1 2]", "[2 1 1]", "[1 2 1 2 1]"}) {
    EXPECT_EQ(findings_of(start + "r(x," + list + ")"), Texts()) << list;
  }
  EXPECT_EQ(findings_of(start + "r(x,[1 1])"), Texts({"T4.1 intermediate read x=[1 1 ] (?)"}));
  EXPECT_EQ(findings_of(start + "r(x,[2])"), Texts({"T4.1 intermediate read x=[2 ] (?)"}));
  EXPECT_EQ(findings_of(start + "r(x,[1 7])"), Texts({"T4.1 thin-air read x=[1 7 ] (7)"}));
}

// Indeterminate transactions.

TEST(FirstPass, AnIndeterminateTransactionMayHaveCommitted) {
  const FirstPassResult result = first_pass(test::litmus("a: T1? w(x,1) | b: T2 r(x,1)"));
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.counted_committed, ids({0}));
  EXPECT_TRUE(result.counted_aborted.empty());
}

TEST(FirstPass, OneWithABadReadCannotHaveCommitted) {
  const History history = test::litmus("a: T1? r(y,9) w(x,1) | b: T2 r(x,1)");
  const FirstPassResult result = first_pass(history);
  EXPECT_EQ(test::finding_texts(history, result.findings),
            Texts({"T2.1 aborted read x=1 <- T1.2"}));
  EXPECT_EQ(test::finding_texts(history, result.ruled_out), Texts({"T1.1 thin-air read y=9"}));
  EXPECT_EQ(result.counted_aborted, ids({0}));
}

TEST(FirstPass, RulingOutHasConsequences) {
  // T3 reads from T2, which reads from T1, which read nonsense; T4 has another source, T5 the same
  // list.
  const History history = test::litmus(
      "a: T1? r(z,9) w(x,1) a(l,1) ; T2? r(x,1) w(y,1) ; T3 r(y,1)\n"
      "b: T4? r(v,1) w(u,1) ; T5? r(l,[1]) w(v,1) ; T6? w(v,1)\n"
      "c: T7? r(l,[1]) w(u,2) ; T8 r(u,1) ; T9 r(u,2)");
  const FirstPassResult result = first_pass(history);
  EXPECT_EQ(test::finding_texts(history, result.findings),
            Texts({"T3.1 aborted read y=1 <- T2.2", "T9.1 aborted read u=2 <- T7.2"}));
  EXPECT_EQ(result.counted_aborted, ids({0, 1, 4, 6}));
  EXPECT_EQ(result.counted_committed, ids({3, 5}));
  EXPECT_EQ(test::finding_texts(history, result.ruled_out).at(0), "T1.1 thin-air read z=9");
  EXPECT_EQ(result.ruled_out.size(), 4u);
}

TEST(FirstPass, ReadingFromEachOtherIsPossible) {
  const FirstPassResult result =
      first_pass(test::litmus("a: T1? r(x,2) w(y,1) | b: T2? r(y,1) w(x,2)"));
  EXPECT_EQ(result.counted_committed, ids({0, 1}));
}

TEST(FirstPass, TheReaderItselfIsNoSource) {
  const FirstPassResult result =
      first_pass(test::litmus("a: T1? r(x,1) w(x,1) | b: T2? r(x,1) w(x,1) r(z,9)"));
  EXPECT_EQ(result.counted_aborted, ids({0, 1}));
}

TEST(FirstPass, WhatCountsDependsOnWhatIsForbidden) {
  const History history =
      test::litmus("a: T1? r(y,nil) r(y,1) w(x,1) | b: T2 r(x,1) | c: T3 w(y,1)");
  EXPECT_TRUE(first_pass(history).findings.empty());
  FirstPassOptions options;
  options.forbidden.add(ReadFinding::non_repeatable_read);
  EXPECT_EQ(test::finding_texts(history, first_pass(history, options).findings),
            Texts({"T2.1 aborted read x=1 <- T1.3"}));
}

// What cannot be decided.

TEST(FirstPass, AnUnreportedWriteMayExplainAnything) {
  const auto undecided = [](const std::string& text) {
    const FirstPassResult result = first_pass(test::litmus(text));
    EXPECT_TRUE(result.findings.empty()) << text;
    return result.undecided.size();
  };
  EXPECT_EQ(undecided("a: T1 wp(true, ?) | b: T2 r(x,9)"), 1u);
  EXPECT_EQ(undecided("a: T1 wp(true, ?) | b: T2 r(x,nil)"), 0u);
  EXPECT_EQ(undecided("a: T1 w(x,1) wp(true, ?) r(x,2)"), 1u);
  EXPECT_EQ(undecided("a: T1 w(x,1) wp(true, ?) rp(true, {})"), 1u);
  EXPECT_EQ(undecided("initial 1\na: T1 wp(true, ?) | b: T2 rp(@key = \"x\", {}) w(x,2)"), 1u);
  EXPECT_EQ(undecided("initial 1\na: T1 wp(true, ?) rp(true, {}) w(x,2)"), 1u);
  EXPECT_EQ(undecided("initial 1\na: T1 wp(true, ?) | b: T2 wp(@value = 9, {x:1})"), 1u);
  EXPECT_EQ(undecided("initial 1\na: T1 w(x,2) a(x,1) | b: T2 rp(true, {})"), 1u);
  EXPECT_EQ(undecided("a: T1 r(x,nil) wp(true, ?) r(x,1) | b: T2 w(x,1)"), 1u);
  EXPECT_EQ(undecided("a: T1 wp(true, ?) | b: T2 a(l,1) r(l,[2 1])"), 1u);
  // Another table, and a write that comes too late.
  EXPECT_EQ(findings_of("a: T1 wp(t: true, ?) | b: T2 r(x,9)"), Texts({"T2.1 thin-air read x=9"}));
  EXPECT_EQ(findings_of("a: T1 w(x,1) r(x,2) wp(true, ?)"),
            Texts({"T1.2 internal inconsistency x=2 <- T1.1"}));
  const FirstPassResult aborted = first_pass(test::litmus("a: T1! wp(true, ?) | b: T2 r(x,9)"));
  EXPECT_EQ(aborted.findings.at(0).possible,
            ReadFindings({ReadFinding::thin_air_read, ReadFinding::aborted_read}));
}

TEST(FirstPass, KeysBothAppendedToAndWrittenAreLeftAlone) {
  const FirstPassResult result =
      first_pass(test::litmus("a: T1 w(x,1) | b: T2 a(x,1) | c: T3 r(x,[9]) r(x,7)"));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_FALSE(result.undecided.empty());
  EXPECT_EQ(result.undecided[0].why, UndecidedRead::Why::appended_and_written);
}

TEST(FirstPass, GivesUpOnLongPuzzlesOfRepeatedElements) {
  // Do 24 blocks of three, five and seven ones fill rows of eleven and of eight? There are many
  // ways to try.
  std::string text = "s: ";
  for (int i = 0; i < 24; ++i) {
    text += "T" + std::to_string(i + 1);
    for (int n = 0; n < 3 + i % 3 * 2; ++n) text += " a(x,1)";
    text += " ; ";
  }
  for (int i = 0; i < 12; ++i) text += "B" + std::to_string(i) + " a(x,2) ; ";
  text += "R r(x,[";
  for (int i = 0; i < 12; ++i)
    text += (i % 2 == 0 ? "1 1 1 1 1 1 1 1 1 1 1 2 " : "1 1 1 1 1 1 1 1 2 ");
  const FirstPassResult result = first_pass(test::litmus(text + "])"));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.undecided.size(), 1u);
  EXPECT_EQ(result.undecided[0].why, UndecidedRead::Why::repeated_appends);
}

TEST(FirstPass, StopsAtALimit) {
  Limits limits;
  limits.request_stop();
  FirstPassOptions options;
  options.limits = limits;
  const FirstPassResult result = first_pass(test::litmus("a: T1 r(x,9)"), options);
  EXPECT_EQ(result.stopped, StopReason::requested);
  EXPECT_TRUE(result.findings.empty());
}

}  // namespace
}  // namespace isoscope
