#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "history/history_text.h"
#include "history/random_history.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

Result<History> read(std::string text) {
  const Source source = Source::from_memory("in", std::move(text));
  return read_history(source, {.format = Format::litmus});
}

/// As it prints again, or the error.
std::string reprint(std::string text) {
  const Result<History> history = read(std::move(text));
  if (!history) return history.error().text();
  const Result<std::string> printed = format_history(*history, Format::litmus);
  return printed ? *printed : printed.error().text();
}

std::string error(std::string text) {
  const Result<History> history = read(std::move(text));
  return history ? "no error" : history.error().text();
}

TEST(Litmus, PrintsWhatItReads) {
  const std::vector<std::string> lines = {
      "a: T1 w(x,1) w(y,1) ; T2 r(x,1)  |  b: T3 r(y,1) r(x,nil)",
      "3: T1! w(x,1) ; T2?@10..20 r(x,1) ; T3@..5 ; T4@-5..",
      "3: T1^7 w(x,1) ; T2@10..20^-3 r(x,1)",
      "\"a b\": \"first one\" r(\"\",\"nil\") w(-7,\"7\") i(k,v) d(k)",
      "a: T1 a(l,1) r(l,[1 two \"3\" nil {a:1}]) r(l,[]) r(l,?)",
      "a: T-1 w(accounts.7,{balance:10 owner:\"a b\"}) r(\"my table\".\"a.b\",{})",
      "a: r r(r,r) ; w w(w,w)",
      "a: T1@read-committed w(x,1) ; T2?@serializable@10..20 r(x,1) ; T3!@causal",
      "a: T1 rp(true, {}) rp(accounts: v1 >= 10, {7:{v1:10} x:1}) wp(v1 = 1, ?) wp(false, {7:nil})",
  };
  for (const std::string& line : lines) EXPECT_EQ(reprint(line), line + "\n");
}

TEST(Litmus, NamesWhatHasNoName) {
  EXPECT_EQ(reprint("w(x,1) ; r(x,1) | r(x,nil)"), "1: T1 w(x,1) ; T2 r(x,1)  |  2: T3 r(x,nil)\n");
  EXPECT_EQ(reprint("! w(x,1) ; ?@3..4 | @..5 r(x,?)"),
            "1: T1! w(x,1) ; T2?@3..4  |  2: T3@..5 r(x,?)\n");
  // The numbers that names have taken are left out.
  EXPECT_EQ(reprint("r(x,1) ; T1 r(x,2) | 1: T2"), "2: T3 r(x,1) ; T1 r(x,2)  |  1: T2\n");
}

TEST(Litmus, TransactionNamesThatLookLikeLabelsAreNumbers) {
  const auto history = read("a: T12 ; T012 ; 7 ; \"T8\" ; Tx");
  ASSERT_TRUE(history);
  const auto name = [&](std::size_t t) {
    return test::value_text(*history, history->name(TransactionId(t)));
  };
  EXPECT_EQ(name(0), "12");
  EXPECT_EQ(name(1), "\"T012\"");
  EXPECT_EQ(name(2), "7");
  EXPECT_EQ(name(3), "8");
  EXPECT_EQ(name(4), "\"Tx\"");
}

TEST(Litmus, WhiteSpaceCommentsAndCommas) {
  EXPECT_EQ(reprint("\xEF\xBB\xBF# first\r\n\r\n a :T1 w ( x , 1 ) ; // more comes\r\n\n"
                    "  T2 r(l,[1,2,\n 3]) |\n\nb: T3 r(x,{a:1,b:2})\n\n#end"),
            "a: T1 w(x,1) ; T2 r(l,[1 2 3])  |  b: T3 r(x,{a:1 b:2})\n");
  EXPECT_EQ(reprint("r(x,1)\nr(x,2)\n"), "1: T1 r(x,1)  |  2: T2 r(x,2)\n");
}

TEST(Litmus, Directives) {
  const auto text = [](std::string directives) { return directives + "\na: T1 r(x,1)\n"; };
  for (const std::string directives :
       {"initial none", "initial 0", "initial \"none\"",
        "initial nil x=1 y=nil accounts.7={v:1} l=[1 2]", "initial none x=1",
        "origin \"seen in \\\"prod\\\"\"", "origin \"o\"\ninitial {v:0}"}) {
    EXPECT_EQ(reprint(text(directives)), text(directives));
  }
  EXPECT_EQ(reprint(text("initial nil")), "a: T1 r(x,1)\n");
  // Words are directives only where no session begins.
  EXPECT_EQ(reprint("initial: origin r(x,1)"), "initial: origin r(x,1)\n");
  // An empty history is not an empty file.
  EXPECT_EQ(reprint("initial nil"), "initial nil\n");
  // Without operations only a directive says that this is litmus notation.
  EXPECT_EQ(reprint("1: T1"), "initial nil\n1: T1\n");
  EXPECT_EQ(reprint("a: | b:"), "initial nil\na:  |  b:\n");
}

