#include "isoscope/history/predicate.h"

#include <gtest/gtest.h>

#include "base/chunked_stream.h"
#include "isoscope/history/predicate_json.h"

namespace isoscope {
namespace {

/// The predicate that a text stands for.
Predicate parse(const std::string& text) {
  ByteReader input = chunked_reader(text);
  JsonReader json(input);
  auto predicate = read_predicate_json(json);
  json.expect_end();
  EXPECT_FALSE(json.failed()) << text << ": " << (json.failed() ? json.error().text() : "");
  return predicate.value_or(Predicate{});
}

std::string error_of(const std::string& text) {
  ByteReader input = chunked_reader(text);
  JsonReader json(input);
  read_predicate_json(json);
  json.expect_end();
  return json.failed() ? json.error().text() : "";
}

std::string text_of(const Predicate& predicate) {
  std::string text;
  append_predicate_json(text, predicate);
  return text;
}

/// A table of rows to ask: key "k1" with columns i = 5, s = "abc", n = NULL.
class PredicateTest : public testing::Test {
 protected:
  Truth on_row(const std::string& text) { return evaluate(parse(text), pool_, key_, row_); }
  Truth on_value(const std::string& text, ValueId value) {
    return evaluate(parse(text), pool_, key_, value);
  }

  ValuePool pool_;
  ValueId key_ = pool_.string("k1");
  ValueId row_ = pool_.row(std::vector<Column>{{pool_.string("i"), pool_.integer(5)},
                                               {pool_.string("s"), pool_.string("abc")},
                                               {pool_.string("n"), ValuePool::nil}});
};

constexpr Truth no = Truth::no;
constexpr Truth unknown = Truth::unknown;
constexpr Truth yes = Truth::yes;

TEST_F(PredicateTest, TrueSelectsEveryRowThatExists) {
  EXPECT_EQ(on_row("true"), yes);
  EXPECT_EQ(on_value("true", pool_.integer(1)), yes);
  EXPECT_EQ(on_value("true", ValuePool::nil), no);
}

TEST_F(PredicateTest, NothingSelectsARowThatDoesNotExist) {
  EXPECT_EQ(on_value("[\"is-null\",\"i\"]", ValuePool::nil), no);
  EXPECT_EQ(on_value("[\"not\",[\"=\",\"@key\",\"k1\"]]", ValuePool::nil), no);
  EXPECT_EQ(on_value("[\"=\",\"@key\",\"k1\"]", ValuePool::nil), no);
}

TEST_F(PredicateTest, ComparisonsOfIntegers) {
  struct Case {
    const char* word;
    Truth below, equal, above;  // against 6, 5 and 4
  };
  for (const Case& c :
       {Case{"=", no, yes, no}, Case{"<>", yes, no, yes}, Case{"<", yes, no, no},
        Case{"<=", yes, yes, no}, Case{">", no, no, yes}, Case{">=", no, yes, yes}}) {
    const std::string start = "[\"" + std::string(c.word) + "\",\"i\",";
    EXPECT_EQ(on_row(start + "6]"), c.below) << c.word;
    EXPECT_EQ(on_row(start + "5]"), c.equal) << c.word;
    EXPECT_EQ(on_row(start + "4]"), c.above) << c.word;
    EXPECT_EQ(on_row(start + "null]"), unknown) << c.word;
    EXPECT_EQ(on_row(start + "\"5\"]"), unknown) << c.word << ": an integer and a string";
    EXPECT_EQ(on_row("[\"" + std::string(c.word) + "\",\"n\",5]"), unknown) << c.word;
    EXPECT_EQ(on_row("[\"" + std::string(c.word) + "\",\"n\",null]"), unknown) << c.word;
    EXPECT_EQ(on_row("[\"" + std::string(c.word) + "\",\"missing\",5]"), unknown) << c.word;
  }
}

TEST_F(PredicateTest, StringsCompareBytewise) {
  EXPECT_EQ(on_row("[\"=\",\"s\",\"abc\"]"), yes);
  EXPECT_EQ(on_row("[\"<\",\"s\",\"abd\"]"), yes);
  EXPECT_EQ(on_row("[\"<\",\"s\",\"b\"]"), yes);
  EXPECT_EQ(on_row("[\">\",\"s\",\"ab\"]"), yes);
  EXPECT_EQ(on_row("[\">\",\"s\",\"ABC\"]"), yes);
  // As unsigned bytes: anything beyond ASCII is above all of ASCII.
  EXPECT_EQ(on_row("[\"<\",\"s\",\"\xC3\xA4\"]"), yes);
  EXPECT_EQ(on_row("[\"<\",\"s\",5]"), unknown);
}

TEST_F(PredicateTest, Between) {
  EXPECT_EQ(on_row("[\"between\",\"i\",5,5]"), yes);
  EXPECT_EQ(on_row("[\"between\",\"i\",1,9]"), yes);
  EXPECT_EQ(on_row("[\"between\",\"i\",6,9]"), no);
  EXPECT_EQ(on_row("[\"between\",\"i\",9,1]"), no);
  EXPECT_EQ(on_row("[\"between\",\"i\",null,9]"), unknown);
  EXPECT_EQ(on_row("[\"between\",\"i\",null,4]"), no) << "the other side already says no";
  EXPECT_EQ(on_row("[\"between\",\"n\",1,9]"), unknown);
}

TEST_F(PredicateTest, InIsADisjunctionOfEqualities) {
  EXPECT_EQ(on_row("[\"in\",\"i\",[1,5]]"), yes);
  EXPECT_EQ(on_row("[\"in\",\"i\",[1,2]]"), no);
  EXPECT_EQ(on_row("[\"in\",\"i\",[null,5]]"), yes);
  EXPECT_EQ(on_row("[\"in\",\"i\",[null,4]]"), unknown);
  EXPECT_EQ(on_row("[\"in\",\"i\",[4,\"5\"]]"), unknown);
  EXPECT_EQ(on_row("[\"in\",\"n\",[1]]"), unknown);
  EXPECT_EQ(on_row("[\"in\",\"i\",[]]"), no);
  EXPECT_EQ(on_row("[\"in\",\"n\",[]]"), no);
  EXPECT_EQ(on_row("[\"not\",[\"in\",\"i\",[null,4]]]"), unknown)
      << "NOT IN with a NULL selects nothing";
}

TEST_F(PredicateTest, IsNullIsNeverUnknown) {
  EXPECT_EQ(on_row("[\"is-null\",\"n\"]"), yes);
  EXPECT_EQ(on_row("[\"is-null\",\"missing\"]"), yes);
  EXPECT_EQ(on_row("[\"is-null\",\"i\"]"), no);
  EXPECT_EQ(on_row("[\"not\",[\"is-null\",\"n\"]]"), no);
}

TEST_F(PredicateTest, Prefix) {
  EXPECT_EQ(on_row("[\"prefix\",\"s\",\"ab\"]"), yes);
  EXPECT_EQ(on_row("[\"prefix\",\"s\",\"\"]"), yes);
  EXPECT_EQ(on_row("[\"prefix\",\"s\",\"abcd\"]"), no);
  EXPECT_EQ(on_row("[\"prefix\",\"s\",\"A\"]"), no);
  EXPECT_EQ(on_row("[\"prefix\",\"n\",\"\"]"), unknown);
  EXPECT_EQ(on_row("[\"prefix\",\"i\",\"5\"]"), unknown);
}

TEST_F(PredicateTest, ModuloIsFloored) {
  EXPECT_EQ(on_row("[\"mod\",\"i\",3,2]"), yes);
  EXPECT_EQ(on_row("[\"mod\",\"i\",3,1]"), no);
  EXPECT_EQ(on_row("[\"mod\",\"s\",3,1]"), unknown);
  EXPECT_EQ(on_row("[\"mod\",\"n\",3,1]"), unknown);
  EXPECT_EQ(on_value("[\"mod\",\"@value\",3,2]", pool_.integer(-4)), yes);
  EXPECT_EQ(on_value("[\"mod\",\"@value\",3,-1]", pool_.integer(-4)), no);
  EXPECT_EQ(on_value("[\"mod\",\"@value\",1,0]", pool_.integer(INT64_MIN)), yes);
  EXPECT_EQ(on_value("[\"mod\",\"@value\",9223372036854775807,9223372036854775806]",
                     pool_.integer(INT64_MIN)),
            yes);
}

TEST_F(PredicateTest, KeyAndValueOperands) {
  EXPECT_EQ(on_row("[\"=\",\"@key\",\"k1\"]"), yes);
  EXPECT_EQ(on_row("[\"prefix\",\"@key\",\"k\"]"), yes);
  EXPECT_EQ(on_row("[\"is-null\",\"@value\"]"), yes) << "a row is no single value";
  EXPECT_EQ(on_value("[\"=\",\"@value\",7]", pool_.integer(7)), yes);
  EXPECT_EQ(on_value("[\"=\",\"i\",7]", pool_.integer(7)), unknown)
      << "a single value has no columns";
  const ValueId list = pool_.list_with(ValuePool::empty_list, pool_.integer(7));
  EXPECT_EQ(on_value("[\"=\",\"@value\",7]", list), unknown);
}

TEST_F(PredicateTest, ConnectivesFollowKleene) {
  const auto literal = [](Truth truth) -> std::string {
    if (truth == yes) return "true";
    return truth == no ? "[\"or\"]" : "[\"=\",\"n\",1]";
  };
  for (const Truth a : {no, unknown, yes}) {
    EXPECT_EQ(on_row("[\"not\"," + literal(a) + "]"), a == unknown ? unknown : a == yes ? no : yes);
    EXPECT_EQ(on_row("[\"and\"," + literal(a) + "]"), a);
    EXPECT_EQ(on_row("[\"or\"," + literal(a) + "]"), a);
    for (const Truth b : {no, unknown, yes}) {
      Truth conjunction = unknown;
      if (a == no || b == no) conjunction = no;
      if (a == yes && b == yes) conjunction = yes;
      Truth disjunction = unknown;
      if (a == yes || b == yes) disjunction = yes;
      if (a == no && b == no) disjunction = no;
      EXPECT_EQ(on_row("[\"and\"," + literal(a) + "," + literal(b) + "]"), conjunction);
      EXPECT_EQ(on_row("[\"or\"," + literal(a) + "," + literal(b) + "]"), disjunction);
    }
  }
  EXPECT_EQ(on_row("[\"and\"]"), yes);
  EXPECT_EQ(on_row("[\"or\"]"), no);
}

TEST(PredicateJson, PrintsWhatItRead) {
  for (const char* text :
       {"true", R"(["=","v1",5])", R"(["<>","v1","a"])", R"(["<","v",null])", R"(["<=","v",-5])",
        R"([">","v",0])", R"([">=","v",9223372036854775807])", R"(["between","v1",1,9])",
        R"(["in","v1",[1,"two",null]])", R"(["in","v1",[]])", R"(["is-null","v1"])",
        R"(["prefix","name","a\"b"])", R"(["mod","v1",3,0])", R"(["and"])", R"(["or"])",
        R"(["not",true])", R"(["and",["or",["=","@key",1],true],["not",["is-null","@value"]]])",
        R"(["=","","x"])"}) {
    EXPECT_EQ(text_of(parse(text)), text);
    EXPECT_EQ(parse(text_of(parse(text))), parse(text));
  }
  EXPECT_EQ(text_of(parse(" [ \"=\" , \"v\" , 5 ] ")), "[\"=\",\"v\",5]");
}

