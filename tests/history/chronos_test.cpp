#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope {
namespace {

/// In litmus notation, or the error.
std::string read(std::string text) {
  const Source source = Source::from_memory("in", std::move(text));
  const Result<History> history = read_history(source, {.format = Format::chronos});
  if (!history) return history.error().text();
  const auto printed = format_history(*history, Format::litmus);
  return printed ? *printed : printed.error().text();
}

std::string transaction(std::string name, std::string times, std::string operations) {
  return "{\"tid\":" + name + ",\"sid\":1," + times + ",\"ops\":[" + operations + "]}";
}
const std::string some_times = R"("sts":{"p":1,"l":0},"cts":{"p":2,"l":0})";

/// The only transaction's times as they were mapped.
std::string times(const std::string& text) {
  const std::string printed = read("[" + transaction("7", text, "") + "]");
  const std::string before = "initial nil\n1: T7@";
  if (!printed.starts_with(before)) return printed;
  return printed.substr(before.size(), printed.size() - before.size() - 1);
}

TEST(Chronos, ReadsTransactionsOfSessions) {
  EXPECT_EQ(read(R"([{"tid":67,"sid":19,"sts":{"p":10,"l":0},"cts":{"p":12,"l":0},
                      "ops":[{"t":"w","k":7,"v":2},{"t":"r","k":8,"v":3}]},
                     {"tid":"x","sid":"s","sts":{"p":11,"l":0},"cts":{"p":11,"l":0},"ops":[]},
                     {"rtts":5,"ops":[{"v":"a","k":"b","t":"w","extra":[1]}],"cts":{"l":0,"p":20},
                      "sts":{"l":0,"p":"13"},"sid":19,"tid":"T68"}])"),
            "19: T67@10..12 w(7,2) r(8,3) ; T68@13..20 w(b,a)  |  s: x@11..11\n");
  EXPECT_EQ(read("[]"), "initial nil\n");
}

TEST(Chronos, OperationTypesInFullAndInAnyCase) {
  EXPECT_EQ(
      read("[" +
           transaction("1", some_times, R"({"t":"WRITE","k":1,"v":2},{"t":"Read","k":1,"v":2})") +
           "]"),
      "1: T1@1..2 w(1,2) r(1,2)\n");
  EXPECT_EQ(
      read("[" +
           transaction("1", some_times, R"({"t":"Append","k":1,"v":2},{"t":"R","k":1,"v":[2]})") +
           "]"),
      "1: T1@1..2 a(1,2) r(1,[2])\n");
}

TEST(Chronos, AMissingValueIsNilOrTheEmptyList) {
  EXPECT_EQ(
      read("[" + transaction("1", some_times, R"({"t":"r","k":1},{"t":"w","k":1,"v":null})") + "]"),
      "1: T1@1..2 r(1,nil) w(1,nil)\n");
  EXPECT_EQ(read("[" + transaction("1", some_times, R"({"t":"r","k":1},{"t":"r","k":2,"v":null})") +
                 "," + transaction("2", some_times, R"({"t":"a","k":1,"v":5})") + "]"),
            "1: T1@1..2 r(1,[]) r(2,[]) ; T2@1..2 a(1,5)\n");
}

TEST(Chronos, ZeroIsInitialWhereItIsReadAndNeverWritten) {
  const auto with = [](std::string operations) {
    return read("[" + transaction("1", some_times, std::move(operations)) + "]");
  };
  EXPECT_EQ(with(R"({"t":"r","k":1,"v":0})"), "initial 0\n1: T1@1..2 r(1,0)\n");
  EXPECT_EQ(with(R"({"t":"r","k":1,"v":0},{"t":"w","k":2,"v":0})"), "1: T1@1..2 r(1,0) w(2,0)\n");
  EXPECT_EQ(with(R"({"t":"r","k":1,"v":0},{"t":"r","k":2})"), "1: T1@1..2 r(1,0) r(2,nil)\n");
  EXPECT_EQ(with(R"({"t":"r","k":1,"v":0},{"t":"a","k":2,"v":1})"), "1: T1@1..2 r(1,0) a(2,1)\n");
}

TEST(Chronos, HybridTimestampsKeepTheirOrder) {
  // No logical part: the number itself, however large.
  EXPECT_EQ(times(R"("sts":{"p":448719026730565749},"cts":{"p":448719026770149417,"l":0})"),
            "448719026730565749..448719026770149417");
  EXPECT_EQ(times(R"("sts":{"p":448719026730565749,"l":1},"cts":{"p":448719026730565749,"l":15})"),
            "7179504427689051985..7179504427689051999");
  // Microseconds become nanoseconds.
  EXPECT_EQ(times(R"("sts":{"p":1691420095436341,"l":61},"cts":{"p":"1691420095659914","l":"18"})"),
            "1691420095436341061..1691420095659914018");
  EXPECT_EQ(times(R"("sts":{"p":3,"l":4095},"cts":{"p":4,"l":0})"), "16383..16384");
  EXPECT_EQ(times(R"("sts":{"p":3,"l":4096},"cts":{"p":4,"l":0})"), "200704..262144");
  EXPECT_EQ(times(R"("sts":{"p":1,"l":4294967295},"cts":{"p":2,"l":0})"), "8589934591..8589934592");
  EXPECT_EQ(times(R"("sts":{"p":-5,"l":1},"cts":{"p":-4,"l":0})"), "-79..-64");
}

