#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "history/format_samples.h"
#include "history/random_history.h"
#include "history/random_registers.h"
#include "isoscope/history/format.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// The name of the format, or the error.
std::string recognised(const Source& source) {
  const auto format = recognise_format(source);
  return format ? std::string(name_of(*format)) : format.error().text();
}

std::string recognised(std::string text) {
  return recognised(Source::from_memory("in", std::move(text)));
}

bool is_none(const std::string& recognised, const std::string& place) {
  return recognised.starts_with(place + ": expected a history") &&
         recognised.find("found none of them") != std::string::npos;
}

TEST(Recognise, EachFormatAsItself) {
  const std::vector<std::pair<std::string, std::string>> samples = {
      {"native", "{\"isoscope-history\":1}\n{\"session\":1,\"ops\":[[\"w\",1,2]]}\n"},
      {"native", "\xEF\xBB\xBF {\"isoscope-history\":1}"},
      {"viper", "{\"value\":[[\"w\",1,2,true],[\"r\",1,2,false]]}\n"},
      {"viper", "[{\"value\":[[\"r\",1,2,false]]}]"},
      {"viper", "{\"value\":[[\"range\",1,2,[],[]]],\"isInitial\":true}"},
      {"viper", "{\"value\":[]}"},
      {"dbcop-json",
       "[[{\"events\":[{\"Write\":{\"variable\":0,\"version\":1}}],\"committed\":true}]]"},
      {"chronos",
       "[{\"tid\":1,\"sid\":1,\"sts\":{\"p\":1,\"l\":0},\"cts\":{\"p\":1,\"l\":0},\"ops\":[]}]"},
      {"chronos", "[\n {\"ops\":[{\"t\":\"w\",\"k\":1,\"v\":1}],\"tid\":1}]"},
      {"elle-json", "[{\"type\":\"ok\",\"value\":[[\"append\",1,1]]}]"},
      {"elle-json", "{\"value\":[[\"w\",1,1]],\"type\":\"ok\",\"process\":1}\n"},
      {"elle-json", "{\"index\":0,\"type\":\"invoke\",\"value\":[[\"r\",1,null]]}\n"},
      {"edn", "{:type :ok, :process 0, :value [[:r 1 nil]]}"},
      {"edn", "[{:type :ok, :process 0, :value [[:r 1 nil]]}]"},
      {"plume", "r(1,2,3,4)\n"},
      {"plume", "w(0,1,1,-1)\nr(0,1,2,2)\n"},
      {"awdit", "w 0 0\n=====\nr 0 0\n"},
      {"awdit", "-----\nr 1 2\n"},
      {"dbcop-hist", "[x:=1 y:=2] [y==2 x:=3]\n---\n[x==1]!\n"},
      {"dbcop-hist", "// comment\n[x==?]\n"},
      {"litmus", "a: T1 w(x,1) w(y,1) ; T2 r(x,1)  |  b: T3 r(y,1) r(x,nil)"},
      {"litmus", "r(x,1)"},
      {"litmus", "w(1,2)"},
      {"litmus", "w(1,2) r(1,2)\nr(1,2)\n"},
      {"litmus", "# r 1 2\n\ninitial 0\n"},
      {"litmus", "origin \"o\"\n"},
      {"litmus", "// comment\na: \"T 1\"!@3..4 ; rp(true, {})"},
      {"litmus", "S: T1 ; T2 r(x,1)"},
  };
  for (const auto& [format, text] : samples) EXPECT_EQ(recognised(text), format) << text;
}

TEST(Recognise, EverySeedOfEveryFormat) {
  std::set<Format> seen;
  for (const test::Sample& sample : test::corpus_samples()) {
    const Source source = sample.source();
    if (!read_history(source, {.format = sample.format})) continue;  // bad on purpose
    if (sample.bytes.empty()) continue;
    seen.insert(sample.format);
    EXPECT_EQ(recognised(source), name_of(sample.format)) << sample.name;
  }
  for (const FormatInfo& info : formats())
    EXPECT_TRUE(seen.contains(info.format)) << "no seed of " << info.name;
}

TEST(Recognise, WhatWeWrite) {
  std::map<std::string_view, int> written;
  const test::RegisterFeatures features{.string_names = false, .adjacent_aborts = false};
  for (int seed = 0; seed < 300 * test_scale(); ++seed) {
    const History everything = test::random_history(static_cast<std::uint64_t>(seed));
    const History plain =
        test::random_history(static_cast<std::uint64_t>(seed), test::HistoryFeatures::plain());
    // Some formats can hold nothing else.
    const History registers = test::random_registers(static_cast<std::uint64_t>(seed), features);
    for (const FormatInfo& info : formats()) {
      if (!info.writable) continue;
      for (const History* history : {&everything, &plain, &registers}) {
        const auto text = format_history(*history, info.format);
        if (!text) continue;
        ASSERT_EQ(recognised(*text), info.name) << *text;
        ++written[info.name];
      }
    }
  }
  for (const FormatInfo& info : formats()) {
    EXPECT_EQ(written[info.name] > 20, info.writable) << info.name;
  }
}

