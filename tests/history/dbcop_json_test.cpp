#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"

namespace isoscope {
namespace {

std::string text_of(std::string text) {
  const Result<History> history = test::read_bytes(Format::dbcop_json, std::move(text));
  return history ? test::history_text(*history) : history.error().text();
}

const std::string sessions =
    R"([[{"events":[{"Write":{"variable":0,"version":1}},{"Read":{"version":null,"variable":"y"}}],"committed":true}],)"
    R"([],[{"committed":false,"events":[{"Read":{"variable":0,"version":1}}]},{"events":[],"committed":true}]])";

const std::string sessions_text =
    "initial nil\nsession 1\nsession 2\nsession 3\n"
    "1: transaction 1 committed -..-\n    write \"\".0 1\n    read \"\".\"y\" nil\n"
    "3: transaction 2 aborted -..-\n    read \"\".0 1\n"
    "3: transaction 3 committed -..-\n";

TEST(DbcopJson, ReadsRawSessions) { EXPECT_EQ(text_of(sessions), "origin \"\"\n" + sessions_text); }

TEST(DbcopJson, ReadsTheWholeObject) {
  const std::string whole =
      R"({"params":{"id":3,"n_node":2,"n_variable":4,"n_transaction":5,"n_event":6,"seed":1.5},)"
      R"("info":"Galera","start":"then","end":"now","more":[{}],"data":)" +
      sessions + "}\n";
  const Result<History> history = test::read_bytes(Format::dbcop_json, whole);
  ASSERT_TRUE(history) << history.error().text();
  EXPECT_EQ(
      history->origin(),
      R"(dbcop {"id":3,"n_node":2,"n_variable":4,"n_transaction":5,"n_event":6,"info":"Galera","start":"then","end":"now"})");
  test::CompareOptions compare;
  compare.origin = false;
  EXPECT_EQ(test::history_text(*history, compare), sessions_text);
}

TEST(DbcopJson, ReadsCompactEvents) {
  EXPECT_EQ(
      text_of(R"([[{"events":[["w",0,1],["r","y",null]],"committed":true}],)"
              R"([],[{"committed":false,"events":[["r",0,1]]},{"events":[],"committed":true}]])"),
      "origin \"\"\n" + sessions_text);
}

TEST(DbcopJson, VersionZeroIsTheInitialStateUnlessSomebodyWritesIt) {
  EXPECT_EQ(text_of(R"([[{"events":[["r",1,0],["r",2,0],["w",2,0]],"committed":true}]])"),
            "origin \"\"\ninitial nil\nsession 1\n1: transaction 1 committed -..-\n"
            "    read \"\".1 nil\n    read \"\".2 0\n    write \"\".2 0\n");
}

TEST(DbcopJson, SaysWhatIsWrongAndWhere) {
  const auto in_transaction = [](std::string events) {
    return text_of("[[\n{\"events\":[" + events + "],\"committed\":true}]]");
  };
  EXPECT_EQ(text_of("7"),
            "f:1:1: expected an object with \"data\", or an array of sessions, found 7");
  EXPECT_EQ(text_of("{}"), "f:1:2: expected a member \"data\", found }");
  EXPECT_EQ(text_of(R"({"data":[],"data":[]})"), "f:1:12: expected \"data\" once, found it again");
  EXPECT_EQ(text_of(R"({"data":{}})"), "f:1:9: expected an array of sessions, found {");
  EXPECT_EQ(text_of(R"({"params":{"id":"x"},"data":[]})"),
            "f:1:17: expected an integer, found \"x\"");
  EXPECT_EQ(text_of(R"({"info":5})"), "f:1:9: expected a description, found 5");
  EXPECT_EQ(text_of("[{}]"), "f:1:2: expected a session, an array of transactions, found {");
  EXPECT_EQ(text_of("[[5]]"), "f:1:3: expected a transaction, an object, found 5");
  EXPECT_EQ(text_of("[[{\"events\":[]}]]"), "f:1:15: expected a member \"committed\", found }");
  EXPECT_EQ(text_of("[[{\"committed\":true}]]"), "f:1:20: expected a member \"events\", found }");
  EXPECT_EQ(text_of("[[{\"committed\":1}]]"), "f:1:16: expected true or false, found 1");
  EXPECT_EQ(text_of("[[{\"events\":[],\"events\":[]}]]"),
            "f:1:16: expected \"events\" once, found it again");
  EXPECT_EQ(in_transaction("5"),
            "f:2:12: expected an event: {\"Read\":..}, {\"Write\":..}, [\"r\",..] or [\"w\",..], "
            "found 5");
  EXPECT_EQ(in_transaction("{}"), "f:2:13: expected a member \"Read\" or \"Write\", found }");
  EXPECT_EQ(in_transaction("{\"Delete\":{}}"),
            "f:2:13: expected \"Read\" or \"Write\", found \"Delete\"");
  EXPECT_EQ(in_transaction("{\"Read\":5}"),
            "f:2:20: expected an object with \"variable\" and \"version\", found 5");
  EXPECT_EQ(in_transaction("{\"Read\":{\"version\":1}}"),
            "f:2:32: expected a member \"variable\", found }");
  EXPECT_EQ(in_transaction("{\"Read\":{\"variable\":1}}"),
            "f:2:33: expected a member \"version\", found }");
  EXPECT_EQ(in_transaction("{\"Write\":{\"variable\":1,\"version\":null}}"),
            "f:2:45: expected a version, found null");
  EXPECT_EQ(in_transaction("{\"Read\":{\"variable\":1,\"version\":-1}}"),
            "f:2:44: expected a version of at least 0, found -1");
  EXPECT_EQ(in_transaction("{\"Read\":{\"variable\":1,\"version\":\"a\"}}"),
            "f:2:44: expected a version or null, found \"a\"");
  EXPECT_EQ(in_transaction("{\"Read\":{\"variable\":null,\"version\":1}}"),
            "f:2:32: expected a variable, an integer or a string, found null");
  EXPECT_EQ(in_transaction("{\"Read\":{\"variable\":1,\"version\":1},\"Write\":{}}"),
            "f:2:47: expected one of Read and Write, found another member");
  EXPECT_EQ(in_transaction("[]"), "f:2:13: expected \"r\" or \"w\", found ]");
  EXPECT_EQ(in_transaction("[\"x\"]"), "f:2:13: expected \"r\" or \"w\", found \"x\"");
  EXPECT_EQ(in_transaction("[\"r\"]"), "f:2:16: expected a variable, found ]");
  EXPECT_EQ(in_transaction("[\"r\",1]"), "f:2:18: expected a version, found ]");
  EXPECT_EQ(in_transaction("[\"w\",1,null]"), "f:2:19: expected a version, found null");
  EXPECT_EQ(in_transaction("[\"r\",1,2,3]"), "f:2:21: expected ']' after the version, found 3");
  EXPECT_EQ(text_of("[] 5"), "f:1:4: expected the end of the input, found 5");
}

TEST(DbcopJson, TruncatedAnywhereIsAnError) {
  for (std::size_t size = 0; size < sessions.size(); ++size) {
    const Result<History> history = test::read_bytes(Format::dbcop_json, sessions.substr(0, size));
    ASSERT_FALSE(history) << size;
    EXPECT_EQ(history.error().position.line, 1u);
  }
}

TEST(DbcopJson, DeepNestingIsAnError) {
  const std::string deep = "{\"more\":" + std::string(10'000, '[');
  EXPECT_NE(text_of(deep).find("expected at most 256 nested brackets"), std::string::npos);
}

TEST(DbcopJson, IsRecognised) {
  const auto recognised = [](std::string text) {
    const Result<Format> format = recognise_format(Source::from_memory("f", std::move(text)));
    return format && *format == Format::dbcop_json;
  };
  EXPECT_TRUE(recognised(sessions));
  EXPECT_TRUE(recognised("\xEF\xBB\xBF [ [ ] ,\n" + sessions.substr(1)));
  EXPECT_TRUE(recognised(R"({"params":{"id":0,"n_node":1,"n_variable":1},"data":[]})"));
  EXPECT_TRUE(recognised("{\"data\":" + sessions + "}"));
  EXPECT_FALSE(recognised(R"([{"events":[]}])"));
}

TEST(DbcopJson, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(text_of("\xEF\xBB\xBF" + sessions), text_of(sessions));
}

}  // namespace
}  // namespace isoscope
