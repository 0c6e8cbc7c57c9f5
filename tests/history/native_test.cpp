#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "history/history_text.h"
#include "history/native_text.h"
#include "history/random_history.h"
#include "isoscope/base/limits.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using namespace test;

constexpr const char* one_of_everything =
    R"({"isoscope-history":1,"origin":"by hand","initial":{"default":0,"values":[["x",7],[["t",1],{"a":1}]]}}
{"session":"a","id":5,"begin":10,"end":20,"ops":[["r","x",7],["w","x",8],["r","x"],["r","y",null]]}
{"session":2,"id":"named","outcome":"aborted","ops":[["insert",["t",2],{"a":"x","b":null}],["delete",["t",1]]]}
{"session":"a","id":1,"outcome":"indeterminate","end":30,"ops":[["append",9,"e"],["r",9,["e",1]],["rp",["=","a","x"],[[2,{"a":"x"}]],"t"],["wp",true,[["x",1],["y",null]]],["wp",true,null]]}
)";

TEST(Native, ReadsOneOfEverything) {
  EXPECT_EQ(test::history_text(good(one_of_everything)), R"(origin "by hand"
initial 0
  ""."x"=7
  "t".1={"a":1 }
session "a"
session 2
"a": transaction 5 committed 10..20
    read ""."x" 7
    write ""."x" 8
    read ""."x" ?
    read ""."y" nil
2: transaction "named" aborted -..-
    insert "t".2 {"a":"x" "b":nil }
    delete "t".1 nil
"a": transaction 1 indeterminate -..30
    append "".9 "e"
    list read "".9 ["e" 1 ]
    predicate read "t" ["=","a","x"] "t".2={"a":"x" }
    predicate write "" true ""."x"=1 ""."y"=nil
    predicate write "" true unreported
)");
}

TEST(Native, WritesOneOfEverythingAsItWas) {
  EXPECT_EQ(written(good(one_of_everything)), one_of_everything);
}

TEST(Native, IdsAreOptionalAndLabelsAreNumbers) {
  const History history =
      good(header +
           "{\"session\":1,\"ops\":[]}\n{\"session\":1,\"id\":\"T1\",\"ops\":[]}\n"
           "{\"session\":1,\"id\":\"T01\",\"ops\":[]}\n");
  EXPECT_EQ(history.label(TransactionId(0)), "T2");
  EXPECT_EQ(history.label(TransactionId(1)), "T1");
  EXPECT_EQ(history.values().kind(history.name(TransactionId(1))), ValueKind::integer);
  EXPECT_EQ(history.values().kind(history.name(TransactionId(2))), ValueKind::string);
}

TEST(Native, InitialStates) {
  const auto initial = [](const std::string& json) {
    const std::string text = "{\"isoscope-history\":1,\"initial\":" + json + "}\n";
    EXPECT_EQ(written(good(text)), text);
    return good(text);
  };
  EXPECT_EQ(initial("\"nil\"").initial_default(), ValuePool::nil);
  EXPECT_EQ(initial("\"none\"").initial_default(), std::nullopt);
  EXPECT_EQ(good("{\"isoscope-history\":1}").initial_default(), ValuePool::nil);
  EXPECT_EQ(good("{\"isoscope-history\":1,\"initial\":{\"default\":null}}").initial_default(),
            ValuePool::nil);
  EXPECT_EQ(good("{\"isoscope-history\":1,\"initial\":{}}").initial_default(), std::nullopt);
  EXPECT_EQ(initial("{\"default\":[]}").initial_default(), ValuePool::empty_list);
  const History listed = initial("{\"values\":[[\"x\",1]]}");
  EXPECT_EQ(listed.initial_default(), std::nullopt);
  EXPECT_EQ(listed.initial_rows().size(), 1U);
  initial("{\"default\":null,\"values\":[[\"x\",null],[[\"t\",\"x\"],[1,{\"a\":2}]]]}");
  initial("{\"default\":\"none\"}");
}

TEST(Native, SessionsWithoutTransactionsAreListed) {
  const std::string text =
      "{\"isoscope-history\":1,\"initial\":\"nil\",\"sessions\":[\"idle\",\"b\",3]}\n"
      "{\"session\":3,\"id\":1,\"ops\":[]}\n";
  const History history = good(text);
  EXPECT_EQ(history.session_count(), 3U);
  EXPECT_EQ(history.session(SessionId(0)).size(), 0U);
  EXPECT_EQ(written(history), text);
}