TEST(Chronos, MistakesAreLocated) {
  const std::string head = R"([{"tid":1,"sid":2,)";
  const std::string operation =
      "expected an operation such as {\"t\":\"r\",\"k\":1,\"v\":2}, found ";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "1:1: expected an array of transactions, found the end of the input"},
      {"{}", "1:1: expected an array of transactions, found {"},
      {"[7]", "1:2: expected a transaction, found 7"},
      {"[] 7", "1:4: expected the end of the input, found 7"},
      {"[{}]", "1:3: expected a member \"tid\" before the end of the transaction, found none"},
      {head + some_times + "}]",
       "1:58: expected a member \"ops\" before the end of the transaction, found none"},
      {"[{\"tid\":1,\"tid\":2}]", "1:11: expected \"tid\" once, found it again"},
      {"[{\"tid\":[]}]", "1:9: expected an integer or a string, found ["},
      {"[{\"sid\":null}]", "1:9: expected an integer or a string, found null"},
      {"[" + transaction("5", some_times, "") + ",\n" + transaction("\"T5\"", some_times, "") + "]",
       "2:8: expected a \"tid\" that no earlier transaction has, found one again"},
      {head + "\"sts\":7}]", "1:25: expected a timestamp such as {\"p\":100,\"l\":0}, found 7"},
      {head + "\"sts\":{\"l\":1}}]",
       "1:31: expected a member \"p\" before the end of the timestamp, found none"},
      {head + "\"sts\":{\"q\":1}}]", "1:26: expected \"p\" or \"l\", found \"q\""},
      {head + "\"sts\":{\"p\":1.5}}]", "1:30: expected an integer, found 1.5"},
      {head + "\"sts\":{\"p\":\"1x\"}}]", "1:30: expected an integer, found \"1x\""},
      {head + "\"sts\":{\"p\":1,\"l\":-1}}]",
       "1:36: expected a logical part that is not negative, found one that is"},
      {head + "\"sts\":{\"p\":1,\"l\":4294967296}}]",
       "1:25: expected a logical part below 4294967296, found 4294967296"},
      {head + "\"sts\":{\"p\":9223372036854775807,\"l\":1}}]",
       "1:25: expected a timestamp whose parts fit in 64 bits together, found p "
       "9223372036854775807 where l "
       "needs a factor of 16"},
      {head + "\"sts\":{\"p\":5},\"cts\":{\"p\":4}}]",
       "1:39: expected \"cts\" not before \"sts\", found it before"},
      {head + "\"cts\":{\"p\":5,\"l\":1},\"sts\":{\"p\":5,\"l\":2}}]",
       "1:45: expected \"cts\" not before \"sts\", found it before"},
      {head + "\"ops\":7}]", "1:25: expected an array of operations, found 7"},
      {head + "\"ops\":[7]}]", "1:26: " + operation + "7"},
      {head + "\"ops\":[{}]}]",
       "1:27: expected a member \"t\" before the end of the operation, found none"},
      {head + "\"ops\":[{\"t\":\"r\"}]}]",
       "1:34: expected a member \"k\" before the end of the operation, found none"},
      {head + "\"ops\":[{\"t\":7}]}]",
       "1:31: expected an operation type: \"r\", \"w\" or \"a\", found 7"},
      {head + "\"ops\":[{\"t\":\"rw\"}]}]",
       "1:31: expected an operation type: \"r\", \"w\" or \"a\", found \"rw\""},
      {head + "\"ops\":[{\"k\":true}]}]", "1:31: expected an integer or a string, found true"},
      {head + "\"ops\":[{\"v\":true}]}]",
       "1:31: expected null, an integer, a string, a row or a list, found true"},
      {head + "\"ops\":[{\"t\":\"w\",\"k\":1,\"v\":[1]}]}]",
       "1:26: expected one value to be written, found a list"},
      {head + "\"ops\":[{\"t\":\"a\",\"k\":1}]}]",
       "1:26: expected an element to be appended, found none"},
      {"[{\"x\":" + std::string(10000, '['),
       "1:261: expected at most 256 nested brackets, found more"},
  };
  for (const auto& [text, error] : mistakes) EXPECT_EQ(read(text), "in:" + error) << text;
}

TEST(Chronos, EveryTruncationIsALocatedError) {
  const std::string text = "[" +
                           transaction("1", R"("sts":{"p":1,"l":5},"cts":{"p":"2","l":3})",
                                       R"({"t":"w","k":1,"v":-2})") +
                           ",\n" + transaction("2", some_times, R"({"t":"r","k":1,"v":[1,2]})") +
                           "]";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto history =
        read_history(Source::from_memory("in", text.substr(0, size)), {.format = Format::chronos});
    ASSERT_FALSE(history) << size;
    EXPECT_LE(history.error().position.byte, size);
    EXPECT_GT(history.error().position.line, 0u);
    EXPECT_EQ(history.error().text().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace isoscope