TEST(PredicateJson, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("false"),
            "test:1:1: expected true or a condition, found false: write [\"or\"]");
  EXPECT_EQ(error_of("[\"=\"]"),
            "test:1:5: expected a column name, \"@value\" or \"@key\", found ]");
  EXPECT_EQ(error_of("[\"=\",5,5]"),
            "test:1:6: expected a column name, \"@value\" or \"@key\", found 5");
  EXPECT_EQ(error_of("[\"=\",\"a\"]"), "test:1:9: expected one more constant, found ]");
  EXPECT_EQ(error_of("[\"=\",\"a\",1,2]"),
            "test:1:12: expected ']' after the predicate's last argument, found 2");
  EXPECT_EQ(error_of("[\"=\",\"a\",1.5]"), "test:1:10: expected an integer, found 1.5");
  EXPECT_EQ(error_of("[\"=\",\"a\",true]"),
            "test:1:10: expected null, an integer or a string, found true");
  EXPECT_EQ(error_of("[\"=\",\"@foo\",1]"),
            "test:1:6: expected \"@value\", \"@key\" or a column name without @, found \"@foo\"");
  EXPECT_EQ(error_of("[\"in\",\"a\"]"), "test:1:10: expected an array of constants, found ]");
  EXPECT_EQ(error_of("[\"in\",\"a\",1]"), "test:1:11: expected an array of constants, found 1");
  EXPECT_EQ(error_of("[\"not\",true,true]"),
            "test:1:13: expected one predicate after not, found 2");
  EXPECT_EQ(error_of("[\"prefix\",\"a\",1]"), "test:1:15: expected a string after prefix, found 1");
  EXPECT_EQ(error_of("[\"mod\",\"a\",0,1]"),
            "test:1:14: expected a positive integer and an integer after mod, found 0 and 1");
  for (const char* text : {"",
                           "7",
                           "\"=\"",
                           "{}",
                           "null",
                           "[]",
                           "[7]",
                           "[\"like\",\"a\",\"b\"]",
                           "[\"not\"]",
                           "[\"is-null\"]",
                           "[\"between\",\"a\",1]",
                           "[\"mod\",\"a\",3]",
                           "[\"mod\",\"a\",-1,0]",
                           "[\"mod\",\"a\",null,0]",
                           "[\"and\",5]",
                           "[\"and\",[\"=\",\"a\"]]",
                           "[\"=\",\"a\",1",
                           "[\"in\",\"a\",[1",
                           "[\"=\",\"a\",[1]]",
                           "[\"=\",\"a\",99999999999999999999]",
                           "[\"\\n\"]"}) {
    EXPECT_NE(error_of(text), "") << text;
    EXPECT_EQ(error_of(text).find('\n'), std::string::npos) << text;
  }
}

TEST(PredicateJson, DeepNestingIsAnError) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "[\"not\",";
  EXPECT_NE(error_of(text).find("nested brackets"), std::string::npos);
}

}  // namespace
}  // namespace isoscope
