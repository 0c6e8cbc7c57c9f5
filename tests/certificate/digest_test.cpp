#include <gtest/gtest.h>

#include <set>

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

History read(std::string text, Format format = Format::litmus) {
  const Source source = Source::from_memory("in", std::move(text));
  Result<History> history = read_history(source, {.format = format});
  EXPECT_TRUE(history) << (history ? "" : history.error().text());
  return history ? *std::move(history) : History();
}

TEST(Digest, IsTheSameForTheSameHistory) {
  const std::string text =
      "initial none accounts.7={balance:10 owner:Ann} l=[1 2]\n"
      "a: T1@1..5 w(x,1) r(accounts.7,{balance:10 owner:Ann}) a(l,3) ; T2! d(x)\n"
      "b: T3? r(l,[1 2 3]) r(l,[1 2]) r(l,[]) r(y,?) rp(accounts: balance > 5, {7:{balance:10}})\n";
  const History history = read(text);
  EXPECT_EQ(digest(history).size(), 64u);
  EXPECT_EQ(digest(history), digest(read(text)));
  EXPECT_EQ(digest(history), digest(read("# a comment\norigin \"elsewhere\"\n" + text)));
  const Result<std::string> native = format_history(history, Format::native);
  ASSERT_TRUE(native);
  EXPECT_EQ(digest(history), digest(read(*native, Format::native)));
}

/// The native reader gives rows of integers their own ones.
TEST(Digest, DoesNotDependOnHowRowsHoldIntegers) {
  const History history = read(
      "a: T1 w(t.5,{a:5 b:5}) w(t.6,{a:5 b:7}) w(x,7) ; T7 r(t.6,{a:5 b:7}) w(x,5)\n"
      "b: T9 w(t.7,{a:7 b:9})\n");
  EXPECT_FALSE(history.values().has_integers_of_rows());
  const Result<std::string> native = format_history(history, Format::native);
  ASSERT_TRUE(native);
  const History again = read(*native, Format::native);
  EXPECT_TRUE(again.values().has_integers_of_rows());
  EXPECT_EQ(digest(history), digest(again));
}

TEST(Digest, IsFixed) {
  // Certificates are kept: a new version of the program must find the same digest.
  EXPECT_EQ(digest(read("a: T1 w(x,1) | b: T2 r(x,nil)")),
            "218f688793bb0d625a132c7f9ec9384de108352ebfa7e15e01b5fc9e015671bc");
}

TEST(Digest, DoesNotDependOnIds) {
  const auto make = [](bool other_ids) {
    HistoryBuilder builder;
    if (other_ids) {
      for (int i = 9; i > 0; --i) builder.values().integer(i);
      builder.key("y");
      builder.values().list_with(ValuePool::empty_list, builder.values().integer(5));
    }
    const SessionId a = builder.session(builder.values().string("a"));
    builder.begin_transaction(a);
    builder.write(builder.key("x"), builder.values().integer(1));
    builder.write(builder.key("y"), builder.values().integer(2));
    ValueId list = ValuePool::empty_list;
    for (int i = 5; i < 8; ++i)
      list = builder.values().list_with(list, builder.values().integer(i));
    builder.list_read(builder.key("l"), list);
    // Listed in another order.
    for (const char* key : {other_ids ? "p" : "q", other_ids ? "q" : "p"}) {
      builder.set_initial(builder.key(key), builder.values().string(key));
    }
    return digest(std::move(builder).finish());
  };
  EXPECT_EQ(make(false), make(true));
}

TEST(Digest, TellsHistoriesApart) {
  std::set<std::string> seen;
  const std::vector<std::string> histories = {
      "a: T1 w(x,1) ; T2 r(x,1)",
      "a: T1 w(x,1) | b: T2 r(x,1)",
      "b: T1 w(x,1) ; T2 r(x,1)",
      "a: T1 w(x,1) ; T3 r(x,1)",
      "a: T2 r(x,1) ; T1 w(x,1)",
      "a: T1 w(x,1) r(x,1)",
      "a: T1! w(x,1) ; T2 r(x,1)",
      "a: T1? w(x,1) ; T2 r(x,1)",
      "a: T1@1.. w(x,1) ; T2 r(x,1)",
      "a: T1@..1 w(x,1) ; T2 r(x,1)",
      "a: T1@1..1 w(x,1) ; T2 r(x,1)",
      "a: T1@SI w(x,1) ; T2 r(x,1)",
      "a: T1 w(x,1) ; T2@SI r(x,1)",
      "a: T1@SI w(x,1) ; T2@SI r(x,1)",
      "a: T1@SI w(x,1) ; T2@serializable r(x,1)",
      "a: T1 i(x,1) ; T2 r(x,1)",
      "a: T1 w(y,1) ; T2 r(x,1)",
      "a: T1 w(y,1) ; T2 r(y,1)",
      "a: T1 w(t.x,1) ; T2 r(t.x,1)",
      "a: T1 w(\"1\",1) ; T2 r(x,1)",
      "a: T1 w(1,1) ; T2 r(x,1)",
      "a: T1 w(x,\"1\") ; T2 r(x,1)",
      "a: T1 w(x,{a:1}) ; T2 r(x,1)",
      "a: T1 w(x,{a:2}) ; T2 r(x,1)",
      "a: T1 w(x,1) ; T2 r(x,nil)",
      "a: T1 w(x,1) ; T2 r(x,?)",
      "a: T1 w(x,1) ; T2 r(x,[])",
      "a: T1 w(x,1) ; T2 r(x,[1])",
      "a: T1 w(x,1) ; T2 r(x,[1 1])",
      "a: T1 w(x,1) ; T2 r(x,[1]) r(x,[1 1])",
      "a: T1 w(x,1) ; T2 r(x,[1 1]) r(x,[1])",
      "initial none\na: T1 w(x,1) ; T2 r(x,1)",
      "initial 1\na: T1 w(x,1) ; T2 r(x,1)",
      "initial nil x=1\na: T1 w(x,1) ; T2 r(x,1)",
      "initial nil y=1\na: T1 w(x,1) ; T2 r(x,1)",
      "a: T1 rp(true, {})",
      "a: T1 wp(true, {})",
      "a: T1 rp(true, ?)",
      "a: T1 rp(t: true, {})",
      "a: T1 rp(false, {})",
      "a: T1 rp(v = 1, {})",
      "a: T1 rp(v = \"1\", {})",
      "a: T1 rp(w = 1, {})",
      "a: T1 rp(not v = 1, {})",
      "a: T1 rp(true, {x:1})",
      "a: T1 rp(true, {x:2})",
  };
  for (const std::string& text : histories) {
    EXPECT_TRUE(seen.insert(digest(read(text))).second) << text;
  }
}

}  // namespace
}  // namespace isoscope