TEST(Native, LayoutDoesNotMatter) {
  const std::string plain = header + "{\"session\":1,\"id\":4,\"ops\":[[\"w\",1,2]]}\n";
  const std::string expected = written(good(plain));
  for (const std::string& text :
       {"\xEF\xBB\xBF" + plain, "\n\n" + header + "\n \r\n" + plain.substr(header.size()) + "\n\n",
        header + "{\n  \"session\" : 1 ,\r\n  \"id\" : 4 ,\n\"ops\" : [\n[ \"w\" , 1 , 2 ]\n]\n}",
        header + "{\"ops\":[[\"w\",1,2]],\"id\":\"T4\",\"session\":1}",
        header + "{\"x-a\":{\"b\":[1.5,true]},\"session\":1,\"x-a\":0,\"id\":4,\"ops\":[[\"w\",1,2]"
                 "],\"x-\":null}",
        std::string() +
            "{\"isoscope-history\":1,\"x-tool\":\"t\"}{\"session\":1,\"id\":4,\"outcome\":"
            "\"committed\",\"ops\":[[\"\\u0077\",1,2]]}"}) {
    EXPECT_EQ(written(good(text)), expected) << text;
  }
}

TEST(Native, IsRecognisedByItsHeader) {
  for (const char* text : {"{\"isoscope-history\":1}", "\xEF\xBB\xBF \n { \"isoscope-history\" :1}",
                           "{\"isoscope-history\":99}"}) {
    const auto format = recognise_format(Source::from_memory("h", text));
    ASSERT_TRUE(format) << text;
    EXPECT_EQ(*format, Format::native) << text;
  }
}

TEST(Native, RandomHistoriesSurvive) {
  for (std::uint64_t seed = 0; seed < 2000 * static_cast<std::uint64_t>(test_scale()); ++seed) {
    const History history = test::random_history(seed);
    const std::string text = written(history);
    const History again = good(text);
    ASSERT_EQ(test::history_text(again), test::history_text(history)) << "seed " << seed << '\n'
                                                                      << text;
    ASSERT_EQ(written(again), text) << "seed " << seed;
  }
}

TEST(Native, TheHeaderIsChecked) {
  EXPECT_EQ(
      error_of(""),
      "h:1:1: expected a header such as {\"isoscope-history\":1}, found the end of the input");
  EXPECT_EQ(error_of("[1]"), "h:1:1: expected a header such as {\"isoscope-history\":1}, found [");
  EXPECT_EQ(error_of("{}"),
            "h:1:2: expected \"isoscope-history\" as the header's first member, found }");
  EXPECT_EQ(error_of("{\"session\":1}"),
            "h:1:2: expected \"isoscope-history\" as the header's first member, found \"session\"");
  EXPECT_EQ(error_of("{\"isoscope-history\":2}"),
            "h:1:21: expected format version 1, the only one known here, found 2");
  EXPECT_EQ(error_of("{\"isoscope-history\":\"1\"}"),
            "h:1:21: expected a format version: 1, found \"1\"");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"intial\":\"nil\"}"),
            "h:1:23: expected \"origin\", \"initial\", \"indeterminate-cuts\", \"cut-line\", "
            "\"sessions\" or \"levels\", "
            "found \"intial\"");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"initial\":\"nil\",\"initial\":\"nil\"}"),
            "h:1:39: expected \"initial\" once, found it again");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"initial\":\"nul\"}"),
            "h:1:33: expected an initial state: \"nil\", \"none\" or "
            "{\"default\":VALUE,\"values\":[[KEY,VALUE],...]}, found \"nul\"");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"initial\":{\"values\":[[1,2],[1,3]]}}"),
            "h:1:51: expected each key once, found 1 again");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"sessions\":[\"a\",\"a\"]}"),
            "h:1:39: expected each session once, found \"a\" again");
  for (const char* rest :
       {"\"initial\":null", "\"initial\":0", "\"initial\":[]", "\"initial\":{\"other\":1}",
        "\"initial\":{\"values\":{}}", "\"initial\":{\"values\":[1]}",
        "\"initial\":{\"values\":[[]]}", "\"initial\":{\"values\":[[1]]}",
        "\"initial\":{\"values\":[[1,2,3]]}", "\"initial\":{\"values\":[[null,2]]}",
        "\"initial\":{\"default\":1.5}", "\"initial\":{\"default\":[[1]]}", "\"origin\":1",
        "\"sessions\":{}", "\"sessions\":[null]"}) {
    EXPECT_NE(error_of("{\"isoscope-history\":1," + std::string(rest) + "}"), "") << rest;
  }
}

