#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "history/format/jepsen/formats.h"
#include "history/jepsen_dump.h"

namespace isoscope::format {
namespace {

std::string read(const std::string& text) {
  const Result<History> history = read_elle_json(Source::from_memory("f", text), {});
  return history ? dump(*history) : history.error().text();
}

bool looks(const std::string& text) {
  const Source source = Source::from_memory("f", text);
  return looks_like_elle_json(Head{text, source});
}

TEST(ElleJson, ReadsArraysAndLines) {
  const std::string first =
      R"({"index":0,"process":1,"type":"invoke","f":"txn","value":[["append",7,1],["r",8,null]]})";
  const std::string second =
      R"({"index":1,"process":1,"type":"ok","time":5,"value":[["append",7,1],["r",8,[3,"x"]]],"extra":[1.5e3,{"a":true}]})";
  const std::string third = R"({"process":"nemesis","type":"info","f":"kill","value":{"n1":null}})";
  const std::string expected = "1: T1 committed ?..5 append(7,1) list read(8,[3 'x'])\n";
  EXPECT_EQ(read("[" + first + ",\n" + second + "," + third + "]"), expected);
  EXPECT_EQ(read(first + "\n" + second + "\n" + third + "\n"), expected);
  EXPECT_EQ(read("\xEF\xBB\xBF\n" + first + second), expected);
  EXPECT_EQ(read("[]"), "");
}

TEST(ElleJson, MeansTheSameAsEdn) {
  EXPECT_EQ(read(R"([
{"type":"ok","process":0,"f":"init","value":{"x":1}},
{"type":"ok","process":0,"value":[["w","x",2],["r","y",null],["insert","z","v"],["delete","x"],["rp","true",{"x":1}],["rp",["mod",2,1],{}]]},
{"type":"fail","process":1,"value":[["w",[1,"a"],2],["r","y",null]]},
{"type":"info","process":null,"value":[["w","x",3]]},
{"type":"invoke","process":2,"value":[["w","x",4]]}])"),
            "initial 'x'=1\n"
            "0: T1 committed write('x',2) read('y',nil) insert('z','v') delete('x',nil) "
            "predicate read(true,'x'=1) predicate read([\"mod\",\"@value\",2,1])\n"
            "1: T2 aborted write('[1 \"a\"]',2) read('y',?)\n"
            "3: T3 indeterminate write('x',3)\n"
            "2: T4 indeterminate write('x',4)\n");
}

TEST(ElleJson, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[", "f:1:2: expected a value, found the end of the input"},
      {"[{\"type\":\"ok\",\n\"value\":[]}",
       "f:2:12: expected ',' or ']', found the end of the input"},
      {"[] x", "f:1:4: expected the end of the input, found x"},
      {"{\"type\":\"ok\",\"value\":[]} x", "f:1:26: expected a value, found x"},
      {"5", "f:1:1: expected an operation such as {\"type\" ...}, found 5"},
      {"[null]", "f:1:2: expected an operation such as {\"type\" ...}, found null"},
      {"[[]]", "f:1:2: expected an operation such as {\"type\" ...}, found an array"},
      {"{}", "f:1:1: expected an operation with a \"type\""},
      {"{\"type\":\"done\"}",
       "f:1:9: expected a \"type\" of \"invoke\", \"ok\", \"fail\", \"info\", found \"done\""},
      {"{\"type\":\"ok\",\n \"type\":\"ok\"}", "f:2:2: expected one \"type\", found another"},
      {"{\"type\":\"ok\",\"f\":\"transfer\",\"value\":{\"from\":1}}",
       "f:1:18: expected \"f\" \"txn\" with a \"value\" of micro-operations (a list-append, "
       "rw-register or "
       "closed-predicate workload), found \"transfer\""},
      {"{\"type\":\"ok\",\"value\":5}", "f:1:22: expected an array of micro-operations, found 5"},
      {"{\"type\":\"ok\",\"value\":[[\"r\",null,1]]}",
       "f:1:28: expected a key: an integer of 64 bits, a string or an array, found null"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",1,1.5]]}",
       "f:1:30: expected an integer of 64 bits, found 1.5"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",1,9223372036854775808]]}",
       "f:1:30: expected an integer of 64 bits, found 9223372036854775808"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",1,true]]}",
       "f:1:30: expected a value to write: null, an integer or a string, found true"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",1,01]]}", "f:1:30: expected an integer, found 01"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",1,1.]]}", "f:1:32: expected a number, found ]"},
      {"{\"type\":\"ok\",\"value\":[[\"w\",\":x\",1]]}",
       "f:1:28: expected a key that does not start with ':', '[', '(', '{' or '#', found \":x\""},
      {"{\"type\":\"ok\",\"value\":[[\"rp\",\"true\",{\"5\":1}]]}",
       "f:1:37: expected a key that is no number, found \"5\": as a member's name it could be the "
       "integer or "
       "the string"},
      {"{\"type\":\"ok\",\"value\":[[\"rp\",true,{}]]}",
       "f:1:29: expected a predicate: \"true\", [\"=\" v] or [\"mod\" m r], found true"},
      {"{\"type\":\"invoke\",\"value\":[]}\n{\"type\":\"invoke\",\"value\":[]}",
       "f:2:1: expected the completion of the \"invoke\" in line 1, found another \"invoke\" of no "
       "\"process\""},
      {"{\"type\":\"invoke\",\"value\":[[\"w\",1,2]]}\n{\"type\":\"ok\",\"value\":[[\"w\",1,3]]}",
       "f:2:23: expected [\"w\" 1 2] as in the \"invoke\" in line 1, found [\"w\" 1 3]"},
      {"{\"type\":\"ok\",\"value\":\"\xFF\"}",
       "f:1:23: expected valid UTF-8 in a string, found byte 255"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read(text), error) << text;
  EXPECT_NE(
      read("{\"type\":" + std::string(10000, '[')).find("expected at most 256 nested brackets"),
      std::string::npos);
}

TEST(ElleJson, LimitsTheSizeOfAnOperation) {
  std::string text = "{\"type\":\"ok\",\"x\":[1";
  for (int i = 0; i < (1 << 22); ++i) text += ",1";
  EXPECT_EQ(read(text + "]}"),
            "f:1:8388617: expected an operation of at most 4194304 values and 16 MiB of text, "
            "found a larger one");
}

TEST(ElleJson, EndsWithAHistoryOrAnErrorWhereverTheFileIsCut) {
  const std::string text =
      R"([{"type":"invoke","process":1,"value":[["append",7,1],["r","x",null]],"time":-1.5e2},)"
      R"({"type":"ok","process":1,"value":[["append",7,1],["r","x",[1,2]]],"ok":true}])";
  EXPECT_EQ(read(text).substr(0, 2), "f:");  // the time is no integer
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(read(text.substr(0, size)), "f") << size;
  }
}

TEST(ElleJson, IsRecognisedByContent) {
  for (const std::string text :
       {R"({"type":"ok","value":[]})", R"([{"index":0,"process":1,"type":"invoke"}])", "[]",
        R"( [ {"process":1,"value":[]}])", R"({"value":[["r",1,[1,2]]],"type":"ok)"}) {
    EXPECT_TRUE(looks(text)) << text;
  }
  for (const std::string text :
       {"", "{", "[", "{}", "[{}]", "[[]]", "[5]", "{:type :ok}", R"({"value":[["w",1,2,true]]})",
        R"([{"tid":1,"sid":1,"sts":{"p":1,"l":1},"ops":[]}])", R"({"params":{"id":0},"data":[]})",
        R"([[{"events":[],"committed":true}]])", R"({"isoscope":1})"}) {
    EXPECT_FALSE(looks(text)) << text;
  }
}

TEST(ElleJson, ReadsTheHistoriesOfElleCli) {
  const std::filesystem::path folder = std::filesystem::path(ISOSCOPE_HISTORIES_DIR) / "elle";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared histories at " << folder;
  const auto load = [&](const char* name, auto reader) {
    const Result<Source> source = Source::open((folder / name).string());
    EXPECT_TRUE(source) << source.error().text();
    Result<History> history = reader(*source, {});
    EXPECT_TRUE(history) << history.error().text();
    return *std::move(history);
  };
  EXPECT_EQ(
      dump(load("rw-register.json", read_elle_json)),
      "0: T2 committed write('x',2)\n0: T4 committed read('x',3)\n0: T6 committed read('x',2)\n");

  // The same history, but that only the JSON file says which process it was.
  const History json = load("paper-example.json", read_elle_json);
  const History edn = load("paper-example.edn", read_edn);
  EXPECT_EQ(json.session_count(), 1U);
  EXPECT_EQ(edn.session_count(), 4U);
  ASSERT_EQ(json.transaction_count(), edn.transaction_count());
  for (const TransactionId t : json.transactions()) {
    EXPECT_EQ(json.label(t), edn.label(t));
    EXPECT_EQ(json.outcome(t), edn.outcome(t));
    const auto text = [&](const History& history) {
      std::string all;
      for (const Operation& operation : history.operations(t))
        all += dump(history, operation) + " ";
      return all;
    };
    EXPECT_EQ(text(json), text(edn));
  }
}

}  // namespace
}  // namespace isoscope::format
