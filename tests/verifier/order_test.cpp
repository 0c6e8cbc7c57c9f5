#include <gtest/gtest.h>

#include "isoscope/history/history_builder.h"
#include "verifier/certificates.h"

namespace isoscope {
namespace {

using test::history_of;

/// What the verifier says about an order of events, as in "c2 c1".
std::string order(const std::string& litmus, const std::string& level, const std::string& events,
                  const std::string& committed = "", std::int64_t skew = 0) {
  const History history = history_of(litmus);
  Certificate certificate =
      test::certificate_of(history, level, "holds\ncommitted " + committed + "\norder 0\n", skew);
  std::string word;
  for (const char c : events + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      certificate.order.push_back(
          {static_cast<std::uint32_t>(std::stoul(word.substr(1))), word[0] == 'c'});
      word.clear();
    }
  }
  return test::answer(history, certificate);
}

constexpr const char* confirmed = "confirmed";
const std::string wrong_read = "something else was read than is there by this order";

TEST(Order, EveryEventOnce) {
  const std::string history = "a: T1 w(x,1) | b: T2 w(y,1) ; T3! w(x,2) | c: T4? w(y,5)";
  EXPECT_EQ(order(history, "serializable", "c2 c1"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c1 c2"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c4 c1 c2", "4"), confirmed);
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 b2 c2 c1"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c1"), "transaction 2 is missing in the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c1"), "event c1 is there twice");
  EXPECT_EQ(order(history, "serializable", "c1 b2"), "event b2 does not belong to the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c3"), "event c3 does not belong to the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c4"), "event c4 does not belong to the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c5"), "event c5 does not belong to the order");
  EXPECT_EQ(order(history, "serializable", "c0 c1 c2"), "event c0 does not belong to the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2", "4"), "transaction 4 is missing in the order");
  EXPECT_EQ(order(history, "serializable", "c1 c2", "1"), "transaction 1 is not indeterminate");
  EXPECT_EQ(order(history, "serializable", "c1 c2", "3"), "transaction 3 is not indeterminate");
  EXPECT_EQ(order(history, "serializable", "c1 c2", "9"), "transaction 9 is not indeterminate");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c4", "4 4"),
            "the transactions taken as committed are not ascending");
  EXPECT_EQ(order(history, "serializable", "c1 c2 c4", "0"),
            "the transactions taken as committed are not ascending");
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 c1 b2"),
            "transaction 2 is missing in the order");
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 c1 c2 b2"),
            "transaction 2 commits before it begins");
}

TEST(Order, SessionsAreCutAfterIndeterminateTransactions) {
  const std::string history = "a: T1 w(x,1) ; T2? w(y,1) ; T3 w(z,1) ; T4! ; T5 w(v,1)";
  EXPECT_EQ(order(history, "serializable", "c1 c3 c5"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c3 c5 c1"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c3 c5 c1 c2", "2"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c3 c2 c1 c5", "2"),
            "transaction 2 must come after 1 of its session");
  EXPECT_EQ(order(history, "serializable", "c5 c3 c1"),
            "transaction 5 must come after 3 of its session");
  EXPECT_EQ(order(history, "PL-3", "c5 c3 c2 c1", "2"), confirmed);
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 b3 c3 b5 c1 c5"), confirmed);
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 c1 b3 b5 c3 c5"),
            "transaction 5 must come after 3 of its session");
}