TEST(Native, ACutLineIsIgnoredWhereTheHeaderSaysSo) {
  const std::string first = "{\"isoscope-history\":1,\"cut-line\":\"ignore\"}\n";
  const std::string one = "{\"session\":1,\"ops\":[[\"w\",\"a\\\"}]\",1]]}\n";
  const std::string two = "{\"session\":2,\"ops\":[[\"r\",\"x\",[1,2]]]}";
  for (std::size_t size = 0; size < two.size(); ++size)
    EXPECT_EQ(good(first + one + two.substr(0, size)).transaction_count(), 1u) << size;
  for (std::size_t size = 0; size + 1 < one.size(); ++size)
    EXPECT_EQ(good(first + one.substr(0, size)).transaction_count(), 0u) << size;
  EXPECT_EQ(good(first + one + two).transaction_count(), 2u);
  // A line that is whole but wrong, or not the last, is an error as ever.
  EXPECT_NE(error_of(first + two.substr(0, 9) + "\n" + one), "");
  EXPECT_NE(error_of(first + "{\"session\":1}"), "");
  EXPECT_NE(error_of(first + one + "x"), "");
  EXPECT_NE(error_of("{\"isoscope-history\":1}\n" + one + two.substr(0, 9)), "");
  EXPECT_EQ(error_of("{\"isoscope-history\":1,\"cut-line\":\"drop\"}"),
            "h:1:34: expected \"error\" or \"ignore\", found \"drop\"");
}

TEST(Native, TransactionsAreChecked) {
  EXPECT_EQ(line_error("[]"), "h:2:1: expected a transaction, found [");
  EXPECT_EQ(line_error("{\"session\":1,\"outcom\":\"aborted\",\"ops\":[]}"),
            "h:2:14: expected \"session\", \"id\", \"outcome\", \"begin\", \"end\", \"stamp\", "
            "\"level\" or \"ops\", found \"outcom\"");
  EXPECT_EQ(line_error("{\"session\":1,\"session\":1,\"ops\":[]}"),
            "h:2:14: expected \"session\" once, found it again");
  EXPECT_EQ(line_error("{\"ops\":[]}"),
            "h:2:10: expected a member \"session\" before the end of the object, found none");
  EXPECT_EQ(line_error("{\"session\":1}"),
            "h:2:13: expected a member \"ops\" before the end of the object, found none");
  EXPECT_EQ(line_error("{\"session\":null,\"ops\":[]}"),
            "h:2:12: expected an integer or a string, found null");
  EXPECT_EQ(line_error("{\"session\":1.5,\"ops\":[]}"),
            "h:2:12: expected an integer or a string, found 1.5");
  EXPECT_EQ(line_error("{\"session\":1,\"outcome\":\"commited\",\"ops\":[]}"),
            "h:2:24: expected \"committed\", \"aborted\" or \"indeterminate\", found \"commited\"");
  EXPECT_EQ(line_error("{\"session\":1,\"begin\":20,\"end\":10,\"ops\":[]}"),
            "h:2:31: expected an end that is not before the begin, found begin 20 and end 10");
  EXPECT_EQ(line_error("{\"session\":1,\"end\":10,\"ops\":[],\"begin\":20}"),
            "h:2:40: expected an end that is not before the begin, found begin 20 and end 10");
  EXPECT_EQ(line_error("{\"session\":1,\"begin\":1e3,\"ops\":[]}"),
            "h:2:22: expected a time in nanoseconds, found 1e3");
  EXPECT_EQ(line_error("{\"session\":1,\"begin\":-9223372036854775808,\"ops\":[]}"),
            "h:2:22: expected a time in nanoseconds, found the smallest integer");
  EXPECT_EQ(
      line_error("{\"session\":1,\"id\":1,\"ops\":[]}\n{\"session\":2,\"id\":\"T1\",\"ops\":[]}"),
      "h:3:19: expected an id that no earlier transaction has, found 1 again");
  EXPECT_EQ(line_error(
                "{\"session\":1,\"id\":\"a\",\"ops\":[]}\n{\"session\":2,\"ops\":[],\"id\":\"a\"}"),
            "h:3:28: expected an id that no earlier transaction has, found \"a\" again");
  EXPECT_EQ(line_error("{\"session\":1,\"ops\":[]},"), "h:2:23: expected a transaction, found ,");
  for (const char* line :
       {"{", "{}", "7", "{\"session\":true,\"ops\":[]}", "{\"session\":[1],\"ops\":[]}",
        "{\"session\":1,\"id\":null,\"ops\":[]}", "{\"session\":1,\"id\":1.5,\"ops\":[]}",
        "{\"session\":1,\"outcome\":1,\"ops\":[]}", "{\"session\":1,\"ops\":{}}",
        "{\"session\":1,\"ops\":null}", "{\"session\":1,\"ops\":[],}",
        "{\"session\":1,\"ops\":[]}}", "{\"session\":99999999999999999999,\"ops\":[]}",
        "{\"session\":1,\"x-\":[1,],\"ops\":[]}", "{\"session\":1,\"\\n\":1,\"ops\":[]}"}) {
    const std::string error = line_error(line);
    EXPECT_TRUE(error.starts_with("h:2:")) << line << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << "one line";
  }
}

