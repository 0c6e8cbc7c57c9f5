#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope {
namespace {

std::string shown(const Result<History>& history) {
  if (!history) return history.error().text();
  const auto text = format_history(*history, Format::litmus);
  return text ? *text : text.error().text();
}

/// One session's log, in litmus notation or the error.
std::string read(std::string text) {
  return shown(
      read_history(Source::from_memory("J1.log", std::move(text)), {.format = Format::viper}));
}

std::string read_folder(std::vector<Source::NamedBytes> files) {
  return shown(read_history(Source::from_memory_folder("logs", std::move(files)),
                            {.format = Format::viper}));
}

TEST(Viper, ReadsObjectsOneAfterTheOther) {
  EXPECT_EQ(read("{\"value\":[[\"w\",7,1,true],[\"r\",8,2,false]]}\n"
                 "{\"value\":[[\"w\",8,2,true],[\"r\",\"k\",0,false]]}\n{\"value\":[]}\n"),
            "J1: T1 w(7,1) r(8,2) ; T2 w(8,2) r(k,nil) ; T3\n");
}

TEST(Viper, ReadsAnArray) {
  EXPECT_EQ(read(R"([{"value":[["w",7,1,true]]},{"value":[["r",7,1,false]]}])"),
            "J1: T1 w(7,1) ; T2 r(7,1)\n");
}

TEST(Viper, ASessionIsAFileOfTheFolder) {
  EXPECT_EQ(read_folder({{"logs/config.yaml", "not a log"},
                         {"logs/json/J10.log", R"({"value":[["w",7,1,true]]})"},
                         {"logs/json/J9.log", R"({"value":[["r",7,1,false]]})"}}),
            "J10: T1 w(7,1)  |  J9: T2 r(7,1)\n");
  // Without any file J*, all files are sessions.
  EXPECT_EQ(read_folder({{"a.log", R"({"value":[["w",7,1,true]]})"},
                         {"b.log", R"({"value":[["r",7,1,false]]})"}}),
            "a: T1 w(7,1)  |  b: T2 r(7,1)\n");
  // The same name in two folders.
  EXPECT_EQ(read_folder({{"a/J1.log", R"({"value":[["w",7,1,true]]})"},
                         {"b/J1.log", R"({"value":[["r",7,1]]})"}}),
            "J1: T1 w(7,1)  |  \"b/J1.log\": T2 r(7,1)\n");
  // A name that is no text.
  EXPECT_EQ(read_folder({{"\xFF/J1.log", R"({"value":[["w",7,1,true]]})"}}), "1: T1 w(7,1)\n");
  // A client that did nothing has no session.
  EXPECT_EQ(read_folder({{"J1.log", ""}, {"J2.log", R"({"value":[["w",7,1,true]]})"}}),
            "J2: T1 w(7,1)\n");
}

TEST(Viper, TheInitialTransactionIsTheInitialState) {
  EXPECT_EQ(read_folder(
                {{"J1.log",
                  R"({"value":[["w",1,5,true],["i",2,6,true],["r",1,5,false]],"isInitial":true})"},
                 {"J2.log", R"({"value":[["r",1,5,false],["r",3,0,false]],"isInitial":false})"}}),
            "initial nil 1=5 2=6\nJ2: T1 r(1,5) r(3,nil)\n");
  EXPECT_EQ(read(R"({"isInitial":true,"value":[["w",1,5,true]]}{"value":[]})"),
            "initial nil 1=5\nJ1: T1\n");
}

TEST(Viper, WithoutItWhatNobodyWroteWasThereBefore) {
  // Key 1 was 5; key 2 has two such values, key 3 one and a reader that found nothing: these stay
  // unexplained.
  EXPECT_EQ(read(R"({"value":[["r",1,5,false],["r",2,6,false],["r",3,8,false],["w",1,9,true]]}
                    {"value":[["r",1,5,false],["r",2,7,false],["r",3,0,false],["r",1,9,false]]})"),
            "initial nil 1=5\n"
            "J1: T1 r(1,5) r(2,6) r(3,8) w(1,9) ; T2 r(1,5) r(2,7) r(3,nil) r(1,9)\n");
  // Rows of a range are read, too.
  EXPECT_EQ(read(R"({"value":[["range",1,3,[{"id":1,"val":5}],[]]]})"),
            "initial nil 1=5\nJ1: T1 rp(@key between 1 and 3, {1:5})\n");
  // What aborted transactions read proves nothing.
  EXPECT_EQ(read(R"({"value":[["r",1,5,false],["w",2,1,false]]})"), "J1: T1! r(1,5) w(2,1)\n");
}

TEST(Viper, NoValueIsNil) {
  EXPECT_EQ(
      read(
          R"({"value":[["r",1,0,false],["r",1,"nil",false],["r",1,null,false],["w",1,"v",true]]})"),
      "J1: T1 r(1,nil) r(1,nil) r(1,nil) w(1,v)\n");
}

TEST(Viper, TheFlagOfAReadChangesNothing) {
  EXPECT_EQ(read(R"({"value":[["w",1,5,true],["r",1,5,false],["r",1,5,true],["r",1,5]]})"),
            "J1: T1 w(1,5) r(1,5) r(1,5) r(1,5)\n");
}

TEST(Viper, FailedWritesAreLeftOutOrTheTransactionIsAborted) {
  EXPECT_EQ(read(R"({"value":[["w",1,5,true],["w",2,6,false]]})"), "J1: T1 w(1,5)\n");
  EXPECT_EQ(read(R"({"value":[["w",1,5,false],["r",2,0,false],["w",2,6,false]]})"),
            "J1: T1! w(1,5) r(2,nil) w(2,6)\n");
}

TEST(Viper, InsertsAndDeletes) {
  // A deletion leaves its tombstone, here 6; the insert finds it.
  EXPECT_EQ(read(R"({"value":[["w",1,5,true]]}
                    {"value":[["d",1,6,5,false,true]]}
                    {"value":[["r",1,6,true],["i",1,7,6,true,true]]})"),
            "J1: T1 w(1,5) ; T2 r(1,5) w(1,6) ; T3 r(1,6) r(1,6) w(1,7)\n");
  EXPECT_EQ(
      read(R"({"value":[["i",1,5,0,false,true],["d",1],["i",2,6],["i",3,7,true],["d",3,null]]})"),
      "J1: T1 r(1,nil) i(1,5) d(1) i(2,6) i(3,7) d(3)\n");
  // -1 stands for a read that was not logged; a failed deletion only read.
  EXPECT_EQ(read(R"({"value":[["i",1,5,-1,false,true],["d",1,6,5,false,false]]})"),
            "J1: T1 i(1,5) r(1,5)\n");
  EXPECT_EQ(read(R"({"value":[["i",1,5,0,false,true,1,"w"]]})"), "J1: T1 r(1,nil) i(1,5)\n");
}

TEST(Viper, RangesReadLiveAndDeadRows) {
  EXPECT_EQ(read(R"({"value":[["w",1,5,true],["w",2,6,true],
                     ["range",1,9,[{"id":1,"sk":1,"val":5}],[{"val":6,"id":2}]],
                     ["range","nil",9,[],[]],["range",1,"nil",[],[],true],["range",null,null,[],[]],
                     ["range","a","b",[]],["range",1,2,[{"id":3,"val":0}],[]]]})"),
            "J1: T1 w(1,5) w(2,6) rp(@key between 1 and 9, {1:5 2:6}) rp(@key <= 9, {}) rp(@key >= "
            "1, {}) rp(true, "
            "{}) rp(@key between \"a\" and \"b\", {}) rp(@key between 1 and 2, {})\n");
}

