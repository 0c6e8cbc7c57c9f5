#include <gtest/gtest.h>

#include <algorithm>

#include "verifier/certificates.h"

namespace isoscope {
namespace {

using test::history_of;

/// What the verifier says about these steps, which end in line ends.
std::string steps(const std::string& litmus, const std::string& level, const std::string& lines,
                  std::int64_t skew = 0) {
  const History history = history_of(litmus);
  const auto count = std::ranges::count(lines, '\n');
  return test::answer(
      history,
      test::certificate_of(history, level,
                           "violated\nsteps " + std::to_string(count) + "\n" + lines, skew));
}

constexpr const char* confirmed = "confirmed";
/// All steps are accepted.
constexpr const char* more = "the steps lead to no contradiction";

TEST(Refutation, FracturedRead) {
  const std::string history = "a: T1 w(x,1) w(y,1) | b: T2 r(x,1) r(y,nil)";
  const std::string proof = "read 2.1\nread 2.2\nfrom 2.1 1\norder c0 c1\nbetween 2.2 0 1\n";
  for (const std::string level : {"serializable", "snapshot-isolation", "PL-SI",
                                  "strict-serializable", "strong-snapshot-isolation"}) {
    EXPECT_EQ(steps(history, level, proof), confirmed) << level;
    EXPECT_EQ(steps(history, level, proof + "read 2.1\n"), confirmed);  // too much does no harm
  }
  EXPECT_EQ(steps(history, "SER", "read 2.1\nread 2.2\nfrom 2.1 1\norder c0 c1\n"), more);
  EXPECT_EQ(steps(history, "SER", ""), more);
}

TEST(Refutation, LostUpdate) {
  const std::string history = "a: T1 r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2)";
  const std::string start =
      "read 1.1\nread 2.1\norder c0 c1\norder c0 c2\nbetween 1.1 0 2\nbetween 2.1 0 1\n";
  // Each begins before the other commits. With one event that is a contradiction, with two it is
  // one because they write the same key.
  EXPECT_EQ(steps(history, "serializable", start), confirmed);
  EXPECT_EQ(steps(history, "snapshot-isolation", start), more);
  EXPECT_EQ(steps(history, "snapshot-isolation", start + "conflict 1 2\n"), confirmed);
  EXPECT_EQ(steps(history, "snapshot-isolation", start + "conflict 2 1\n"), confirmed);
  EXPECT_EQ(steps(history, "snapshot-isolation", start + "conflict 1 1\n"),
            "step 7: expected two transactions");
  EXPECT_EQ(steps(history, "snapshot-isolation", start + "conflict 1 0\n"),
            "step 7: there is no such transaction");
  EXPECT_EQ(steps("a: T1 w(x,1) | b: T2 w(y,1)", "SI", "conflict 1 2\n"),
            "step 1: the two write no common key");
  EXPECT_EQ(steps("a: T1 w(x,1) | b: T2! w(x,1)", "SI", "conflict 1 2\n"),
            "step 1: transaction 2 aborted");
  EXPECT_EQ(steps("a: T1 w(x,1) | b: T2 w(x,1)", "SER", "conflict 1 2\n"),
            "step 1: there is no such step at this level");
}

TEST(Refutation, OrderBySessions) {
  const std::string history = "a: T1 ; T2! ; T3? ; T4 ; T5 | b: T6";
  const auto order = [&](const std::string& events, const std::string& level = "SER") {
    return steps(history, level, "order " + events + "\n");
  };
  const std::string no = "step 1: neither sessions nor times say so";
  EXPECT_EQ(order("c1 b3"), more);
  EXPECT_EQ(order("c1 c3"), more);
  EXPECT_EQ(order("b1 b3"), more);
  EXPECT_EQ(order("c4 b5"), more);
  EXPECT_EQ(order("c1 b3", "SI"), more);
  EXPECT_EQ(order("c1 c3", "SI"), no);
  EXPECT_EQ(order("b1 b3", "SI"), no);
  EXPECT_EQ(order("b1 c1", "SI"), more);
  EXPECT_EQ(order("c1 b1", "SI"), no);
  EXPECT_EQ(order("b1 c1"), "step 1: an event does not come before itself");
  EXPECT_EQ(order("c1 b3", "PL-3"), no);
  EXPECT_EQ(order("c3 b1"), no);
  EXPECT_EQ(order("c3 b4"), no);
  EXPECT_EQ(order("c1 b4"), no);
  EXPECT_EQ(order("c1 b6"), no);
  EXPECT_EQ(order("c1 b2"), "step 1: transaction 2 aborted");
  EXPECT_EQ(order("c1 b7"), "step 1: there is no such transaction");
  EXPECT_EQ(order("c0 b6"), more);
  EXPECT_EQ(order("b0 c6", "SI"), more);
  EXPECT_EQ(order("c6 b0"), no);
}

TEST(Refutation, OrderByTime) {
  const std::string history = "a: T1@0..10 | b: T2@12..13 | c: T3?@0..1 | d: T4@20.. | e: T5@..0";
  const auto order = [&](const std::string& events, const std::string& level,
                         std::int64_t skew = 0) {
    return steps(history, level, "order " + events + "\n", skew);
  };
  const std::string no = "step 1: neither sessions nor times say so";
  EXPECT_EQ(order("c1 b2", "strict-serializable"), more);
  EXPECT_EQ(order("c1 b2", "strict-serializable", 1), more);
  EXPECT_EQ(order("c1 b2", "strict-serializable", 2), no);
  EXPECT_EQ(order("c1 b2", "strict-serializable", INT64_MAX), no);
  EXPECT_EQ(order("c1 b2", "serializable"), no);
  EXPECT_EQ(order("c1 b2", "strong-snapshot-isolation"), more);
  EXPECT_EQ(order("b1 b2", "strong-snapshot-isolation"), no);
  EXPECT_EQ(order("c3 b2", "strict-serializable"), no);
  EXPECT_EQ(order("c2 b4", "strict-serializable"), more);
  EXPECT_EQ(order("c4 b2", "strict-serializable"), no);
  EXPECT_EQ(order("c5 b2", "strict-serializable"), more);
  EXPECT_EQ(order("c2 b5", "strict-serializable"), no);
}

TEST(Refutation, ReadsOfRegisters) {
  const std::string history =
      "initial 1\na: T1 w(x,1) | b: T2? w(x,2) w(x,1) | c: T3! w(x,1) | d: T4 w(x,1) w(x,2) | "
      "e: T5 r(x,1) w(x,1) r(x,1) r(y,?) | f: T6? r(x,9)";
  const auto step = [&](const std::string& line) { return steps(history, "SER", line + "\n"); };
  const std::string no = "step 1: the read cannot have returned what this transaction left";
  EXPECT_EQ(step("read 5.1"), more);
  for (const std::string writer : {"0", "1", "2"}) EXPECT_EQ(step("from 5.1 " + writer), more);
  for (const std::string writer : {"3", "4", "5", "6", "7"}) {
    EXPECT_EQ(step("from 5.1 " + writer), no) << writer;
    EXPECT_EQ(step("took 5.1 " + writer), no) << writer;
    EXPECT_EQ(step("between 5.1 " + writer + " 1"), no) << writer;
  }
  EXPECT_EQ(step("took 5.1 2"), more);
  EXPECT_EQ(step("took 5.1 1"), "step 1: transaction 1 is not indeterminate");
  EXPECT_EQ(step("between 5.1 1 4"), more);
  EXPECT_EQ(step("between 5.1 0 2"), more);
  EXPECT_EQ(step("between 5.1 1 1"), "step 1: expected another writer than the two");
  EXPECT_EQ(step("between 5.1 1 5"), "step 1: expected another writer than the two");
  EXPECT_EQ(step("between 5.1 1 6"), "step 1: transaction 6 does not write the key");
  EXPECT_EQ(step("between 5.1 1 3"), "step 1: transaction 3 aborted");
  EXPECT_EQ(step("between 5.1 1 0"), "step 1: there is no such transaction");
  EXPECT_EQ(step("read 5.2"), "step 1: the operation is no read of a key");
  EXPECT_EQ(step("read 5.3"), "step 1: the read says nothing about other transactions");
  EXPECT_EQ(step("from 5.3 1"), "step 1: the read says nothing about other transactions");
  EXPECT_EQ(step("read 5.4"), "step 1: nothing is known of such a read");
  EXPECT_EQ(step("read 5.5"), "step 1: there is no such operation");
  EXPECT_EQ(step("read 5.0"), "step 1: there is no such operation");
  EXPECT_EQ(step("read 0.1"), "step 1: there is no such transaction");
  EXPECT_EQ(step("read 7.1"), "step 1: there is no such transaction");
  EXPECT_EQ(step("read 3.1"), "step 1: the reader aborted");
  EXPECT_EQ(step("list 5.1 1 2"), "step 1: the transaction is not in a list that was read");
  EXPECT_EQ(step("inside 5.1"), "step 1: the read does not contradict its transaction");
  // It has no candidate: T6 did not commit, or, had it certainly, there would be no execution.
  EXPECT_EQ(step("read 6.1"), more);
  EXPECT_EQ(steps("a: T6 r(x,9)", "SER", "read 1.1\n"), confirmed);
}

TEST(Refutation, IndeterminateWriters) {
  // T1? has read nonsense, so T2 has read from nobody.
  const std::string history = "a: T1? r(y,9) w(x,1) | b: T2 r(x,1)";
  EXPECT_EQ(steps(history, "SER", "read 1.1\nread 2.1\ntook 2.1 1\n"), confirmed);
  EXPECT_EQ(steps(history, "SER", "read 2.1\ntook 2.1 1\nread 1.1\n"), confirmed);
  EXPECT_EQ(steps(history, "SER", "read 2.1\ntook 2.1 1\n"), more);
  // An indeterminate transaction in the way comes later, whether it committed or not.
  const std::string other = "a: T1? w(x,1) | b: T2 r(x,nil) ; T3 r(y,nil)";
  EXPECT_EQ(steps(other, "SER", "read 2.1\norder c0 c1\nbetween 2.1 0 1\n"), more);
  EXPECT_EQ(steps(other, "SER", "read 2.1\norder c0 c1\nbetween 2.1 0 1\nlemma b2<c1 :\n"), more);
}

TEST(Refutation, ReadsOfLists) {
  const std::string history =
      "initial nil l=[0]\na: T1 a(l,1) a(l,2) | b: T2 a(l,3) | c: T3? a(l,4) | "
      "d: T4 r(l,[0 1 2 4]) a(l,5) r(l,[0 1 2 4 5]) | e: T5 r(l,[0 1]) | f: T6 r(l,[0]) | "
      "g: T7 r(l,[0 3 1 2]) | h: T8! a(l,7)";
  const auto step = [&](const std::string& line) { return steps(history, "SER", line + "\n"); };
  EXPECT_EQ(step("read 4.1"), more);
  EXPECT_EQ(step("from 4.1 3"), more);
  EXPECT_EQ(step("from 4.3 3"), more);
  EXPECT_EQ(step("from 6.1 0"), more);
  EXPECT_EQ(step("from 4.1 1"), "step 1: the read cannot have returned what this transaction left");
  EXPECT_EQ(step("between 4.1 3 2"), more);
  EXPECT_EQ(step("read 5.1"), confirmed);  // a torn list
  EXPECT_EQ(step("list 4.1 1 3"), more);
  EXPECT_EQ(step("list 4.1 1 2"), more);
  EXPECT_EQ(step("list 4.1 3 2"), more);
  EXPECT_EQ(step("list 4.1 3 4"), more);
  EXPECT_EQ(step("list 4.1 3 1"), "step 1: the second transaction does not come later in the list");
  EXPECT_EQ(step("list 4.1 1 1"), "step 1: the second transaction does not come later in the list");
  EXPECT_EQ(step("list 4.1 2 3"), "step 1: the transaction is not in a list that was read");
  EXPECT_EQ(step("list 4.1 0 3"), "step 1: the transaction is not in a list that was read");
  EXPECT_EQ(step("list 4.1 1 6"), "step 1: transaction 6 does not write the key");
  EXPECT_EQ(step("list 4.1 1 8"), "step 1: transaction 8 aborted");
  EXPECT_EQ(step("list 4.1 1 0"), "step 1: there is no such transaction");
  EXPECT_EQ(step("list 5.1 1 2"), "step 1: the transaction is not in a list that was read");
  EXPECT_EQ(step("member 4.1 3"), more);
  EXPECT_EQ(step("member 4.1 1"), "step 1: transaction 1 is not indeterminate");
  EXPECT_EQ(step("member 4.1 2"), "step 1: the transaction is not in a list that was read");
  // What is read by one that may not have committed does not count.
  const std::string reader = "a: T1 a(l,1) | b: T2 a(l,2) | c: T3 r(l,[2 1]) | d: T4";
  const std::string both = "list 3.1 2 1\nlist 4.1 1 2\n";
  EXPECT_EQ(steps(reader + " r(l,[1 2])", "SER", both), confirmed);
  EXPECT_EQ(steps(reader + "? r(l,[1 2])", "SER", both), more);
  EXPECT_EQ(steps(reader + "? r(l,[1 2])", "SER", both + "lemma : 1 2\n"),
            "step 3: the hints lead to no contradiction");
  // T4 and T7 do not agree on the order of T1 and T2.
  EXPECT_EQ(step("list 4.1 1 2\nlist 7.1 2 1"), confirmed);
}

TEST(Refutation, ListsThatNoTransactionsMake) {
  const auto read = [](const std::string& litmus) { return steps(litmus, "SER", "read 1.1\n"); };
  EXPECT_EQ(read("a: T1 r(l,[1 1]) | b: T2 a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[1]) a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[1]) | b: T2! a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[2 1]) | b: T2 a(l,1) a(l,2)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,5) | b: T2 a(l,5)"), confirmed);
  EXPECT_EQ(read("initial 5\na: T1 r(l,5) | b: T2 a(l,5)"), more);
  EXPECT_EQ(read("initial [7]\na: T1 r(l,[1]) | b: T2 a(l,1)"), confirmed);
  EXPECT_EQ(read("initial none\na: T1 r(l,[])"), confirmed);
  EXPECT_EQ(read("initial none\na: T1 r(l,[1]) | b: T2 a(l,1)"), more);
  EXPECT_EQ(steps("initial none\na: T1 a(l,1) r(l,[1])", "SER", "read 1.2\nfrom 1.2 0\n"), more);
  EXPECT_EQ(read("a: T1 r(l,[2]) | b: T2 a(l,1) a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[1]) | b: T2 a(l,1) a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[1 1 1]) | b: T2 a(l,1) | c: T3 a(l,1)"), confirmed);
  EXPECT_EQ(read("a: T1 r(l,[1 1]) a(l,1) | b: T2 a(l,1)"), confirmed);
  EXPECT_EQ(read("initial [1]\na: T1 r(l,[2]) | b: T2 a(l,1)"), confirmed);
  EXPECT_EQ(read("initial [1 1]\na: T1 r(l,[2]) | b: T2 a(l,3)"), confirmed);
  EXPECT_EQ(read("initial [1]\na: T1 r(l,[1]) | b: T2 a(l,1)"), more);
  EXPECT_EQ(read("a: T1 r(l,[1]) | b: T2 a(l,1) | c: T3 a(l,1)"), more);
  EXPECT_EQ(read("a: T1 r(l,[1]) | b: T2 a(l,1) | c: T3! a(l,1)"), more);
  EXPECT_EQ(read("a: T1 r(l,[1]) | b: T2 a(l,1) | c: T3 w(l,1)"),
            "step 1: the key is both appended to and written: not supported");
}

/// [1 1 1] is T1's block and then T2's, or the other way round.
TEST(Refutation, ListsWithRepeatedElements) {
  const std::string litmus =
      "a: T1 a(l,1) a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1 1]) | d: T4? a(l,1) a(l,2) | "
      "e: T5 r(x,1) | f: T6 a(l,1) r(l,[1 1 1])";
  const auto step = [&](const std::string& text) { return steps(litmus, "SER", text + "\n"); };
  EXPECT_EQ(step("left 3.1 1"), more);
  EXPECT_EQ(step("rest 3.1@3 1"), more);
  EXPECT_EQ(step("rest 3.1@1 2"), more);
  EXPECT_EQ(step("next 3.1@3 1 2"), more);
  EXPECT_EQ(step("next 3.1@3 2 1"), more);
  EXPECT_EQ(step("next 3.1@1 2 0"), more);
  EXPECT_EQ(step("apart 3.1@3 1 2 4"), more);
  EXPECT_EQ(step("apart 3.1@3 1 2 6"), more);
  EXPECT_EQ(step("rest 6.2@2 2"), more);
  const std::string no = "step 1: the transaction cannot have left this";
  EXPECT_EQ(step("left 3.1 4"), no);
  EXPECT_EQ(step("left 3.1 0"), no);
  EXPECT_EQ(step("left 6.2 6"), no);
  EXPECT_EQ(step("rest 3.1@1 1"), no);
  EXPECT_EQ(step("rest 3.1@3 4"), no);
  EXPECT_EQ(step("rest 3.1@0 1"), no);
  EXPECT_EQ(step("next 3.1@3 4 1"), no);
  const std::string other = "step 1: the other transaction cannot have left what is before";
  EXPECT_EQ(step("next 3.1@3 1 1"), other);
  EXPECT_EQ(step("next 3.1@3 1 0"), other);
  EXPECT_EQ(step("next 3.1@3 2 4"), other);
  EXPECT_EQ(step("apart 3.1@3 1 0 2"), other);
  EXPECT_EQ(step("apart 3.1@3 1 2 1"), "step 1: expected another writer than the two");
  EXPECT_EQ(step("apart 3.1@3 1 2 2"), "step 1: expected another writer than the two");
  EXPECT_EQ(step("apart 3.1@3 1 2 0"), "step 1: there is no such transaction");
  EXPECT_EQ(step("apart 3.1@3 1 2 3"), "step 1: transaction 3 does not write the key");
  EXPECT_EQ(step("left 3.1@3 1"), "step 1: not of such a read");
  EXPECT_EQ(step("rest 3.1 1"), "step 1: not of such a read");
  EXPECT_EQ(step("rest 3.1@4 1"), "step 1: the list is shorter");
  EXPECT_EQ(step("rest 6.2@3 1"), "step 1: the list is shorter");  // one is its own
  EXPECT_EQ(step("rest 5.1@0 1"), "step 1: the operation read no list from others");
  EXPECT_EQ(step("rest 3.1@0 0"), "step 1: nothing is before the initial state");
  EXPECT_EQ(step("read 3.1@3"), "step 1: the step is about whole reads");
  EXPECT_EQ(step("from 3.1@3 1"), "step 1: the step is about whole reads");
  EXPECT_EQ(step("between 3.1@3 1 2"), "step 1: the step is about whole reads");
  EXPECT_EQ(step("list 3.1 1 2"), "step 1: the transaction is not in a list that was read");
  EXPECT_EQ(step("member 3.1 1"), "step 1: the transaction is not in a list that was read");
}

/// A transaction that left a list did so for all transactions that read on from there.
TEST(Refutation, ReadsThatShareAList) {
  const std::string litmus =
      "a: T1 a(l,1) ; T2 a(l,1) | b: T3 r(l,[1 1]) | c: T4 r(l,[1 1 2]) | d: T5 a(l,2)";
  const auto said = [&](const std::string& text) { return steps(litmus, "SER", text); };
  EXPECT_EQ(said("lemma 3.1@1=1 !4.1@1=1 :\n"), more);
  EXPECT_EQ(said("lemma 3.1@2=2 !4.1@2=2 :\n"), more);
  EXPECT_EQ(said("lemma 3.1@1=1 !4.1@2=1 :\n"), "step 1: the hints lead to no contradiction");
  EXPECT_EQ(said("lemma 3.1@2=2 !3.1=2 :\n"), "step 1: the hints lead to no contradiction");
}

TEST(Refutation, ReadsThatContradictTheirTransaction) {
  const auto inside = [](const std::string& litmus, const std::string& read) {
    return steps(litmus, "SER", "inside " + read + "\n");
  };
  const std::string no = "step 1: the read does not contradict its transaction";
  EXPECT_EQ(inside("a: T1 w(x,1) r(x,2)", "1.2"), confirmed);
  EXPECT_EQ(inside("a: T1 w(x,1) r(x,1)", "1.2"), no);
  EXPECT_EQ(inside("a: T1 w(x,1) w(x,2) r(x,1)", "1.3"), confirmed);
  EXPECT_EQ(inside("a: T1 r(x,2) w(x,1)", "1.1"), no);
  EXPECT_EQ(inside("a: T1? w(x,1) r(x,2)", "1.2"), more);
  EXPECT_EQ(inside("a: T1 d(x) r(x,[])", "1.2"), no);
  EXPECT_EQ(inside("a: T1 a(l,1) r(l,[1 2])", "1.2"), confirmed);
  EXPECT_EQ(inside("a: T1 a(l,1) a(l,2) r(l,[2])", "1.3"), confirmed);
  EXPECT_EQ(inside("a: T1 a(l,1) a(l,2) r(l,[7 1 2])", "1.3"), no);
  EXPECT_EQ(inside("a: T1 r(x,1) r(x,2)", "1.2"), confirmed);
  EXPECT_EQ(inside("a: T1 r(x,1) r(x,2)", "1.1"), no);
  EXPECT_EQ(inside("a: T1 r(x,nil) r(x,?) r(x,[])", "1.3"), no);
  EXPECT_EQ(inside("a: T1 r(x,1) w(x,2) r(x,2)", "1.3"), no);
  EXPECT_EQ(inside("a: T1 r(l,[1]) a(l,2) r(l,[3 2])", "1.3"), confirmed);
  EXPECT_EQ(inside("a: T1 r(l,[1]) a(l,2) r(l,[1 2])", "1.3"), no);
  EXPECT_EQ(steps("a: T1 a(l,1) r(l,[2])", "SER", "read 1.2\n"),
            "step 1: the read says nothing about other transactions");
  EXPECT_EQ(steps("a: T1 a(l,1) r(l,[2])", "SER", "list 1.2 1 1\n"),
            "step 1: the read says nothing about other transactions");
}

TEST(Refutation, PathsAndLemmas) {
  // A write skew: each begins before the other's commit.
  const std::string history = "a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1) | c: T3? | d: T4!";
  const auto proof = [&](const std::string& lines, const std::string& level = "SER") {
    return steps(history, level, lines);
  };
  const std::string start = "read 1.1\nread 2.1\norder c0 c1\norder c0 c2\nbetween 1.1 0 2\n";
  EXPECT_EQ(proof(start + "between 2.1 0 1\n"), confirmed);
  EXPECT_EQ(proof(start + "between 2.1 0 1\n", "SI"), more);
  // Hints count, and their order.
  EXPECT_EQ(proof("path c1 c2 c3\npath c3 c1 c2\nlemma c2<c1 c3<c2 c1<c3 : 1\n"), more);
  EXPECT_EQ(proof("path c1 c2 c3\nlemma c2<c1 c3<c2 : 1\n"),
            "step 2: the hints lead to no contradiction");
  EXPECT_EQ(proof("path c1 c2 c3\nlemma c1<c3 : 1\n"),
            "step 2: the hint 1 leaves more than one literal open");
  EXPECT_EQ(proof("lemma c1<c3 : 1\n"), "step 1: the hint 1 is no earlier step");
  EXPECT_EQ(proof("lemma c1<c3 : 0\n"), "step 1: the hint 0 is no earlier step");
  EXPECT_EQ(proof("lemma c1<c3 :\n"), "step 1: the hints lead to no contradiction");
  EXPECT_EQ(proof("order c0 c1\nlemma : 1\n"), "step 2: the hints lead to no contradiction");
  EXPECT_EQ(proof("order c0 c1\norder c0 c2\npath c0 c1 c2\nlemma c0<c2 : 3\n"), more);
  // Paths are true by themselves, so they lead to nothing.
  EXPECT_EQ(proof("path c1 c2 c1\npath c1 c2\npath c1 c2 c3 c1\npath c1 c2 c1 c2\n"), more);
  EXPECT_EQ(proof("path c1 c1\n"), "step 1: an event does not come before itself");
  EXPECT_EQ(proof("path b1 c1\n"), "step 1: an event does not come before itself");
  EXPECT_EQ(proof("path b1 c1\n", "SI"), more);
  EXPECT_EQ(proof("path c1 c4\n"), "step 1: transaction 4 aborted");
  EXPECT_EQ(proof("path c1 c9\n"), "step 1: there is no such transaction");
  // Tautologies and literals that are there twice.
  EXPECT_EQ(proof("lemma c1<c2 c2<c1 :\nlemma +3 !+3 :\n"), more);
  EXPECT_EQ(proof("order c0 c1\nlemma c0<c1 c0<c1 c2<c1 :\n"), more);
  EXPECT_EQ(proof("path c1 c2 c3 c1 c2 c3\nlemma c1<c3 c2<c1 c2<c1 c3<c2 : 1\n"), more);
  EXPECT_EQ(proof("lemma c1<c1 :\n"), "step 1: an event does not come before itself");
  EXPECT_EQ(proof("lemma +1 :\n"), "step 1: transaction 1 is not indeterminate");
  EXPECT_EQ(proof("lemma 9.1=1 :\n"), "step 1: there is no such transaction");
  EXPECT_EQ(proof("lemma 1.1=9 :\n"), "step 1: there is no such transaction");
}

/// What a lemma assumes is forgotten after it.
TEST(Refutation, AssumptionsOfLemmasAreForgotten) {
  const std::string history = "a: T1 r(x,1) | b: T2 w(x,1) | c: T3 w(x,1)";
  const std::string start = "read 1.1\nfrom 1.1 2\nfrom 1.1 3\n";
  EXPECT_EQ(steps(history, "SER", start + "lemma c2<c1 c3<c1 : 2 3 1\n"), more);
  EXPECT_EQ(steps(history, "SER", start + "lemma c2<c1 c3<c1 : 2 3 1\nlemma : 4\n"),
            "step 5: the hint 4 leaves more than one literal open");
  EXPECT_EQ(steps(history, "SER", start + "lemma c2<c1 c3<c1 : 3 1\n"),
            "step 4: the hints lead to no contradiction");
}

TEST(Refutation, TamperedProofsAreRefused) {
  // A long fork, refuted at snapshot isolation in two cases.
  const std::string litmus =
      "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(x,nil) r(y,1)";
  const std::vector<std::string> lines = {
      "order c0 c1",     "order c0 c2",     "read 3.1",           "read 3.2",
      "read 4.1",        "read 4.2",        "from 3.1 1",         "from 4.2 2",
      "between 3.2 0 2", "between 4.1 0 1", "path c1 b3 c2 b4 c1"};
  const auto proof = [&](const std::vector<std::string>& some) {
    std::string text;
    for (const std::string& line : some) text += line + "\n";
    return steps(litmus, "snapshot-isolation", text);
  };
  EXPECT_EQ(proof(lines), confirmed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> without = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(proof(without), confirmed) << lines[i];
  }
  std::vector<std::string> backwards = lines;
  std::ranges::reverse(backwards);
  EXPECT_EQ(proof(backwards), more);
  // The same steps about a history that is all right.
  const History history = history_of(litmus);
  const History other =
      history_of("a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(x,1) r(y,1)");
  std::string text = "violated\nsteps 11\n";
  for (const std::string& line : lines) text += line + "\n";
  EXPECT_EQ(test::answer(other, test::certificate_of(history, "SI", text)),
            "the certificate is about another history");
  EXPECT_NE(test::answer(other, test::certificate_of(other, "SI", text)), confirmed);
}

}  // namespace
}  // namespace isoscope