TEST(Native, OperationsAreChecked) {
  EXPECT_EQ(operation_error("[\"read\",1,2]"),
            "h:2:22: expected an operation: an array that starts with r, w, insert, delete, "
            "append, add, cas, swap, rp or wp, "
            "found \"read\"");
  EXPECT_EQ(operation_error("[\"r\",null,2]"),
            "h:2:26: expected a key: an integer, a string or [table, key], found null");
  EXPECT_EQ(operation_error("[\"r\",1,1.5]"),
            "h:2:28: expected null, an integer, a string or a row, found 1.5");
  EXPECT_EQ(operation_error("[\"r\",1,true]"),
            "h:2:28: expected null, an integer, a string or a row, found true");
  EXPECT_EQ(operation_error("[\"w\",1,18446744073709551615]"),
            "h:2:28: expected null, an integer, a string or a row, found 18446744073709551615");
  EXPECT_EQ(operation_error("[\"w\",1,[2]]"),
            "h:2:28: expected null, an integer, a string or a row, found [");
  EXPECT_EQ(operation_error("[\"w\",1]"), "h:2:27: expected a value, found ]");
  EXPECT_EQ(operation_error("[\"r\",1,2,3]"),
            "h:2:30: expected ']' at the end of the operation, found 3");
  EXPECT_EQ(operation_error("[\"delete\",1,2]"),
            "h:2:33: expected ']' at the end of a delete, found 2");
  EXPECT_EQ(operation_error("[\"w\",1,{\"a\":1,\"b\":2,\"a\":3}]"),
            "h:2:28: expected a row of distinct columns, found \"a\" twice");
  EXPECT_EQ(operation_error("[\"w\",1,{\"@key\":1}]"),
            "h:2:29: expected a column name that does not start with @, found \"@key\"");
  EXPECT_EQ(operation_error("[\"w\",1,{\"a\":{}}]"),
            "h:2:33: expected null, an integer or a string, found {");
  EXPECT_EQ(operation_error("[\"rp\",true,[[1,null]]]"),
            "h:2:36: expected the value of a row that was returned, found null");
  EXPECT_EQ(operation_error("[\"rp\",true]"), "h:2:31: expected the rows, or null, found ]");
  EXPECT_EQ(operation_error("[\"rp\",[\"like\"],[]]").substr(0, 32),
            "h:2:28: expected a predicate: tr");
  for (const char* operation : {"1",
                                "{}",
                                "[]",
                                "[1]",
                                "[\"r\"]",
                                "[\"r\",{}]",
                                "[\"r\",[]]",
                                "[\"r\",[\"t\"]]",
                                "[\"r\",[\"t\",1,2],3]",
                                "[\"r\",[1,2],3]",
                                "[\"r\",[\"t\",null],3]",
                                "[\"r\",1,[[1]]]",
                                "[\"r\",1,[1.5]]",
                                "[\"r\",1,[1,]]",
                                "[\"insert\",1]",
                                "[\"append\",1]",
                                "[\"append\",1,[2]]",
                                "[\"delete\"]",
                                "[\"w\",1,\"a\xFF\"]",
                                "[\"w\",1,\"\\ud800\"]",
                                "[\"w\",1,01]",
                                "[\"w\",-,1]",
                                "[\"rp\"]",
                                "[\"rp\",true,{}]",
                                "[\"rp\",true,[1]]",
                                "[\"rp\",true,[[1]]]",
                                "[\"rp\",true,[[1,2,3]]]",
                                "[\"rp\",true,[[[\"t\",1],2]]]",
                                "[\"rp\",true,[[1,[2]]]]",
                                "[\"rp\",true,[],7]",
                                "[\"rp\",true,[],\"t\",1]",
                                "[\"rp\",true,null,null]",
                                "[\"wp\",false,[]]",
                                "[\"wp\",[\"=\",\"@x\",1],[]]",
                                "[\"r\",1,2",
                                "[\"\\n\",1,2]",
                                "[\"r\" 1]"}) {
    const std::string error = operation_error(operation);
    EXPECT_TRUE(error.starts_with("h:2:")) << operation << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << "one line";
  }
}

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator(ISOSCOPE_SOURCE_DIR "/tests/corpus/native")) {
    std::stringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  EXPECT_GE(texts.size(), 5U);
  return texts;
}

