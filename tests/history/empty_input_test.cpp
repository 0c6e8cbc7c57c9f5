#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "history/format_samples.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

/// An input without a single transaction is bad, unless it says that there are none: every level
/// holds of nothing.
namespace isoscope {
namespace {

std::string read_as(Format format, std::string text) {
  const auto history = read_history(Source::from_memory("in", std::move(text)), {.format = format});
  if (!history) return history.error().text();
  return history->transaction_count() == 0 ? "empty" : "transactions";
}

TEST(EmptyInput, NoBytesAreNoHistory) {
  for (const FormatInfo& info : formats()) {
    for (const std::string text : {"", " ", "\n\n", "\xEF\xBB\xBF"}) {
      const std::string answer = read_as(info.format, text);
      EXPECT_TRUE(answer.starts_with("in")) << info.name << ": " << answer;
    }
  }
  EXPECT_EQ(read_as(Format::edn, ""), "in:1:1: expected a history, found an empty file");
}

TEST(EmptyInput, NorAreCommentsOfLitmus) {
  EXPECT_EQ(read_as(Format::litmus, "# comment\n// another\n"),
            "in:3:1: expected a session, found the end of the input");
}

TEST(EmptyInput, NorAreFoldersOfEmptyFiles) {
  for (const Format format : {Format::cobra, Format::viper, Format::plume}) {
    const std::string file = format == Format::cobra ? "T1.log" : "J1.log";
    const auto history =
        read_history(Source::from_memory_folder("in", {{file, ""}}), {.format = format});
    EXPECT_FALSE(history) << name_of(format);
  }
  const auto two = read_history(Source::from_memory_folder("in", {{"T1.log", ""}, {"T2.log", ""}}),
                                {.format = Format::cobra});
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().text(), "in: expected at least one transaction, found none");
}

TEST(EmptyInput, WhatSaysThatThereAreNoTransactionsIsAHistory) {
  const std::pair<Format, std::string> texts[] = {
      {Format::native, "{\"isoscope-history\":1}\n"},
      {Format::litmus, "initial nil\n"},
      {Format::litmus, "# comment\na: | b:\n"},
      {Format::edn, "()"},
      {Format::edn, " [ ]\n"},
      {Format::edn, "; comment\n(\n)"},
      {Format::elle_json, "[]\n"},
      {Format::dbcop_json, "[]"},
      {Format::dbcop_json, "[[],[]]"},
      {Format::chronos, "[]"},
      {Format::dbcop_bincode, std::string(9 * 8, '\0')},
  };
  for (const auto& [format, text] : texts) EXPECT_EQ(read_as(format, text), "empty") << text;
}

TEST(EmptyInput, WhatOnlyHasNoneIsBad) {
  const std::pair<Format, std::string> texts[] = {
      {Format::edn, "; comment\n"},
      {Format::edn, "[{:type :info :process :nemesis :f :kill :value nil}]"},
      {Format::elle_json, "[{\"type\":\"info\",\"process\":\"nemesis\",\"f\":\"kill\"}]"},
      {Format::viper, "{\"isInitial\":true,\"value\":[[\"w\",1,5,true]]}"},
      {Format::viper, "[]"},
      {Format::plume, "w(0,0,0,0)\n"},
      {Format::awdit, "-----\n=====\n"},
      {Format::dbcop_hist, "// comment\n---\n"},
  };
  for (const auto& [format, text] : texts) {
    EXPECT_EQ(read_as(format, text), "in:1:1: expected at least one transaction, found none")
        << name_of(format) << ": " << text;
  }
}

TEST(EmptyInput, IsWrittenSoThatItIsReadOrNotAtAll) {
  for (const FormatInfo& info : formats()) {
    if (!info.writable) continue;
    HistoryBuilder builder;
    const bool from_zero = info.format == Format::dbcop_bincode || info.format == Format::plume;
    builder.set_initial_default(from_zero ? builder.values().integer(0) : ValuePool::nil);
    builder.set_origin("nothing happened");
    const auto text = format_history(std::move(builder).finish(), info.format);
    if (info.format == Format::plume) {
      ASSERT_FALSE(text);
      EXPECT_EQ(text.error().text(),
                "cannot write plume: it cannot say that there are no transactions");
      continue;
    }
    ASSERT_TRUE(text) << info.name << ": " << text.error().text();
    EXPECT_EQ(read_as(info.format, *text), "empty") << info.name << ": " << *text;
  }
}

}  // namespace
}  // namespace isoscope
