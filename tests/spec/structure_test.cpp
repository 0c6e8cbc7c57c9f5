#include "isoscope/spec/structure.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "isoscope/base/source.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "spec/random_structure.h"
#include "test_scale.h"

namespace isoscope::spec {
namespace {

History history(std::string_view litmus) {
  ReadOptions options;
  options.format = Format::litmus;
  auto result = read_history(Source::from_memory("test", std::string(litmus)), options);
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return *std::move(result);
}

Structure structure(std::string_view litmus) {
  auto result = structure_of(history(litmus));
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  return *result;
}

std::string error(std::string_view litmus) {
  const auto result = structure_of(history(litmus));
  return result ? "no error" : result.error().what;
}

std::string text(const History& of) { return *format_history(of, Format::litmus); }

TEST(StructureOf, ExternalReadsAndFinalWrites) {
  const Structure s =
      structure("a: T1 w(x,1) w(x,2) r(x,2) ; T2 r(y,nil) r(x,2) w(y,1) r(y,1) | b: T3! w(x,7)");
  Structure expected = empty_structure(2, 2);
  expected.so.add(1, 2);
  expected.writes.add(1, 0);
  expected.writes.add(2, 1);
  expected.wr[0].add(1, 2);
  expected.wr[1].add(0, 2);
  expected.seen_before[0].add(0, 2);  // y, before it read x
  EXPECT_EQ(s, expected);
  EXPECT_TRUE(s.reads(2, 0));
  EXPECT_FALSE(s.reads(1, 0));
}

TEST(StructureOf, NamesAreThoseOfTheHistory) {
  const Structure s = structure("a: pay w(accounts.7,1) | b: T5 r(accounts.7,1)");
  EXPECT_EQ(s.transaction_names, (std::vector<std::string>{"init", "pay", "T5"}));
  EXPECT_EQ(s.key_names, (std::vector<std::string>{"accounts.7"}));
}

TEST(StructureOf, InitialValuesOtherThanNil) {
  const Structure s = structure("initial 0 x=0 y=5\na: T1 r(x,0) r(y,5) d(x) | b: T2 r(x,nil)");
  EXPECT_TRUE(s.wr[0].has(0, 1));
  EXPECT_TRUE(s.wr[1].has(0, 1));
  EXPECT_TRUE(s.wr[0].has(1, 2));
}

TEST(StructureOf, RealTimeIsStrictAndNeedsBothTimes) {
  const Structure s = structure(
      "a: T1@10..20 w(x,1) | b: T2@20..25 w(x,2) | c: T3@21..22 w(x,3) | d: T4@..9 w(x,4)");
  Structure expected = empty_structure(4, 1);
  for (std::size_t t = 1; t <= 4; ++t) expected.writes.add(t, 0);
  expected.rt.add(1, 3);
  for (std::size_t t = 1; t <= 3; ++t) expected.rt.add(4, t);  // nobody knows when it began
  EXPECT_EQ(s, expected);
}

TEST(StructureOf, SeenBeforeLooksAtTheLastReadOfAKey) {
  const Structure s = structure("a: T1 w(x,1) w(y,1) | b: T2 w(z,1) | c: T3 r(x,1) r(z,1) r(x,1)");
  EXPECT_TRUE(s.seen_before[0].has(2, 3));
  EXPECT_FALSE(s.seen_before[0].has(1, 3));  // only by x itself
  EXPECT_TRUE(s.seen_before[2].has(1, 3));
  EXPECT_FALSE(s.has_non_repeatable_reads());
}

TEST(StructureOf, NonRepeatableReadsAreTwoReads) {
  const Structure s = structure("a: T1 w(x,1) | b: T2 r(x,nil) r(x,1)");
  EXPECT_TRUE(s.wr[0].has(0, 2));
  EXPECT_TRUE(s.wr[0].has(1, 2));
  EXPECT_TRUE(s.has_non_repeatable_reads());
}

TEST(StructureOf, UnreportedReadsSayNothing) {
  EXPECT_EQ(structure("a: T1 r(x,?)"), empty_structure(1, 1));
}

TEST(StructureOf, Errors) {
  const auto says = [](std::string_view litmus, std::string_view what) {
    EXPECT_NE(error(litmus).find(what), std::string::npos) << litmus << ": " << error(litmus);
  };
  says("a: T1 r(x,9)", "r(x,9) of T1 returns what no other committed transaction left there");
  says("a: T1 r(x,1) w(x,1)", "no other committed");
  says("a: T1 w(x,1) w(x,2) | b: T2 r(x,1)", "no other committed");
  says("a: T1! w(x,1) | b: T2 r(x,1)", "no other committed");
  says("initial none\na: T1 r(x,nil)", "no other committed");
  says("a: T1 w(x,1) r(x,2)  |  b: T2 w(x,2)", "what it wrote itself");
  says("a: T1 w(x,1) | b: T2 w(x,1) | c: T3 r(x,1)", "may be of T1 or T2");
  says("a: T1 d(x) | b: T2 r(x,nil)", "may be of init or T1");
  says("a: T1? w(x,1)", "indeterminate");
  says("a: T1 a(x,1)", "list");
  says("a: T1 r(x,[1])", "list");
  says("a: T1 rp(true, {})", "predicate");
  EXPECT_EQ(error("a: T1 w(x,1) | b: T2 w(x,1)"), "no error");  // nobody asks which
}

TEST(StructureOf, AWriteOfAnUnknownValueIsAnError) {
  HistoryBuilder builder;
  builder.begin_transaction(builder.add_session());
  builder.write(builder.key("x"), ValuePool::unreported);
  const auto result = structure_of(std::move(builder).finish());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("its value is not known"), std::string::npos);
}

TEST(StructureOf, AtMost63Transactions) {
  std::string text = "T1 w(x,1)";
  for (int t = 2; t <= 63; ++t) text += " ; w(x," + std::to_string(t) + ")";
  const Structure s = structure(text);
  EXPECT_EQ(s.transactions, 64u);
  EXPECT_TRUE(s.so.has(1, 63));
  EXPECT_NE(error(text + " ; w(x,64)").find("at most 63"), std::string::npos);
}

TEST(HistoryOf, ValuesSessionsAndOrderOfReads) {
  Structure s = empty_structure(3, 2);
  s.so.add(1, 3);
  s.writes.add(1, 0);
  s.writes.add(2, 0);
  s.writes.add(2, 1);
  s.wr[0].add(2, 3);
  s.wr[1].add(0, 3);
  s.seen_before[0].add(0, 3);
  EXPECT_EQ(text(history_of(s, false)),
            "a: T1 w(x,1) ; T3 r(y,nil) r(x,2)  |  b: T2 w(x,2) w(y,1)\n");
}

TEST(HistoryOf, ReadsAKeyTwiceWhereItMust) {
  Structure s = empty_structure(2, 2);
  s.writes.add(1, 0);
  s.wr[0].add(1, 2);
  s.wr[1].add(0, 2);
  s.seen_before[0].add(0, 2);
  s.seen_before[1].add(1, 2);
  EXPECT_EQ(text(history_of(s, false)), "a: T1 w(x,1)  |  b: T2 r(x,1) r(y,nil) r(x,1)\n");
}

TEST(HistoryOf, ReadsInTheOrderOfKeysWhereNothingFits) {
  Structure s = empty_structure(1, 2);
  s.wr[0].add(0, 1);
  s.wr[1].add(0, 1);
  EXPECT_EQ(text(history_of(s, false)), "a: T1 r(x,nil) r(y,nil)\n");
}

TEST(HistoryOf, IsTheInverseOfStructureOf) {
  Random random(20150601);
  for (int i = 0; i < 3000 * test_scale(); ++i) {
    const Structure timed =
        random_structure(random, random.below(i % 100 == 0 ? 40 : 7), random.below(5));
    const auto again = structure_of(history_of(timed, true));
    ASSERT_TRUE(again) << again.error().text();
    ASSERT_EQ(*again, timed) << text(history_of(timed, true));

    Structure untimed = timed;
    untimed.rt = empty_structure(timed.transactions - 1, timed.keys).rt;
    ASSERT_EQ(*structure_of(history_of(timed, false)), untimed);
  }
}

}  // namespace
}  // namespace isoscope::spec