TEST(Native, ExamplesAreRead) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ISOSCOPE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".jsonl") continue;
    ++count;
    const auto source = Source::open(entry.path().string());
    ASSERT_TRUE(source);
    const auto history = read_history(*source);
    ASSERT_TRUE(history) << history.error().text();
    EXPECT_FALSE(history->origin().empty());
    EXPECT_GE(history->transaction_count(), 3U);
    EXPECT_EQ(test::history_text(good(written(*history))), test::history_text(*history));
  }
  EXPECT_GE(count, 3U);
}

TEST(Native, EveryPrefixReadsOrSaysWhereItStopped) {
  for (const std::string& text : corpus()) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto history = read(text.substr(0, length));
      if (history) continue;
      ASSERT_EQ(history.error().source, "h");
      ASSERT_GE(history.error().position.line, 1U);
      ASSERT_GE(history.error().position.column, 1U);
      ASSERT_LE(history.error().position.byte, length);
      ASSERT_NE(history.error().what, "");
      ASSERT_EQ(history.error().what.find('\n'), std::string::npos);
    }
  }
}

TEST(Native, EveryChangedByteReadsOrSaysWhereItStopped) {
  for (const std::string& original : corpus()) {
    for (std::size_t at = 0; at < original.size(); ++at) {
      for (const char byte : {'"', ']', '0', ' ', '\xFF'}) {
        std::string text = original;
        text[at] = byte;
        const auto history = read(text);
        if (history) {
          ASSERT_EQ(written(good(written(*history))), written(*history));
        } else {
          ASSERT_GE(history.error().position.line, 1U) << history.error().text();
        }
      }
    }
  }
}

TEST(Native, TenThousandBracketsAreAnError) {
  const std::string brackets(10'000, '[');
  EXPECT_NE(error_of(brackets), "");
  for (const std::string& start :
       {std::string("{\"session\":1,\"ops\":"), std::string("{\"session\":1,\"x-a\":"),
        std::string("{\"session\":1,\"ops\":[[\"r\",1,"),
        std::string("{\"session\":1,\"ops\":[[\"rp\",")}) {
    EXPECT_TRUE(line_error(start + brackets).starts_with("h:2:")) << start;
  }
}

/// `piece`, repeated `times` times between `first` and `last`, compressed: a large file that takes
/// no space.
std::string compressed(const std::string& first, const std::string& piece, std::size_t times,
                       const std::string& last) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::string packed;
  const auto feed = [&](const std::string& bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      char block[4096];
      ZSTD_outBuffer out{block, sizeof block, 0};
      left = ZSTD_compressStream2(context, &out, &in, end);
      packed.append(block, out.pos);
    } while (in.pos < in.size || (end == ZSTD_e_end && left != 0));
  };
  feed(first, ZSTD_e_continue);
  for (std::size_t i = 0; i < times; ++i) feed(piece, ZSTD_e_continue);
  feed(last, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  return packed;
}

TEST(Native, AHugeLineIsReadWithoutBeingHeld) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  std::string notes;
  while (notes.size() < megabyte) notes += "0,\"" + std::string(1000, 'x') + "\",";
  const std::string packed = compressed(
      header + "{\"session\":1,\"ops\":[[\"w\",1,2]],\"x-notes\":[", notes, 100, "0]}\n");
  const std::size_t before = peak_resident_memory();
  EXPECT_EQ(good(packed).operation_count(), 1U);
  EXPECT_LT(peak_resident_memory() - before, 50 * megabyte);
}

