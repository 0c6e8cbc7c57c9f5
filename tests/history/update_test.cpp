// Updates: what they amount to, how files say them, and what formats do that cannot.

#include "isoscope/history/update.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "history_of.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/litmus_text.h"
#include "isoscope/history/statistics.h"

namespace isoscope {
namespace {

/// The operations of all transactions, each as if it was no part of an update.
std::string operations_of(std::string litmus) {
  // A slash ends the line of initial values.
  std::ranges::replace(litmus, '/', '\n');
  const History history = test::history_of(litmus);
  std::string text;
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      text += (text.empty() ? "" : " ") + operation_text(history, operation);
    }
  }
  return text;
}

TEST(Update, AmountsToReadsAndWrites) {
  EXPECT_EQ(operations_of("initial 7 / a: T1 add(x,5,12)"), "r(x,7) w(x,12)");
  EXPECT_EQ(operations_of("a: T1 add(x,-5,12)"), "r(x,17) w(x,12)");
  EXPECT_EQ(operations_of("a: T1 add(x,5)"), "w(x,?)");
  EXPECT_EQ(operations_of("a: T1 cas(x,1,2,done)"), "r(x,1) w(x,2)");
  EXPECT_EQ(operations_of("a: T1 cas(x,nil,{a:1},done)"), "r(x,nil) w(x,{a:1})");
  EXPECT_EQ(operations_of("a: T1 cas(x,1,2,refused)"), "r(x,?)");
  EXPECT_EQ(operations_of("a: T1 cas(x,1,2,refused,7)"), "r(x,7)");
  EXPECT_EQ(operations_of("a: T1 cas(x,1,2)"), "w(x,?)");
  EXPECT_EQ(operations_of("a: T1 swap(x,1,nil)"), "r(x,nil) w(x,1)");
  EXPECT_EQ(operations_of("a: T1 swap(x,1)"), "w(x,1)");
}

TEST(Update, ABaseOfZeroIsWhatTheKeyEverHeld) {
  EXPECT_EQ(operations_of("a: T1 add(x,5,5)"), "r(x,nil) w(x,5)");
  EXPECT_EQ(operations_of("initial 0 / a: T1 add(x,5,5)"), "r(x,0) w(x,5)");
  EXPECT_EQ(operations_of("initial none / a: T1 add(x,5,5)"), "r(x,0) w(x,5)");
  EXPECT_EQ(operations_of("initial none x=nil / a: T1 add(x,5,5)"), "r(x,nil) w(x,5)");
  // Both were there, at one time or another.
  EXPECT_EQ(operations_of("a: T1 add(x,5,5) | b: T2 w(x,0)"), "r(x,?) w(x,5) w(x,0)");
  EXPECT_EQ(operations_of("a: T1 add(x,5,5) | b: T2! w(x,0)"), "r(x,?) w(x,5) w(x,0)");
  EXPECT_EQ(operations_of("initial 0 / a: T1 add(x,5,5) | b: T2 d(x)"), "r(x,?) w(x,5) d(x)");
  EXPECT_EQ(operations_of("initial 1 / a: T1 add(x,5,5) | b: T2 wp(true, {x:nil}) w(x,0)"),
            "r(x,?) w(x,5) wp(true, {x:nil}) w(x,0)");
  EXPECT_EQ(operations_of("a: T1 add(x,5,5) | b: T2 w(y,0)"), "r(x,nil) w(x,5) w(y,0)");
  // Its own transaction says which.
  EXPECT_EQ(operations_of("a: T1 w(x,0) add(x,5,5)"), "w(x,0) r(x,0) w(x,5)");
  EXPECT_EQ(operations_of("initial 0 / a: T1 d(x) add(x,5,5)"), "d(x) r(x,nil) w(x,5)");
  EXPECT_EQ(operations_of("a: T1 add(x,-1,-1) add(x,1,0) add(x,1,1)"),
            "r(x,?) w(x,-1) r(x,-1) w(x,0) r(x,0) w(x,1)");
  EXPECT_EQ(operations_of("a: T1 w(x,0) ; T2 w(x,3) add(x,1,1)"), "w(x,0) w(x,3) r(x,0) w(x,1)");
}

TEST(Update, SaysWhereItIs) {
  const History history =
      test::history_of("a: T1 w(x,1) add(x,5,6) ; T2 cas(y,1,2,refused) r(x,6)");
  const TransactionId first(0);
  const TransactionId second(1);
  ASSERT_EQ(history.updates().size(), 2u);
  ASSERT_EQ(history.updates(first).size(), 1u);
  EXPECT_EQ(history.place_of(history.updates(first)[0], first), 1u);
  EXPECT_EQ(key_text(history, history.key_of(history.updates(second)[0])), "y");
  EXPECT_EQ(history.update_at(first, 0), nullptr);
  EXPECT_EQ(history.update_at(first, 1), &history.updates()[0]);
  EXPECT_EQ(history.update_at(first, 2), nullptr);
  EXPECT_TRUE(history.reads_base(first, 1));
  EXPECT_FALSE(history.reads_base(first, 2));
  EXPECT_FALSE(history.reads_base(second, 0));
  EXPECT_EQ(transaction_text(history, first), "T1 w(x,1) add(x,5,6)");
  const HistoryStatistics statistics = statistics_of(history);
  EXPECT_EQ(statistics.count(Update::Function::add), 1u);
  EXPECT_EQ(statistics.count(Update::Function::compare_and_set), 1u);
  EXPECT_EQ(statistics.count(Update::Function::swap), 0u);
}

