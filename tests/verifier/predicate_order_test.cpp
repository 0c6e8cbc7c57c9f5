// Orders of events of histories with predicates.

#include "verifier/predicates.h"

namespace isoscope {
namespace {

using namespace test;

TEST(PredicateOrder, InsertsDeletesAndMoves) {
  const std::string history =
      "initial none t.1={v:1} t.2={v:2}\n"
      "a: T1 i(t.3,{v:3}) | b: T2 d(t.1) | c: T3 w(t.2,{v:9}) | d: T4 rp(t: v between 1 and 3, ";
  const auto sees = [&](const std::string& rows) { return history + rows + ")"; };
  const std::string all = sees("{1:{v:1} 2:{v:2}}");
  EXPECT_EQ(order(all, "SER", "c4 c1 c2 c3"), confirmed);
  EXPECT_EQ(order(all, "SER", "c1 c4 c2 c3"), "transaction 4, operation 1: " + selects_more);
  EXPECT_EQ(order(all, "SER", "c2 c4 c1 c3"), "transaction 4, operation 1: " + wrong_read);
  EXPECT_EQ(order(all, "SI", "b4 b1 c1 b2 c2 b3 c3 c4"), confirmed);
  EXPECT_EQ(order(sees("{1:{v:1} 2:{v:2} 3:{v:3}}"), "SER", "c1 c4 c2 c3"), confirmed);
  EXPECT_EQ(order(sees("{3:{v:3}}"), "SER", "c1 c2 c3 c4"), confirmed);
  EXPECT_EQ(order(sees("{3:{v:3}}"), "SER", "c1 c3 c4 c2"),
            "transaction 4, operation 1: " + selects_more);
  EXPECT_EQ(order(sees("{}"), "SER", "c2 c3 c4 c1"), confirmed);
  EXPECT_EQ(order(sees("{2:{v:9}}"), "SER", "c2 c3 c4 c1"),
            "transaction 4, operation 1: " + not_selected);
}

TEST(PredicateOrder, PredicateWrites) {
  const std::string history =
      "initial none 1=1 2=2 3=3\n"
      "a: T1 wp(@value >= 2, {2:20 3:nil}) r(3,nil) r(2,20) rp(true, {1:1 2:20}) | "
      "b: T2 wp(@key = 1, {1:5}) | c: T3 rp(@value < 10, ";
  EXPECT_EQ(order(history + "{1:1})", "SER", "c1 c3 c2"), confirmed);
  EXPECT_EQ(order(history + "{1:5})", "SI", "b1 b2 c1 c2 b3 c3"), confirmed);
  EXPECT_EQ(order(history + "{1:5})", "SER", "c2 c1 c3"),
            "transaction 1, operation 1: " + selects_more);
  EXPECT_EQ(order(history + "{1:5 2:2 3:3})", "SER", "c1 c2 c3"),
            "transaction 3, operation 1: " + wrong_read);
  EXPECT_EQ(order("initial 1\na: T1 w(x,1) wp(@value = 1, {x:2 x:3}) r(x,3)", "SER", "c1"),
            confirmed);
  EXPECT_EQ(order("a: T1 wp(true, {x:2})", "SER", "c1"),
            "transaction 1, operation 1: " + not_selected);
  const std::string both = "initial nil x=1\na: T1 wp(@value = 1, {x:2}) | b: T2 wp(true, {x:3})";
  EXPECT_EQ(order(both, "SI", "b1 c1 b2 c2"), confirmed);
  EXPECT_EQ(order(both, "SI", "b1 b2 c1 c2"),
            "transaction 2 writes a key that another one wrote since it began");
}

TEST(PredicateOrder, OwnRows) {
  const auto alone = [](const std::string& operations) {
    return order("initial nil y=1\na: T1 " + operations, "SER", "c1");
  };
  EXPECT_EQ(alone("w(x,5) rp(true, {x:5 y:1})"), confirmed);
  EXPECT_EQ(alone("w(x,5) rp(true, {y:1})"), "transaction 1, operation 2: " + selects_more);
  EXPECT_EQ(alone("w(x,5) rp(true, {x:6 y:1})"), "transaction 1, operation 2: " + wrong_read);
  EXPECT_EQ(alone("w(y,5) rp(@value = 1, {})"), confirmed);
  EXPECT_EQ(alone("d(y) rp(true, {})"), confirmed);
  EXPECT_EQ(alone("w(t.x,5) rp(true, {y:1})"), confirmed);
  EXPECT_EQ(alone("w(x,5) wp(@value = 5, {x:1}) wp(@value = 1, {x:2 y:2}) rp(@value = 1, {})"),
            confirmed);
}

TEST(PredicateOrder, RangesOfAllKinds) {
  const std::string state =
      "initial none t.1={n:1 s:a} t.2={n:5 s:\"ab\"} t.3={n:9 s:b} t.4={n:nil s:nil} t.5={n:x}\na: "
      "T1 rp(t: ";
  const auto selects = [&](const std::string& predicate, const std::string& keys) {
    static const std::vector<std::string> rows = {"{n:1 s:a}", "{n:5 s:\"ab\"}", "{n:9 s:b}",
                                                  "{n:nil s:nil}", "{n:x}"};
    std::string listed;
    for (const char key : keys) {
      listed += std::string(1, key) + ":" + rows[static_cast<std::size_t>(key - '1')] + " ";
    }
    const std::string litmus = state + predicate + ", {" + listed + "})";
    EXPECT_EQ(order(litmus, "SER", "c1"), confirmed) << litmus;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string key = std::to_string(i + 1);
      if (keys.find(key) != keys.npos) continue;
      const std::string too_many = state + predicate + ", {" + listed + key + ":" + rows[i] + "})";
      EXPECT_NE(order(too_many, "SER", "c1"), confirmed) << too_many;
    }
    if (keys.empty()) return;
    const std::string first =
        keys.substr(0, 1) + ":" + rows[static_cast<std::size_t>(keys[0] - '1')];
    const std::string too_few = state + predicate + ", {" + listed.substr(first.size()) + "})";
    EXPECT_NE(order(too_few, "SER", "c1"), confirmed) << too_few;
  };
  selects("n = 5", "2");
  selects("n < 5", "1");
  selects("n <= 5", "12");
  selects("n > 5", "3");
  selects("n >= 5", "23");
  selects("n between 2 and 9", "23");
  selects("n between 9 and 2", "");
  selects("n > 1 and n < 9", "2");
  selects("n > 0 and n >= 5 and s = \"ab\"", "2");
  selects("n >= \"a\"", "5");
  selects("n < \"y\"", "5");
  selects("s < \"b\"", "12");
  selects("s like \"a%\"", "12");
  selects("s >= 1", "");
  selects("n >= 1 and n <= \"z\"", "");
  selects("n = nil", "");
  selects("n is null", "4");
  selects("s is null", "45");
  selects("n <> 5", "13");
  selects("not n < 5", "23");
  selects("n < 2 or n > 8", "13");
  selects("n in (1 9 \"x\")", "135");
  selects("mod(n,4) = 1", "123");
  selects("@key >= 3 and (n > 5 or n is null)", "34");
  selects("@key between 2 and 3 and not n = 5", "3");
  selects("true", "12345");
  selects("false", "");
  selects("m = 1", "");
}

TEST(PredicateOrder, Lists) {
  const std::string history = "initial nil l=[]\na: T1 a(l,1) | b: T2 rp(true, {}) | c: T3 ";
  EXPECT_EQ(order(history, "SER", "c2 c1"), "transaction 3 is missing in the order");
  EXPECT_EQ(order(history + "r(l,[1])", "SER", "c2 c1 c3"), confirmed);
  EXPECT_EQ(order(history + "r(l,[1])", "SER", "c1 c2 c3"),
            "transaction 2, operation 1: " + selects_more);
  EXPECT_EQ(order(history + "rp(@value = 1, {})", "SER", "c2 c1 c3"), confirmed);
  const auto returned = [](HistoryBuilder& b) {
    const ValueId list = b.values().list_with(ValuePool::empty_list, b.values().integer(1));
    add_predicate(b, OperationKind::predicate_read, {}, {{b.key("l"), list}});
  };
  const auto append = [](HistoryBuilder& b) { b.append(b.key("l"), b.values().integer(1)); };
  EXPECT_EQ(order(two(append, returned), "SER", "c1 c2"), confirmed);
  EXPECT_EQ(steps(two(append, returned), "SER", "from 2.1.1 1\n"), more);
  EXPECT_EQ(steps(two(append, returned), "SER", "from 2.1.1 0\n"), no_candidate);
  const auto nothing = [](HistoryBuilder&) {};
  const auto after_own = [&](HistoryBuilder& b) {
    append(b);
    returned(b);
  };
  EXPECT_EQ(order(two(nothing, after_own), "SER", "c1 c2"), confirmed);
  EXPECT_EQ(steps(two(nothing, after_own), "SER", "from 2.2.1 0\n"), more);
}

TEST(PredicateOrder, KeysThatAreAppendedToAndWritten) {
  const std::string history = "a: T1! a(l,1) w(l,1) ; T2 rp(true, {}) w(x,1)";
  EXPECT_EQ(order(history, "SER", "c2"),
            "transaction 2, operation 1: what the key holds is not known");
  EXPECT_EQ(step(history, "read 2.1.1"),
            "step 1: the key is both appended to and written: not supported");
  EXPECT_EQ(step(history, "read 2.1.2"), more);
  EXPECT_EQ(order("a: T1! a(t.l,1) w(t.l,1) ; T2 rp(true, {}) w(x,1)", "SER", "c2"), confirmed);
}

}  // namespace
}  // namespace isoscope