TEST(Native, AHugeStringIsAnErrorBeforeItIsHeld) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  const std::string packed = compressed(header + "{\"session\":1,\"ops\":[[\"w\",1,\"",
                                        std::string(megabyte, 'x'), 500, "\"]]}\n");
  const std::size_t before = peak_resident_memory();
  EXPECT_EQ(error_of(packed), "h:2:28: expected a string of at most 64 MiB, found a longer one");
  EXPECT_LT(peak_resident_memory() - before, 300 * megabyte);
}

TEST(Native, ALongTransactionKeepsItsPositions) {
  std::string text = header + "{\"session\":1,\"ops\":[[\"w\",1,2]";
  for (int i = 0; i < 100'000; ++i) text += ",[\"w\",1,2]";
  const std::size_t column = text.size() - header.size() + 1;
  text += "x";
  EXPECT_EQ(error_of(text), "h:2:" + std::to_string(column) + ": expected ',' or ']', found x");
}

TEST(Native, TruncatedCompressionIsAnError) {
  const std::string packed =
      compressed(header, "{\"session\":1,\"ops\":[[\"w\",1,2]]}\n", 1000, "");
  EXPECT_EQ(good(packed).operation_count(), 1000U);
  for (const std::size_t length : {std::size_t{5}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_NE(error_of(packed.substr(0, length)).find("zstd"), std::string::npos) << length;
  }
}

TEST(Native, AFolderIsRefused) {
  const auto history = read_history(Source::from_memory_folder("f", {{"a", header}}));
  ASSERT_FALSE(history);
  EXPECT_EQ(
      history.error().text(),
      "expected a file, or a folder that is one history (Cobra, Viper), found a folder of other "
      "files: f");
}

TEST(Native, StopsWhenToldTo) {
  Limits limits;
  limits.request_stop();
  ReadOptions options;
  options.limits = limits;
  const auto history = read(header + "{\"session\":1,\"ops\":[]}\n", options);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().what, "stopped while reading: interrupted");
}

class CountingProgress : public Progress {
 public:
  void phase(std::string_view name, std::uint64_t total) override {
    name_ = name;
    total_ = total;
  }
  void advance(std::uint64_t done) override {
    EXPECT_GE(done, done_);
    done_ = done;
  }
  std::string name_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

TEST(Native, ReportsHowFarItIs) {
  CountingProgress progress;
  ReadOptions options;
  options.progress = progress;
  const std::string text = header + "{\"session\":1,\"ops\":[]}\n{\"session\":1,\"ops\":[]}";
  ASSERT_TRUE(read(text, options));
  EXPECT_EQ(progress.name_, "reading");
  EXPECT_EQ(progress.total_, text.size());
  EXPECT_EQ(progress.done_, text.size());
}

TEST(Native, WhatItCannotHoldIsRefused) {
  const auto error = [](HistoryBuilder builder) {
    const auto text = format_history(std::move(builder).finish(), Format::native);
    return text ? "" : text.error().what;
  };
  const auto begun = [] {
    HistoryBuilder builder;
    builder.begin_transaction(builder.add_session());
    return builder;
  };
  {
    HistoryBuilder builder = begun();
    builder.write(builder.key(1), ValuePool::empty_list);
    EXPECT_NE(error(std::move(builder)), "");
  }
  {
    HistoryBuilder builder = begun();
    builder.write(builder.key(1), ValuePool::unreported);
    EXPECT_NE(error(std::move(builder)), "");
  }
  {
    HistoryBuilder builder = begun();
    const Column column{builder.values().string("@key"), ValuePool::nil};
    builder.write(builder.key(1), builder.values().row({&column, 1}));
    EXPECT_NE(error(std::move(builder)), "");
  }
  {
    HistoryBuilder builder = begun();
    const RowVersion row{builder.key(1), ValuePool::nil};
    builder.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                          builder.predicate({}), std::span(&row, 1));
    EXPECT_NE(error(std::move(builder)), "");
  }
  {
    HistoryBuilder builder;
    builder.begin_transaction(builder.add_session(), builder.values().string("T12"));
    EXPECT_EQ(error(std::move(builder)),
              "cannot write this history in the native format: a transaction's name is the string "
              "\"T12\"");
  }
}

}  // namespace
}  // namespace isoscope