TEST(Litmus, InitialStateIsWhatTheModelHolds) {
  const auto history = read("initial none x=1\nr(x,1) r(y,2)");
  ASSERT_TRUE(history);
  EXPECT_EQ(history->initial_default(), std::nullopt);
  EXPECT_EQ(test::value_text(*history, *history->initial_value(KeyId(0))), "1");
  EXPECT_EQ(history->initial_value(KeyId(1)), std::nullopt);
}

std::string predicate(const std::string& text) {
  const auto history = read("rp(" + text + ", {})");
  if (!history) return history.error().what;
  std::string json;
  append_predicate_json(
      json, history->predicate(
                history->predicate_access(history->operations(TransactionId(0))[0]).predicate));
  return json;
}

TEST(Litmus, PredicatesMeanTheirTrees) {
  EXPECT_EQ(predicate("true"), "true");
  EXPECT_EQ(predicate("false"), R"(["or"])");
  EXPECT_EQ(predicate("v = 1"), R"(["=","v",1])");
  EXPECT_EQ(predicate("v <> \"a\""), R"(["<>","v","a"])");
  EXPECT_EQ(predicate("v != nil"), R"(["<>","v",null])");
  EXPECT_EQ(predicate("v<1 and v<=2 and v>3 and v>=4"),
            R"(["and",["<","v",1],["<=","v",2],[">","v",3],[">=","v",4]])");
  EXPECT_EQ(predicate("@key between 1 and 9 and @value = 2"),
            R"(["and",["between","@key",1,9],["=","@value",2]])");
  EXPECT_EQ(predicate("\"in\" in (1, \"x\" null)"), R"(["in","in",[1,"x",null]])");
  EXPECT_EQ(predicate("v in ()"), R"(["in","v",[]])");
  EXPECT_EQ(predicate("v is null"), R"(["is-null","v"])");
  EXPECT_EQ(predicate("v is not null"), R"(["not",["is-null","v"]])");
  EXPECT_EQ(predicate("v like \"ab%\""), R"(["prefix","v","ab"])");
  EXPECT_EQ(predicate(R"(v like "50\\%\\_\\\\%")"), R"(["prefix","v","50%_\\"])");
  EXPECT_EQ(predicate("v like \"%\""), R"(["prefix","v",""])");
  EXPECT_EQ(predicate("mod(v,3) = 1"), R"(["mod","v",3,1])");
  EXPECT_EQ(predicate("mod = 3"), R"(["=","mod",3])");
  EXPECT_EQ(predicate("a=1 and b=2 or c=3"),
            R"(["or",["and",["=","a",1],["=","b",2]],["=","c",3]])");
  EXPECT_EQ(predicate("a=1 or b=2 and c=3"),
            R"(["or",["=","a",1],["and",["=","b",2],["=","c",3]]])");
  EXPECT_EQ(predicate("not a=1 and b=2"), R"(["and",["not",["=","a",1]],["=","b",2]])");
  EXPECT_EQ(predicate("not not (a=1 or b=2)"), R"(["not",["not",["or",["=","a",1],["=","b",2]]]])");
  EXPECT_EQ(predicate("a=1 and (b=2 and c=3)"),
            R"(["and",["=","a",1],["and",["=","b",2],["=","c",3]]])");
  EXPECT_EQ(predicate("((a=1))"), R"(["=","a",1])");
  EXPECT_EQ(predicate("and()"), R"(["and"])");
  EXPECT_EQ(predicate("or()"), R"(["or"])");
  EXPECT_EQ(predicate("and(a=1)"), R"(["and",["=","a",1]])");
  EXPECT_EQ(predicate("or(a=1, b=2 and c=3)"),
            R"(["or",["=","a",1],["and",["=","b",2],["=","c",3]]])");
}