TEST(Order, RealTimeWithSkew) {
  const std::string history =
      "a: T1@0..10 w(x,1) | b: T2@11..20 r(x,nil) | c: T3? @0..1 | d: T4@30.. | e: T5@..2";
  EXPECT_EQ(order(history, "serializable", "c2 c1 c5 c4"), confirmed);
  EXPECT_EQ(order(history, "strict-serializable", "c5 c2 c1 c4"),
            "transaction 2 must come after 1, which had ended when it began");
  EXPECT_EQ(order(history, "strict-serializable", "c5 c2 c1 c4", "", 1), confirmed);
  EXPECT_EQ(order(history, "strict-serializable", "c5 c2 c4 c1", "", 1),
            "transaction 4 must come after 1, which had ended when it began");
  EXPECT_EQ(order(history, "strict-serializable", "c2 c5 c1 c4", "", 8),
            "transaction 2 must come after 5, which had ended when it began");
  EXPECT_EQ(order(history, "strict-serializable", "c5 c2 c1 c4 c3", "3", 1), confirmed);
  EXPECT_EQ(order(history, "strict-serializable", "c4 c2 c1 c5", "", INT64_MAX), confirmed);
  EXPECT_EQ(order(history, "strong-snapshot-isolation", "b5 c5 b1 b2 c1 c2 b4 c4", "", 1),
            confirmed);
  EXPECT_EQ(order(history, "strong-snapshot-isolation", "b5 c5 b1 b2 c1 c2 b4 c4"),
            "transaction 2 must come after 1, which had ended when it began");
}

TEST(Order, RegistersAreReplayed) {
  const std::string history =
      "a: T1 w(x,1) w(x,2) r(x,2) | b: T2 r(x,2) d(x) r(x,nil) | c: T3 r(x,nil)";
  EXPECT_EQ(order(history, "serializable", "c1 c2 c3"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c3 c1 c2"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c1 c3 c2"),
            "transaction 3, operation 1: " + wrong_read);
  EXPECT_EQ(order(history, "serializable", "c2 c1 c3"),
            "transaction 2, operation 1: " + wrong_read);
  EXPECT_EQ(order("initial 5 y=[]\na: T1 r(x,5) r(y,nil) r(x,?)", "SER", "c1"), confirmed);
  EXPECT_EQ(order("initial none\na: T1 r(x,nil)", "SER", "c1"),
            "transaction 1, operation 1: " + wrong_read);
  EXPECT_EQ(order("a: T1 w(x,1) r(x,2) | b: T2 w(x,2)", "SER", "c2 c1"),
            "transaction 1, operation 2: " + wrong_read);
}

TEST(Order, SnapshotsDoNotChangeAndWritersDoNotOverlap) {
  const std::string write_skew = "a: T1 r(x,nil) w(y,1) r(x,nil) | b: T2 r(y,nil) w(x,1)";
  EXPECT_EQ(order(write_skew, "snapshot-isolation", "b1 b2 c1 c2"), confirmed);
  EXPECT_EQ(order(write_skew, "snapshot-isolation", "b1 c1 b2 c2"),
            "transaction 2, operation 1: " + wrong_read);
  const std::string lost_update = "a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2)";
  EXPECT_EQ(order(lost_update, "snapshot-isolation", "b1 b2 c1 c2"),
            "transaction 2 writes a key that another one wrote since it began");
  EXPECT_EQ(order("a: T1 w(x,1) | b: T2 w(x,2) ; T3 r(x,2)", "SI", "b1 c1 b2 c2 b3 c3"), confirmed);
}

TEST(Order, ListsAreReplayed) {
  const std::string history =
      "initial nil l=[0]\na: T1 a(l,1) a(l,2) r(l,[0 1 2]) a(l,3) | b: T2 r(l,[0 1 2 3]) a(l,4) "
      "r(l,[0 1 2 3 4]) r(l,[0 1 2 3 4]) | c: T3 r(l,[0])";
  EXPECT_EQ(order(history, "serializable", "c3 c1 c2"), confirmed);
  EXPECT_EQ(order(history, "snapshot-isolation", "b1 b3 c1 b2 c2 c3"), confirmed);
  EXPECT_EQ(order(history, "serializable", "c1 c3 c2"),
            "transaction 3, operation 1: " + wrong_read);
  EXPECT_EQ(order(history, "serializable", "c3 c2 c1"),
            "transaction 2, operation 1: " + wrong_read);
  // Elements may repeat, and an initial value that is no list is the empty one.
  EXPECT_EQ(order("initial 7\na: T1 a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1]) | d: T4 r(l,7)", "SER",
                  "c4 c2 c1 c3"),
            confirmed);
  EXPECT_EQ(order("a: T1 a(l,1) | b: T2 r(l,5)", "SER", "c1 c2"),
            "transaction 2, operation 1: " + wrong_read);
  EXPECT_EQ(order("initial none\na: T1 r(l,[]) a(l,1)", "SER", "c1"),
            "transaction 1, operation 1: " + wrong_read);
  EXPECT_EQ(order("initial none\na: T1 a(l,1) r(l,[1]) ; T2 r(l,[1])", "SER", "c1 c2"), confirmed);
}