TEST(Update, WritesOfUnknownValueAreNoDuplicates) {
  EXPECT_EQ(statistics_of(test::history_of("a: T1 add(x,5) ; T2 add(x,5)")).duplicate_writes, 0u);
}

constexpr const char* native_header = "{\"isoscope-history\":1,\"initial\":\"nil\"}\n";

TEST(Update, IsWrittenAsItWasRead) {
  const std::string text =
      std::string(native_header) +
      R"({"session":"a","id":1,"ops":[["add","x",5],["add",["t",1],5,12],)"
      R"(["cas","x",1,2],["cas","x",1,null,"done"],["cas","x",1,2,"refused"],)"
      R"(["cas","x",1,2,"refused",{"a":1}],["swap","x",5],["swap","x",5,null]]})"
      "\n";
  const Result<History> history = read_history(Source::from_memory("h", text));
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(*format_history(*history, Format::native), text);
  const std::string litmus = *format_history(*history, Format::litmus);
  EXPECT_EQ(litmus,
            "a: T1 add(x,5) add(t.1,5,12) cas(x,1,2) cas(x,1,nil,done) cas(x,1,2,refused) "
            "cas(x,1,2,refused,{a:1}) swap(x,5) swap(x,5,nil)\n");
  const Result<History> again = read_history(Source::from_memory("l", litmus));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(digest(*again), digest(*history));
}

std::string error_of(const std::string& operation) {
  const auto history = read_history(
      Source::from_memory("h", native_header + ("{\"session\":1,\"ops\":[" + operation + "]}")));
  return history ? "" : history.error().text();
}

TEST(Update, WhatMakesNoSenseIsRefused) {
  const auto complains = [](const std::string& operation, const std::string& what) {
    const std::string error = error_of(operation);
    EXPECT_NE(error.find(what), error.npos) << operation << ": " << error;
  };
  complains(R"(["add","x"])", "h:2:31: expected a value");
  complains(R"(["add","x","5"])", "h:2:32: expected integers in an addition");
  complains(R"(["add","x",5,"7"])", "h:2:32: expected integers in an addition");
  complains(R"(["add","x",1,null])", "expected integers in an addition");
  complains(R"(["add","x",-1,9223372036854775807])", "64 bits");
  complains(R"(["add","x",1,2,3])", "expected ']' at the end of the operation");
  complains(R"(["cas","x",1])", "expected the new value");
  complains(R"(["cas","x",1,2,"perhaps"])", "expected \"done\" or \"refused\"");
  complains(R"(["cas","x",1,2,"done",1])", "expected ']' at the end of the operation");
  complains(R"(["cas","x",1,2,"refused",1])", "found the same");
  complains(R"(["cas","x",{"a":1,"b":"c"},2,"refused",{"b":"c","a":1}])", "found the same");
  complains(R"(["swap","x"])", "expected a value");
  complains(R"(["swap","x",[1]])", "expected null, an integer");
  complains(R"(["swop","x",1])", "add, cas, swap");
  EXPECT_EQ(error_of(R"(["add","x",1,-9223372036854775807])"), "");
}

TEST(Update, LitmusComplainsToo) {
  const auto error = [](const std::string& text) {
    const auto history = read_history(Source::from_memory("l", text), {.format = Format::litmus});
    return history ? "" : history.error().text();
  };
  EXPECT_NE(error("T1 cas(x,1,2,maybe)").find("expected done or refused"), std::string::npos);
  EXPECT_NE(error("T1 cas(x,1,2,refused,1)").find("l:1:4: expected a refused"), std::string::npos);
  EXPECT_NE(error("T1 add(x,1,2,3)").find("expected ')'"), std::string::npos);
  EXPECT_NE(error("T1 cas(x,1)").find("and the new value"), std::string::npos);
}

TEST(Update, OtherFormatsSayThatTheyCannotSayIt) {
  const History history = test::history_of("a: T1 w(x,1) cas(x,1,2,done)");
  for (const FormatInfo& info : formats()) {
    if (!info.writable) continue;
    const auto text = format_history(history, info.format);
    const bool can = info.format == Format::native || info.format == Format::litmus;
    EXPECT_EQ(static_cast<bool>(text), can) << info.name;
    if (!can) {
      EXPECT_EQ(text.error().what, "cannot write " + std::string(info.name) +
                                       ": it cannot say updates such as cas(x,1,2,done)");
    }
  }
}

TEST(Update, DigestsTellUpdatesFromReadsAndWrites) {
  const std::string update = digest(test::history_of("a: T1 add(x,5,5)"));
  EXPECT_NE(update, digest(test::history_of("a: T1 r(x,nil) w(x,5)")));
  EXPECT_NE(update, digest(test::history_of("a: T1 swap(x,5,nil)")));
  EXPECT_NE(update, digest(test::history_of("a: T1 cas(x,nil,5,done)")));
  EXPECT_NE(digest(test::history_of("a: T1 add(x,5)")), digest(test::history_of("a: T1 add(x,6)")));
}

}  // namespace
}  // namespace isoscope