TEST(Litmus, PredicatesPrintSoThatTheyReadBackTheSame) {
  for (const std::string text :
       {"a = 1 and (b = 2 and c = 3)", "(a = 1 or b = 2) and c = 3", "(a = 1 and b = 2) or c = 3",
        "not (a = 1 and b = 2)", "not a is null", "and(and())", "or(false)", "not and(true)",
        "\"and\" = 1 and \"not a word\" = 2", "v like \"a\\\\%%\"", "mod(@key,7) = -1"}) {
    EXPECT_EQ(reprint("a: T1 rp(" + text + ", ?)"), "a: T1 rp(" + text + ", ?)\n");
  }
}

TEST(Litmus, LongHistoriesAreOneSessionPerLineAndLongSessionsOneTransactionPerLine) {
  // Names are enough to make lines long. The line before them is there because nothing is done.
  const auto lines_of = [](const std::string& sessions) {
    const std::string start = "initial nil\n";
    const std::string printed = reprint(sessions);
    EXPECT_TRUE(printed.starts_with(start)) << printed;
    return printed.substr(start.size());
  };
  const std::string name(60, 'x');
  EXPECT_EQ(lines_of("a: " + name + " | b: y" + name), "a: " + name + "\nb: y" + name + "\n");
  EXPECT_EQ(lines_of("a: " + name + " ; y" + name + " | b:"),
            "a: " + name + " ;\n   y" + name + "\nb:\n");
  // A hundred columns are a line, one more is not.
  const std::string fits(100 - 3, 'y');
  EXPECT_EQ(lines_of("a: " + fits), "a: " + fits + "\n");
  EXPECT_EQ(lines_of("a: " + fits + "y"), "a: " + fits + "y\n");
  const std::string pair(46, 'z');
  EXPECT_EQ(lines_of("a: " + pair + " ; y" + pair + "zz"),
            "a: " + pair + " ;\n   y" + pair + "zz\n");
  EXPECT_EQ(lines_of("a: " + pair + " ; y" + pair), "a: " + pair + " ; y" + pair + "\n");
}

TEST(Litmus, RandomHistoriesSurviveTheRoundTrip) {
  test::CompareOptions session_by_session;
  session_by_session.file_order = false;
  for (int seed = 0; seed < 3000 * test_scale(); ++seed) {
    const History history = test::random_history(static_cast<std::uint64_t>(seed));
    const auto text = format_history(history, Format::litmus);
    ASSERT_TRUE(text) << text.error().text();
    const auto again = read(*text);
    ASSERT_TRUE(again) << *text << again.error().text();
    ASSERT_EQ(test::history_text(*again, session_by_session),
              test::history_text(history, session_by_session))
        << *text;
    const auto text_again = format_history(*again, Format::litmus);
    ASSERT_TRUE(text_again);
    ASSERT_EQ(*text_again, *text);
  }
}

TEST(Litmus, WhatItHasNoWordsForIsRefused) {
  const auto refusal = [](const auto& fill) {
    HistoryBuilder builder;
    builder.begin_transaction(builder.add_session());
    fill(builder);
    const auto text = format_history(std::move(builder).finish(), Format::litmus);
    return text ? *text : text.error().text();
  };
  const std::string prefix = "cannot write this history in litmus notation: ";
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.write(b.key("x"), ValuePool::unreported); }),
            prefix + "a value is unknown and not the result of a read");
  EXPECT_EQ(refusal([](HistoryBuilder& b) { b.read(b.key("x"), ValuePool::empty_list); }),
            prefix + "a register holds a list");
  EXPECT_EQ(refusal([](HistoryBuilder& b) {
              const std::vector<RowVersion> rows = {{b.key("x"), b.values().integer(1)}};
              b.add_predicate(OperationKind::predicate_read, b.table("t"), b.predicate({}), rows);
            }),
            prefix + "a row is of another table");
  EXPECT_EQ(refusal([](HistoryBuilder& b) {
              b.begin_transaction(b.add_session(), b.values().string("T1"));
            }),
            prefix + "a name is the label of another");
}

struct Mistake {
  std::string text;
  std::string error;
};