TEST(Order, WhatIsNotSupportedIsRefused) {
  const std::string unknown_write = "a predicate write reported nothing: not supported";
  EXPECT_EQ(order("a: T1 wp(true, ?)", "SER", "c1"), unknown_write);
  EXPECT_EQ(order("a: T1 ; T2? wp(true, ?)", "SER", "c1"), unknown_write);
  EXPECT_EQ(order("a: T1! wp(true, ?) ; T2 rp(true, ?)", "SER", "c2"), confirmed);
  EXPECT_EQ(order("a: T1 a(l,1) | b: T2 w(l,1)", "SER", "c1 c2"),
            "transaction 1, operation 1: the key is both appended to and written: not supported");
}

TEST(Order, WhatIsNotKnownIsRefused) {
  const auto reply = [](OperationKind kind, auto read) {
    HistoryBuilder builder;
    const SessionId a = builder.add_session();
    builder.begin_transaction(a);
    builder.add(kind, builder.key("x"), ValuePool::unreported);
    builder.begin_transaction(a);
    read(builder);
    const History history = std::move(builder).finish();
    Certificate certificate =
        test::certificate_of(history, "SER", "holds\ncommitted\norder 2\nc1 c2\n");
    return test::answer(history, certificate);
  };
  EXPECT_EQ(reply(OperationKind::write,
                  [](HistoryBuilder& b) { b.read(b.key("x"), b.values().integer(1)); }),
            "transaction 2, operation 1: what the key holds is not known");
  EXPECT_EQ(reply(OperationKind::write, [](HistoryBuilder&) {}), confirmed);
  EXPECT_EQ(reply(OperationKind::append, [](HistoryBuilder&) {}),
            "transaction 1, operation 1: what was appended is not known");
}

TEST(Order, AnotherHistoryLevelOrSkewIsRefused) {
  const History history = history_of("a: T1 w(x,1)");
  Certificate certificate = test::certificate_of(history, "SER", "holds\ncommitted\norder 1\nc1\n");
  EXPECT_EQ(test::answer(history, certificate), confirmed);
  EXPECT_EQ(test::answer(history_of("a: T1 w(x,2)"), certificate),
            "the certificate is about another history");
  EXPECT_EQ(test::answer(history_of("b: T1 w(x,1)"), certificate),
            "the certificate is about another history");
  certificate.clock_skew = -1;
  EXPECT_EQ(test::answer(history, certificate), "the clock skew is negative");
  certificate.clock_skew = 0;
  certificate.level.id = LevelId::valid_reads;
  EXPECT_EQ(test::answer(history, certificate), "at this level there is no order");
}

/// Reading a list that grows costs what was appended: this takes a moment, and minutes otherwise.
TEST(Order, LongListsAreCheap) {
  HistoryBuilder builder;
  const SessionId a = builder.add_session();
  const KeyId key = builder.key("l");
  ValueId list = ValuePool::empty_list;
  Certificate certificate;
  certificate.level = {LevelId::snapshot_isolation, true};
  certificate.holds = true;
  constexpr std::uint32_t count = 100000;
  for (std::uint32_t t = 1; t <= count; ++t) {
    builder.begin_transaction(a);
    builder.append(key, builder.values().integer(t));
    list = builder.values().list_with(list, builder.values().integer(t));
    if (t % 2 == 0) builder.list_read(key, list);
    certificate.order.push_back(Event::begin(t));
    certificate.order.push_back(Event::commit(t));
  }
  const History history = std::move(builder).finish();
  certificate.history_digest = digest(history);
  EXPECT_EQ(test::answer(history, certificate), confirmed);
}

}  // namespace
}  // namespace isoscope