TEST(Viper, TimesAreMillisecondsOfTheClient) {
  // The end may have been anywhere in its millisecond.
  EXPECT_EQ(read(R"({"preBeginTS":5,"postBeginTS":6,"preCommitTS":7,"postCommitTS":8,"value":[]}
                    {"preBeginTS":-1,"postCommitTS":-1,"value":[]}
                    {"preBeginTS":9,"postCommitTS":9,"value":[]})"),
            "initial nil\nJ1: T1@5000000..8999999 ; T2 ; T3@9000000..9999999\n");
}

TEST(Viper, MistakesAreLocated) {
  const std::string operation =
      "expected an operation: an array that starts with \"r\", \"w\", \"i\", \"d\" or \"range\", "
      "found ";
  const std::string key = "expected a key: an integer or a string, found ";
  const std::string value = "expected null, an integer or a string, found ";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"7", "1:1: expected a transaction such as {\"value\":[...]}, found 7"},
      {"[7]", "1:2: expected a transaction such as {\"value\":[...]}, found 7"},
      {"[{\"value\":[]}] 7", "1:16: expected the end of the input, found 7"},
      {"{\"value\":[]}\n7", "2:1: expected a transaction such as {\"value\":[...]}, found 7"},
      {"{\"value\":[]},", "1:13: expected a transaction such as {\"value\":[...]}, found ,"},
      {"{}", "1:2: expected a member \"value\" before the end of the transaction, found none"},
      {"{\"value\":7}", "1:10: expected an array of operations, found 7"},
      {"{\"value\":[7]}", "1:11: " + operation + "7"},
      {"{\"value\":[[]]}", "1:12: " + operation + "]"},
      {"{\"value\":[[7]]}", "1:12: " + operation + "7"},
      {"{\"value\":[[\"append\",1,2]]}", "1:12: " + operation + "\"append\""},
      {"{\"value\":[[\"r\"]]}", "1:15: expected a key, found ]"},
      {"{\"value\":[[\"r\",[]]]}", "1:16: " + key + "["},
      {"{\"value\":[[\"r\",1]]}", "1:17: expected a value, found ]"},
      {"{\"value\":[[\"r\",1,[2]]]}", "1:18: " + value + "["},
      {"{\"value\":[[\"r\",1,2.5]]}", "1:18: " + value + "2.5"},
      {"{\"value\":[[\"w\",1]]}", "1:17: expected a value, found ]"},
      {"{\"value\":[[\"w\",1,2,3]]}", "1:20: expected true or false, found 3"},
      {"{\"value\":[[\"d\",1,2,3,4]]}", "1:22: expected true or false: was it dead, found 4"},
      {"{\"value\":[[\"d\",1,2,3,true,5]]}", "1:27: expected true or false, found 5"},
      {"{\"value\":[[\"range\"]]}",
       "1:19: expected the least key of the range, or \"nil\", found ]"},
      {"{\"value\":[[\"range\",1]]}",
       "1:21: expected the greatest key of the range, or \"nil\", found ]"},
      {"{\"value\":[[\"range\",1,2]]}", "1:23: expected the live rows, found ]"},
      {"{\"value\":[[\"range\",1,2,3]]}",
       "1:24: expected an array of rows {\"id\":KEY,\"val\":VALUE}, found 3"},
      {"{\"value\":[[\"range\",1,2,[3]]]}",
       "1:25: expected a row {\"id\":KEY,\"val\":VALUE}, found 3"},
      {"{\"value\":[[\"range\",1,2,[{\"id\":3}]]]}",
       "1:32: expected a row with \"id\" and \"val\", found one without"},
      {"{\"value\":[[\"range\",true,2,[]]]}", "1:20: expected an integer or a string, found true"},
      {"{\"value\":[],\"isInitial\":1}", "1:25: expected true or false, found 1"},
      {"{\"preBeginTS\":\"x\",\"value\":[]}", "1:15: expected a time in milliseconds, found \"x\""},
      {"{\"preBeginTS\":-7,\"value\":[]}",
       "1:15: expected a time in milliseconds, found one out of range"},
      {"{\"postCommitTS\":9223372036855,\"value\":[]}",
       "1:17: expected a time in milliseconds, found one out of range"},
      {"{\"preBeginTS\":9,\"postCommitTS\":8,\"value\":[]}",
       "1:32: expected \"postCommitTS\" not before \"preBeginTS\", found it before"},
      {"{\"value\":[[\"r\",1,2", "1:19: expected ',' or ']', found the end of the input"},
      {std::string(10000, '['), "1:2: expected a transaction such as {\"value\":[...]}, found ["},
      {"{\"x\":" + std::string(10000, '['),
       "1:261: expected at most 256 nested brackets, found more"},
  };
  for (const auto& [text, error] : mistakes) EXPECT_EQ(read(text), "J1.log:" + error) << text;
  EXPECT_EQ(read_folder({{"J1.log", "{\"value\":[]}"}, {"J2.log", "\n {\"value\":7}"}}),
            "J2.log:2:11: expected an array of operations, found 7");
  EXPECT_EQ(read_folder({}), "logs: expected at least one transaction, found none");
  EXPECT_EQ(read(""), "J1.log:1:1: expected a history, found an empty file");
  EXPECT_EQ(read("[]"), "J1.log:1:1: expected at least one transaction, found none");
}

TEST(Viper, EveryTruncationIsAHistoryOrALocatedError) {
  const std::string text =
      "{\"value\":[[\"w\",7,1,true],[\"d\",\"\\u00e9\",2,null,false,true]],\"isInitial\":false,"
      "\"preBeginTS\":5}\n"
      "{\"value\":[[\"range\",\"nil\",9,[{\"id\":1,\"val\":-5}],[]]]}\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto history =
        read_history(Source::from_memory("in", text.substr(0, size)), {.format = Format::viper});
    if (history) continue;
    EXPECT_LE(history.error().position.byte, size);
    EXPECT_EQ(history.error().text().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace isoscope
