// Refutations of histories with predicates, step by step.

#include "verifier/predicates.h"

namespace isoscope {
namespace {

using namespace test;

TEST(PredicateSteps, Phantom) {
  // y is key 1, x key 2. T1 saw T2 at y, and not at x.
  const std::string history = "a: T1 rp(@value > 5, {}) r(y,1) | b: T2 w(x,7) w(y,1)";
  const std::string proof = "read 1.2\nfrom 1.2 2\nread 1.1.2\norder c0 c2\nbetween 1.1.2 0 2\n";
  for (const std::string level : {"serializable", "snapshot-isolation", "PL-SI",
                                  "strict-serializable", "strong-snapshot-isolation"}) {
    EXPECT_EQ(steps(history, level, proof), confirmed) << level;
  }
  // Another predicate, with which nothing is wrong.
  const std::string other = "a: T1 rp(@value > 7, {}) r(y,1) | b: T2 w(x,7) w(y,1)";
  EXPECT_EQ(steps(other, "SER", proof), more);
  // About y nothing follows: that T2's 1 is not selected is no wonder.
  EXPECT_EQ(
      steps(history, "SER", "read 1.2\nfrom 1.2 2\nread 1.1.1\norder c0 c2\nbetween 1.1.1 0 2\n"),
      more);
}

TEST(PredicateSteps, WriteSkewOfPredicates) {
  const std::string history = "a: T1 rp(@value = 1, {}) w(x,1) | b: T2 rp(@value = 1, {}) w(y,1)";
  const std::string proof =
      "read 1.1.2\nread 2.1.1\norder c0 c1\norder c0 c2\nbetween 1.1.2 0 2\nbetween 2.1.1 0 1\n";
  EXPECT_EQ(steps(history, "SER", proof), confirmed);
  EXPECT_EQ(steps(history, "SI", proof), more);
  EXPECT_EQ(order(history, "SI", "b1 b2 c1 c2"), confirmed);
  EXPECT_EQ(order(history, "SER", "c1 c2"),
            "transaction 2, operation 1: by this order the predicate selects a row more");
}

TEST(PredicateSteps, PredicateWritesAreWrites) {
  // A lost update: both changed the row that was 1 initially.
  const std::string history =
      "initial nil x=1\na: T1 wp(@value = 1, {x:2}) | b: T2 wp(@value = 1, {x:3})";
  const std::string start =
      "read 1.1.1\nread 2.1.1\norder c0 c1\norder c0 c2\nbetween 1.1.1 0 2\nbetween 2.1.1 0 1\n";
  EXPECT_EQ(steps(history, "SER", start), confirmed);
  EXPECT_EQ(steps(history, "SI", start), more);
  EXPECT_EQ(steps(history, "SI", start + "conflict 1 2\n"), confirmed);
  // What was written is read by item reads, deleted rows too.
  const std::string deleted = "initial 1\na: T1 wp(@value = 1, {x:nil}) | b: T2 r(x,nil)";
  EXPECT_EQ(step(deleted, "from 2.1 1"), more);
  EXPECT_EQ(step(deleted, "from 2.1 0"), no_candidate);
}

TEST(PredicateSteps, CandidatesOfRowsThatWereNotReturned) {
  const std::string history =
      "initial nil x=5\na: T1 w(x,1) w(x,6) | b: T2? w(x,2) | c: T3! w(x,3) | d: T4 d(x) | "
      "e: T5 rp(@value >= 5, {}) w(x,1) | f: T6 wp(@value < 0, {})";
  EXPECT_EQ(step(history, "read 5.1.1"), more);
  for (const std::string writer : {"2", "4"}) {
    EXPECT_EQ(step(history, "from 5.1.1 " + writer), more) << writer;
  }
  for (const std::string writer : {"0", "1", "3", "5", "6", "7"}) {
    EXPECT_EQ(step(history, "from 5.1.1 " + writer), no_candidate) << writer;
  }
  for (const std::string writer : {"0", "1", "2", "4", "5"}) {
    EXPECT_EQ(step(history, "from 6.1.1 " + writer), more) << writer;
  }
  EXPECT_EQ(step(history, "took 5.1.1 2"), more);
  EXPECT_EQ(step(history, "took 5.1.1 4"), "step 1: transaction 4 is not indeterminate");
  EXPECT_EQ(step(history, "between 5.1.1 2 1"), more);
  EXPECT_EQ(step(history, "between 5.1.1 2 6"), "step 1: transaction 6 does not write the key");
  EXPECT_EQ(step(history, "list 5.1.1 2 1"),
            "step 1: the transaction is not in a list that was read");
  // Nothing explains it: a missed row.
  EXPECT_EQ(step("initial nil x=1\na: T1 rp(true, {})", "read 1.1.1"), confirmed);
  EXPECT_EQ(step("initial nil x=1\na: T1? rp(true, {})", "read 1.1.1"), more);
  EXPECT_EQ(step("initial none\na: T1 rp(true, {}) | b: T2 w(x,1)", "from 1.1.1 0"), more);
}

TEST(PredicateSteps, CandidatesOfRowsThatWereReturnedOrChanged) {
  const std::string history =
      "initial 5\na: T1 w(x,5) | b: T2 w(x,6) | c: T3 w(x,4) | d: T4 rp(@value >= 5, {x:5}) | "
      "e: T5 wp(@value >= 5, {x:9})";
  for (const std::string writer : {"0", "1"}) {
    EXPECT_EQ(step(history, "from 4.1.1 " + writer), more) << writer;
  }
  for (const std::string writer : {"2", "3", "4", "5"}) {
    EXPECT_EQ(step(history, "from 4.1.1 " + writer), no_candidate) << writer;
  }
  for (const std::string writer : {"0", "1", "2"}) {
    EXPECT_EQ(step(history, "from 5.1.1 " + writer), more) << writer;
  }
  for (const std::string writer : {"3", "4", "5"}) {
    EXPECT_EQ(step(history, "from 5.1.1 " + writer), no_candidate) << writer;
  }
  EXPECT_EQ(step("a: T1 wp(true, {x:1})", "read 1.1.1"), confirmed);
  EXPECT_EQ(step("a: T1 rp(true, {x:1})", "read 1.1.1"), confirmed);
}

TEST(PredicateSteps, NumbersOfReads) {
  const std::string history =
      "initial nil t.b=1 t.a=1\na: T1 rp(t: true, {c:1}) r(x,nil) w(x,1) rp(true, ?) ; "
      "T2! rp(t: true, {})";
  // t.c, x, t.a, t.b.
  EXPECT_EQ(step(history, "read 1.1.1"), confirmed);
  EXPECT_EQ(step(history, "read 1.1.2"), nothing_known);  // of another table
  EXPECT_EQ(step(history, "read 1.1.3"), confirmed);
  EXPECT_EQ(step(history, "read 1.1.4"), confirmed);
  EXPECT_EQ(step(history, "read 1.1.5"), "step 1: there is no such key");
  EXPECT_EQ(step(history, "read 1.1"), "step 1: the operation is no read of a key");
  EXPECT_EQ(step(history, "read 1.2.2"), "step 1: the operation has no predicate");
  EXPECT_EQ(step(history, "read 1.3.2"), "step 1: the operation has no predicate");
  EXPECT_EQ(step(history, "read 1.4.2"), nothing_known);
  EXPECT_EQ(step(history, "inside 1.4.2"), nothing_known);
  EXPECT_EQ(step(history, "read 2.1.1"), "step 1: the reader aborted");
}

TEST(PredicateSteps, StatementsAboutDifferentKeysDiffer) {
  const std::string history = "initial nil x=1 y=1\na: T1 rp(@value = 1, {x:1 y:1}) | b: T2 w(x,1)";
  EXPECT_EQ(steps(history, "SER", "read 1.1.2\nlemma 1.1.2=0 : 1\n"), more);
  EXPECT_EQ(steps(history, "SER", "read 1.1.2\nlemma 1.1.1=0 : 1\n"),
            "step 2: the hints lead to no contradiction");
  EXPECT_EQ(steps(history, "SER", "read 1.1.2\nlemma 1.1=0 : 1\n"),
            "step 2: the hints lead to no contradiction");
}

TEST(PredicateSteps, ContradictionsWithOwnRows) {
  const auto inside = [](const std::string& litmus, const std::string& read) {
    return step(litmus, "inside " + read);
  };
  EXPECT_EQ(inside("a: T1 w(x,5) rp(@value = 5, {})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 w(x,5) rp(@value = 6, {})", "1.2.1"), consistent);
  EXPECT_EQ(inside("a: T1 w(x,5) w(x,6) rp(@value = 5, {})", "1.3.1"), consistent);
  EXPECT_EQ(inside("a: T1 w(x,5) d(x) rp(true, {})", "1.3.1"), consistent);
  EXPECT_EQ(inside("a: T1? w(x,5) rp(@value = 5, {})", "1.2.1"), more);
  EXPECT_EQ(inside("a: T1 w(x,5) rp(true, {x:6})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 w(x,5) rp(true, {x:5})", "1.2.1"), consistent);
  EXPECT_EQ(inside("a: T1 w(x,5) wp(@value = 6, {x:7})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 w(x,5) wp(@value = 5, {x:7})", "1.2.1"), consistent);
  EXPECT_EQ(inside("a: T1 w(x,5) wp(@value = 5, {})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 w(t.x,5) rp(true, {})", "1.2.1"), nothing_known);
  EXPECT_EQ(step("a: T1 w(x,5) rp(@value = 6, {})", "read 1.2.1"), silent);
  EXPECT_EQ(step("a: T1 w(x,5) wp(true, {x:6})", "from 1.2.1 0"), silent);
  // Own predicate writes count as well.
  const std::string changed = "initial 1\na: T1 wp(@value = 1, {x:2}) ";
  EXPECT_EQ(inside(changed + "r(x,1)", "1.2"), confirmed);
  EXPECT_EQ(inside(changed + "r(x,2)", "1.2"), consistent);
  EXPECT_EQ(step(changed + "r(x,2)", "read 1.2"), silent);
  EXPECT_EQ(inside(changed + "rp(@value = 2, {})", "1.2.1"), confirmed);
  EXPECT_EQ(inside(changed + "rp(@value = 1, {})", "1.2.1"), consistent);
  EXPECT_EQ(inside(changed + "wp(@value = 1, {x:3})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("initial 1\na: T1 wp(true, {x:nil}) rp(true, {})", "1.2.1"), consistent);
  // The same for lists.
  EXPECT_EQ(inside("a: T1 a(l,1) rp(true, {})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 a(l,1) rp(@value = 1, {})", "1.2.1"), consistent);
}

TEST(PredicateSteps, ContradictionsOfReturnedRows) {
  const auto inside = [](const std::string& litmus, const std::string& read) {
    return step(litmus, "inside " + read);
  };
  EXPECT_EQ(inside("a: T1 rp(@value = 5, {x:6})", "1.1.1"), confirmed);
  EXPECT_EQ(inside("a: T1 rp(@value = 5, {x:5})", "1.1.1"), consistent);
  EXPECT_EQ(inside("a: T1 rp(v = 5, {x:{v:nil}})", "1.1.1"), confirmed);
  const auto nothing = [](HistoryBuilder&) {};
  for (const ValueId empty : {ValuePool::nil, ValuePool::empty_list}) {
    const History no_row = two(nothing, [&](HistoryBuilder& b) {
      add_predicate(b, OperationKind::predicate_read, {}, {{b.key("x"), empty}});
    });
    EXPECT_EQ(steps(no_row, "SER", "inside 2.1.1\n"), confirmed);
    EXPECT_EQ(order(no_row, "SER", "c1 c2"), "transaction 2, operation 1: " + not_selected);
  }
  // Two reads of one key, in both directions.
  EXPECT_EQ(inside("a: T1 r(x,1) rp(true, {x:2})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 r(x,2) rp(true, {x:2})", "1.2.1"), consistent);
  EXPECT_EQ(inside("a: T1 rp(true, {x:2}) r(x,1)", "1.2"), confirmed);
  EXPECT_EQ(inside("a: T1 rp(true, {x:2}) r(x,2)", "1.2"), consistent);
  EXPECT_EQ(inside("a: T1 rp(true, {x:2}) rp(true, {x:3})", "1.2.1"), confirmed);
  EXPECT_EQ(inside("a: T1 rp(true, {x:2}) rp(true, {x:3})", "1.1.1"), consistent);
  EXPECT_EQ(inside("a: T1 rp(true, {x:2 x:3})", "1.1.1"), confirmed);
  // One that left the key out is refuted by other steps.
  const std::string left_out = "initial 2\na: T1 r(x,2) rp(@value = 2, {}) | b: T2 w(x,3)";
  EXPECT_EQ(inside(left_out, "1.2.1"), consistent);
  EXPECT_EQ(
      steps(left_out, "SI", "read 1.1\nread 1.2.1\norder c0 c2\nfrom 1.2.1 2\nbetween 1.1 0 2\n"),
      confirmed);
}

TEST(PredicateSteps, Lists) {
  const std::string history =
      "initial nil l=[0] m=[]\na: T1 a(l,1) a(l,2) | b: T2 a(m,1) | c: T3 rp(true, {}) | "
      "d: T4 rp(@value = 1, {}) | e: T5 rp(@key = \"l\", {})";
  // l, m. Every list that is not empty is a row, and @value is NULL.
  EXPECT_EQ(step(history, "read 3.1.1"), confirmed);
  EXPECT_EQ(step(history, "read 3.1.2"), more);
  EXPECT_EQ(step(history, "from 3.1.2 0"), more);
  EXPECT_EQ(step(history, "from 3.1.2 2"), no_candidate);
  EXPECT_EQ(step(history, "from 4.1.1 0"), more);
  EXPECT_EQ(step(history, "from 4.1.1 1"), more);
  EXPECT_EQ(step(history, "read 5.1.1"), confirmed);
  EXPECT_EQ(step(history, "from 5.1.2 2"), more);
}

TEST(PredicateSteps, WhatIsNotKnownFitsEverything) {
  const auto unknown_write = [](HistoryBuilder& b) { b.write(b.key("x"), ValuePool::unreported); };
  const auto finds = [](HistoryBuilder& b) {
    add_predicate(b, OperationKind::predicate_read, is_one, {{b.key("x"), b.values().integer(1)}});
  };
  const auto misses = [](HistoryBuilder& b) {
    add_predicate(b, OperationKind::predicate_read, is_one, {});
  };
  const auto changes = [](HistoryBuilder& b) {
    add_predicate(b, OperationKind::predicate_write, is_one, {{b.key("x"), ValuePool::unreported}});
  };
  const auto returns_unknown = [](HistoryBuilder& b) {
    add_predicate(b, OperationKind::predicate_read, is_one, {{b.key("x"), ValuePool::unreported}});
  };
  const std::string not_known = "transaction 2, operation 1: what the key holds is not known";
  EXPECT_EQ(steps(two(unknown_write, finds), "SER", "from 2.1.1 1\n"), more);
  EXPECT_EQ(steps(two(unknown_write, misses), "SER", "from 2.1.1 1\n"), more);
  EXPECT_EQ(steps(two(unknown_write, changes), "SER", "from 2.1.1 1\n"), more);
  EXPECT_EQ(order(two(unknown_write, finds), "SER", "c1 c2"), not_known);
  EXPECT_EQ(order(two(unknown_write, misses), "SER", "c1 c2"), not_known);
  EXPECT_EQ(order(two(unknown_write, changes), "SER", "c1 c2"), not_known);
  // A row of which only the key is known says nothing.
  EXPECT_EQ(steps(two(unknown_write, returns_unknown), "SER", "read 2.1.1\n"), nothing_known);
  EXPECT_EQ(order(two(unknown_write, returns_unknown), "SER", "c1 c2"), confirmed);
  EXPECT_EQ(order(two([](HistoryBuilder&) {}, returns_unknown), "SER", "c1 c2"), confirmed);
  // Own writes.
  const auto nothing = [](HistoryBuilder&) {};
  for (const bool found : {false, true}) {
    const History own = two(nothing, [&](HistoryBuilder& b) {
      unknown_write(b);
      found ? finds(b) : misses(b);
    });
    EXPECT_EQ(steps(own, "SER", "inside 2.2.1\n"), consistent);
    EXPECT_EQ(order(own, "SER", "c1 c2"),
              "transaction 2, operation 2: what the key holds is not known");
  }
  // It is overwritten: then it is known what is there.
  const History overwritten = two(unknown_write, [&](HistoryBuilder& b) {
    b.write(b.key("x"), b.values().integer(1));
    finds(b);
  });
  EXPECT_EQ(order(overwritten, "SER", "c1 c2"), confirmed);
}

}  // namespace
}  // namespace isoscope