TEST(Litmus, MistakesAreLocated) {
  const std::string operation =
      "expected an operation: r, w, i, d, a, add, cas, swap, rp or wp with its arguments, found ";
  const std::string key = "expected a key: a name, an integer or a string in quotes, found ";
  const std::string value =
      "expected a value: nil, an integer, a name, a string in quotes or a row {...}, found ";
  const std::string condition =
      "expected a condition: a column name, @key, @value, not, true, false or '(', found ";
  const std::string pattern =
      "expected a pattern in quotes that ends in % and has no other wildcard, found ";
  const std::vector<Mistake> mistakes = {
      // sessions and transactions
      {"", "1:1: expected a session, found the end of the input"},
      {"\n# nothing\n", "3:1: expected a session, found the end of the input"},
      {"a: T1 w(x,1) |", "1:15: expected a session, found the end of the input"},
      {"a: T1 w(x,1) ; | b: T2", "1:16: expected a transaction, found '|'"},
      {"a: T1@SIX w(x,1)",
       "1:7: unknown level 'SIX'; did you mean SI? 'isoscope levels' lists them all"},
      {"a: T1@SI@SI w(x,1)", "1:9: expected one level, found another '@'"},
      {"a: T1@1..2@SI@3.. w(x,1)", "1:14: expected times once, found another '@'"},
      {"a: T1 ;", "1:8: expected a transaction, found the end of the input"},
      {"| a: T1", "1:1: expected a session, found '|'"},
      {"a: T1\n\n  : T2", "3:3: expected a session, found ':'"},
      {"a: T1 | a: T2", "1:9: expected a new session, found a again"},
      {"\"a b\": | \"a b\":", "1:10: expected a new session, found \"a b\" again"},
      {"a: T1 ; T1", "1:9: expected a new transaction, found T1 again"},
      {"a: T1 | b: 1", "1:12: expected a new transaction, found 1 again"},
      {"a: T1!? r(x,1)", "1:7: expected an operation, ';', '|' or the end of the line, found '?'"},
      {"a: T1@ r(x,1)", "1:8: expected '..' between the begin and end times, found r"},
      {"a: T1@.. r(x,1)", "1:6: expected a begin or an end time after '@', found none"},
      {"a: T1@5..4", "1:6: expected an end not before the begin, found 5..4"},
      {"a: T1@-9223372036854775808..",
       "1:6: expected a time in nanoseconds, found the smallest integer"},
      {"a: T1^ r(x,1)",
       "1:8: expected the stamp of the commit, an integer but the smallest, after '^', found r"},
      {"a: T1^-9223372036854775808",
       "1:7: expected the stamp of the commit, an integer but the smallest, after '^', found "
       "-9223372036854775808"},
      {"a: T1!^5",
       "1:7: expected a stamp of a committed transaction only, found one that is "
       "aborted"},
      // operations
      {"a: T1 x(y,1)", "1:7: " + operation + "x"},
      {"a: T1 r(x,1) foo", "1:14: " + operation + "foo"},
      {"a: T1 r(x 1)", "1:11: expected ',' after the key, found 1"},
      {"a: T1 r(x,1",
       "1:12: expected ')' after the operation's arguments, found the end of the input"},
      {"a: T1 r(x,1,2)", "1:12: expected ')' after the operation's arguments, found ','"},
      {"a: T1 d(x,1)", "1:10: expected ')' after the operation's arguments, found ','"},
      // keys and values
      {"a: T1 r(,1)", "1:9: " + key + "','"},
      {"a: T1 r(nil,1)", "1:9: " + key + "nil"},
      {"a: T1 r(t.,1)", "1:11: " + key + "','"},
      {"a: T1 r(7.x,1)", "1:9: expected a table's name before '.', found 7"},
      {"a: T1 w(x,)", "1:11: " + value + "')'"},
      {"a: T1 w(x,true)", "1:11: " + value + "true"},
      {"a: T1 w(x,?)", "1:11: " + value + "'?'"},
      {"a: T1 w(x,[1])", "1:11: " + value + "'['"},
      {"a: T1 a(x,[1])", "1:11: " + value + "'['"},
      {"a: T1 r(x,=)",
       "1:11: expected a value: nil, an integer, a name, a string in quotes, a row {...} or a list "
       "[...], found '='"},
      {"a: T1 r(x,[1 [2]])",
       "1:14: expected an element or ']': nil, an integer, a name, a string in quotes or a row "
       "{...}, found '['"},
      {"a: T1 r(x,{1:1})", "1:12: expected a column name or '}', found 1"},
      {"a: T1 r(x,{v 1})", "1:14: expected ':' after a column name, found 1"},
      {"a: T1 r(x,{v:1 v:2})", "1:16: expected each column once, found v again"},
      {"a: T1 r(x,{\"@v\":1})",
       "1:12: expected a column name that does not start with @, found \"@v\""},
      {"a: T1 r(x,{v:{w:1}})",
       "1:14: expected a column's value: nil, an integer, a name or a string in quotes, found '{'"},
      // tokens
      {"a: T1 r(7a,1)",
       "1:9: expected an integer, found a name that starts with a digit: put it in quotes"},
      {"a: T1 r(x,9223372036854775808)",
       "1:11: expected an integer of 64 bits, found a larger one"},
      {"a: T1 r(x,-)", "1:11: expected a digit after '-', found none"},
      {"a: T1 r(x,\"abc", "1:15: expected '\"' at the end of a string, found the end of the input"},
      {"a: T1 r(x,\"a\\q\")",
       "1:13: expected an escape such as \\n or \\u0041, found a \\ and something else"},
      {"a: T1 r(x,\"\xFF\")", "1:12: expected valid UTF-8 in a string, found byte 255"},
      {"a: T1 r(x,\"\n\")", "1:12: expected no control character in a string, found byte 10"},
      {"a: T1 %", "1:7: expected a name, a number, a string or a sign, found '%'"},
      {"a: T1 /", "1:7: expected a name, a number, a string or a sign, found '/'"},
      {"a: T1\n\xC3\xA9", "2:1: expected a name, a number, a string or a sign, found byte 195"},
      {std::string(5000, 'x'), "1:1: expected a name of at most 4096 letters, found a longer one"},
      {"a: T1 " + std::string(30, 'x'), "1:7: " + operation + std::string(24, 'x') + "..."},
      {"a: T1 \"" + std::string(30, 'x') + "\"",
       "1:7: expected an operation, ';', '|' or the end of the line, found a string of 30 bytes"},
      // predicates
      {"rp(v >= 10, {1:nil})", "1:16: expected the value of a row that was returned, found nil"},
      {"rp(v >= 10)", "1:11: expected ',' and the rows after the condition, found ')'"},
      {"rp(v >= 10, 1)", "1:13: expected the rows as {key:value ...}, or '?', found 1"},
      {"rp(v >= 10, {1 2})", "1:16: expected ':' after a row's key, found 2"},
      {"rp(v >= 10, {1:2 t.3:4})", "1:19: expected ':' after a row's key, found '.'"},
      {"rp(t: , {})", "1:7: " + condition + "','"},
      {"rp(not, {})", "1:7: " + condition + "','"},
      {"rp(between = 1, {})", "1:4: " + condition + "between"},
      {"rp(v, {})", "1:5: expected =, <>, <, <=, >, >=, between, in, is or like, found ','"},
      {"rp(v = abc, {})", "1:8: expected an integer, a string in quotes or nil, found abc"},
      {"rp(v between 1 or 2, {})", "1:16: expected and between the bounds, found or"},
      {"rp(v in 1, {})", "1:9: expected '(' after in, found 1"},
      {"rp(v in (1 ;), {})", "1:12: expected an integer, a string in quotes or nil, found ';'"},
      {"rp(v is 1, {})", "1:9: expected null, found 1"},
      {"rp(v like 1, {})", "1:11: " + pattern + "1"},
      {"rp(v like \"ab\", {})", "1:11: " + pattern + "\"ab\""},
      {"rp(v like \"a%b%\", {})", "1:11: " + pattern + "\"a%b%\""},
      {"rp(v like \"a_%\", {})", "1:11: " + pattern + "\"a_%\""},
      {"rp(v like \"a%%\", {})", "1:11: " + pattern + "\"a%%\""},
      {"rp(mod(v,0) = 1, {})", "1:10: expected a positive integer as the modulus, found 0"},
      {"rp(mod(v,2) = \"1\", {})", "1:15: expected an integer as the remainder, found \"1\""},
      {"rp(mod(v 2) = 1, {})", "1:10: expected ',' before the modulus, found 2"},
      {"rp(mod(v,2 = 1, {})", "1:12: expected ')' after the modulus, found '='"},
      {"rp(mod(v,2), {})", "1:12: expected '=' after mod(...), found ','"},
      {"rp(@foo = 1, {})", "1:5: expected key or value after '@', found foo"},
      {"rp(\"@foo\" = 1, {})",
       "1:4: expected a column name that does not start with @, found \"@foo\""},
      {"rp((v = 1, {})", "1:10: expected ')' after a condition, found ','"},
      {"rp(and(v = 1; w = 2), {})", "1:13: expected ')' or ',' after a condition, found ';'"},
      // directives
      {"initial",
       "1:8: expected a value: nil, an integer, a name, a string in quotes, a row {...} or a list "
       "[...], found the end of the input"},
      {"initial x=1",
       "1:9: expected none or the value of all other keys before the listed ones, found x"},
      {"initial nil x", "1:14: expected '=' after a key, found the end of the input"},
      {"initial nil x=1 x=2", "1:17: expected each key at most once, found x again"},
      {"initial none none=1", "1:14: " + key + "none"},
      {"initial 0\ninitial 0", "2:1: expected initial at most once, found it again"},
      {"origin abc", "1:8: expected a string in quotes after origin, found abc"},
      {"origin \"a\" b", "1:12: expected the end of the line, found b"},
      {"a: T1\norigin \"a\"", "2:1: expected the sessions after the directives, found origin"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(error(mistake.text), "in:" + mistake.error) << mistake.text;
  }
}

TEST(Litmus, NestingHasALimit) {
  const auto nested = [](std::size_t count) {
    return "rp(" + std::string(count, '(') + "v = 1" + std::string(count, ')') + ", {})";
  };
  EXPECT_EQ(reprint(nested(250)), "1: T1 rp(v = 1, {})\n");
  EXPECT_EQ(error(nested(10000)), "in:1:259: expected at most 256 nested brackets, found more");
  std::string negations = "rp(";
  for (int i = 0; i < 10000; ++i) negations += "not ";
  EXPECT_EQ(error(negations + "v = 1, {})"),
            "in:1:" + std::to_string(4 + 256 * 4) +
                ": expected at most 256 nested conditions, found more");
  for (const char bracket : {'(', '[', '{'}) {
    EXPECT_NE(error("a: T1 r(x," + std::string(10000, bracket)), "no error");
  }
}

const std::string everything =
    "origin \"\\u00e9\"\ninitial none x=1 t.7={v:1} # comment\n"
    "a: T1@10..20 w(x,1) i(t.8,{v:nil}) d(t.7) ;\n T2! a(l,3) ; b?@..4 r(x,?) r(l,[1 2]) | 3: \"T "
    "4\" r(\"k\",-7)\n"
    "rp(t: v >= 10 and not w is null, {7:{v:1} 9:7}) wp(mod(@value,3) = 0 or n like \"a%\", ?)\n";

TEST(Litmus, EveryTruncationIsAHistoryOrAnError) {
  ASSERT_TRUE(read(everything));
  std::size_t errors = 0;
  for (std::size_t size = 0; size < everything.size(); ++size) {
    const auto history = read(everything.substr(0, size));
    if (history) continue;
    ++errors;
    EXPECT_EQ(history.error().source, "in");
    EXPECT_LE(history.error().position.byte, size);
    EXPECT_GT(history.error().position.line, 0u);
    EXPECT_EQ(history.error().text().find('\n'), std::string::npos);
  }
  EXPECT_GT(errors, everything.size() / 4);
}

TEST(Litmus, EveryChangedByteIsAHistoryOrAnError) {
  Random random(1);
  for (int i = 0; i < 5000 * test_scale(); ++i) {
    std::string text = everything;
    for (std::uint64_t change = 0, count = 1 + random.below(3); change < count; ++change) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    const auto history = read(text);
    if (!history) {
      EXPECT_EQ(history.error().text().find('\n'), std::string::npos);
      continue;
    }
    const auto printed = format_history(*history, Format::litmus);
    ASSERT_TRUE(printed);
    ASSERT_TRUE(read(*printed)) << *printed;
  }
}

TEST(Litmus, TheExamplesOfItsPageAreAsPrinted) {
  std::ifstream page(ISOSCOPE_SOURCE_DIR "/docs/formats/litmus.md");
  std::vector<std::string> examples;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) examples.emplace_back();
    } else if (inside && !line.starts_with('#')) {
      examples.back() += line + "\n";
    }
  }
  ASSERT_GE(examples.size(), 3u);
  EXPECT_EQ(reprint(examples[0]), examples[0]);
  EXPECT_EQ(reprint(examples[1]), "1: T1 w(x,1) w(y,1) ; T2 r(x,1)  |  2: T3 r(y,1) r(x,nil)\n");
  EXPECT_EQ(reprint(examples[2]), examples[2]);
}

TEST(Litmus, StopsWhenALimitIsReached) {
  Limits limits;
  limits.request_stop();
  const auto history = read_history(Source::from_memory("in", "r(x,1) ; r(x,2)"),
                                    {.format = Format::litmus, .limits = limits});
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().what.find("stopped while reading"), std::string::npos);
}

}  // namespace
}  // namespace isoscope