TEST(Recognise, Folders) {
  const auto folder = [](std::vector<Source::NamedBytes> files) {
    return recognised(Source::from_memory_folder("in", std::move(files)));
  };
  EXPECT_EQ(
      folder({{"in/readme.txt", "text"}, {"in/json/J1.log", "{\"value\":[[\"w\",1,2,true]]}"}}),
      "viper");
  EXPECT_EQ(folder({{"T1.log", std::string("S\0\0\0\0\0\0\0\1C\0\0\0\0\0\0\0\1", 18)}}), "cobra");
  for (const std::string text :
       {"hello", "", "{\"isoscope-history\":1}", "{:type :ok}", "r(x,1)"}) {
    EXPECT_EQ(folder({{"a.txt", text}}),
              "expected a file, or a folder that is one history (Cobra, Viper), found a folder of "
              "other files: in")
        << text;
  }
  EXPECT_EQ(folder({}), "expected a history, found an empty folder: in");
}

TEST(Recognise, NothingInWhatIsNoHistory) {
  for (const std::string text :
       {"hello world", "Error: no such file", "<html></html>", "1,2,3\n4,5,6\n", "x(y,1)", "a: T1",
        "{}", "{\"a\":1}", "7", "\"r(x,1)\"", "#!/bin/sh\necho hi\n", "SELECT * FROM t;"}) {
    EXPECT_TRUE(is_none(recognised(text), "in:1:1")) << text << ": " << recognised(text);
  }
  for (const std::string text : {"", " \n\t ", "\xEF\xBB\xBF", "\xEF\xBB\xBF \n"}) {
    EXPECT_NE(recognised(text).find("expected a history, found an empty file"), std::string::npos);
  }
}

TEST(Recognise, SaysWhatItProbablyIs) {
  const std::string in = "{\"session\":1,\"ops\":[[\"w\",1,2]]}\n";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {in, "native without its header line {\"isoscope-history\":1}"},
      {"{\"ops\":[[\"r\",\"x\",null]],\"outcome\":\"aborted\"}\n" + in,
       "native without its header line {\"isoscope-history\":1}"},
      {"{\"tid\":1,\"sts\":{\"p\":1,\"l\":0},\"ops\":[]}\n",
       "Chronos without the brackets of its array"},
      {"isoscope-certificate 1\n", "a certificate of isoscope, where the history is expected"},
      {"0\t:invoke\t:txn\t[[:r 1 nil]]\n",
       "Jepsen's history.txt: history.edn beside it says the same in EDN"},
      {"JEPSEN\1\2", "Jepsen's test.jepsen: history.edn beside it has the history"},
      {std::string("\xff\xfe{\0\"\0", 6), "text in UTF-16: UTF-8 is expected"},
      {"PK\3\4\xff\xff\xff\xff\xff\xff", "a zip archive: unpack it first"},
      {"h.edn" + std::string(252, '\0') + "ustar  ", "a tar archive: unpack it first"},
      {"\4\"M\x18\x60\x40\x82\xff", "data compressed with lz4: unpack it first"},
      {" <!DOCTYPE html>", "an HTML page"},
      {"{\"transactions\":[]}", "JSON of another layout than those of docs/formats"},
      {"[{\"a\":1}]", "JSON of another layout than those of docs/formats"},
  };
  for (const auto& [text, cause] : mistakes) {
    const std::string error = recognised(text);
    EXPECT_TRUE(is_none(error, "in:1:1")) << error;
    EXPECT_TRUE(error.ends_with("; it looks like " + cause)) << error;
  }
  EXPECT_TRUE(recognised("hello world").ends_with("found none of them"));
}

TEST(Recognise, SaysWhichFormatItIsInsteadOfTheOneNamed) {
  const auto error = [](Format format, std::string text) {
    const auto history =
        read_history(Source::from_memory("in", std::move(text)), {.format = format});
    return history ? "a history" : history.error().text();
  };
  const std::string edn = "{:type :ok, :process 0, :value [[:r 1 nil]]}";
  EXPECT_TRUE(error(Format::native, edn).ends_with("; it is edn"));
  EXPECT_TRUE(error(Format::plume, "a: T1 w(x,1)").ends_with("; it is litmus"));
  EXPECT_TRUE(error(Format::cobra, edn).ends_with("; it is edn"));
  // Not in what is nothing else either, nor far behind a good beginning.
  EXPECT_FALSE(error(Format::native, "hello").ends_with("; it is litmus"));
  EXPECT_EQ(error(Format::plume, "r(1,2)x").find("; it is"), std::string::npos);
}

TEST(Recognise, LongFirstRecordsByTheirBeginning) {
  std::string operations;
  while (operations.size() < 200'000) operations += ",[\"w\",1,2,true]";
  EXPECT_EQ(recognised("{\"value\":[" + operations.substr(1) + "]}"), "viper");
  operations.clear();
  while (operations.size() < 200'000) operations += ",{\"t\":\"w\",\"k\":1,\"v\":2}";
  EXPECT_EQ(recognised("[{\"ops\":[" + operations.substr(1) + "],\"tid\":1}]"), "chronos");
  EXPECT_EQ(recognised("# " + std::string(10'000, 'x') + "\nr(x,1)"), "litmus");
  std::string transaction = "a: T1";
  while (transaction.size() < 200'000) transaction += " w(x,1)";
  EXPECT_EQ(recognised(transaction), "litmus");
}

TEST(Recognise, ReadsWhatItRecognised) {
  const auto history = read_history(Source::from_memory("in", "initial 0\nr(x,0)"));
  ASSERT_TRUE(history);
  EXPECT_EQ(history->transaction_count(), 1u);
}

}  // namespace
}  // namespace isoscope
