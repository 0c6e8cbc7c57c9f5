#include "history/format/native/plain_operation.h"

#include <gtest/gtest.h>

#include "isoscope/history/format.h"

namespace isoscope {
namespace {

std::optional<format::PlainOperation> find(const std::string& text) {
  return format::find_plain_operation(text + std::string(format::PlainOperation::max_length, ' '));
}

TEST(PlainOperation, IsTakenApart) {
  const auto write = find("[\"w\",17,-4],[\"r\",1,2]");
  ASSERT_TRUE(write);
  EXPECT_TRUE(write->is_write);
  EXPECT_EQ(write->key, 17);
  EXPECT_EQ(write->value, -4);
  EXPECT_EQ(write->length, 11U);
  const auto read = find("[\"r\",-999999999999999999,999999999999999999]");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->is_write);
  EXPECT_EQ(read->key, -999999999999999999);
  EXPECT_EQ(read->value, 999999999999999999);
  EXPECT_EQ(read->length, 44U);
  EXPECT_EQ(find("[\"r\",0,-0]")->value, 0);
}

TEST(PlainOperation, WhatIsNotPlainIsLeftToTheJsonReader) {
  for (const char* text : {"",
                           "[",
                           "[\"r\"",
                           "[\"r\",1]",
                           "[\"r\",1,]",
                           "[\"r\",1,2",
                           "[\"r\",1,2,3]",
                           "[\"r\", 1,2]",
                           "[\"r\",1 ,2]",
                           "[\"r\",1,2 ]",
                           " [\"r\",1,2]",
                           "[\"x\",1,2]",
                           "[\"rp\",1,2]",
                           "[\"r\",\"1\",2]",
                           "[\"r\",1,null]",
                           "[\"r\",1,[2]]",
                           "[\"r\",01,2]",
                           "[\"r\",1,00]",
                           "[\"r\",-01,2]",
                           "[\"r\",-,2]",
                           "[\"r\",--1,2]",
                           "[\"r\",+1,2]",
                           "[\"r\",1.5,2]",
                           "[\"r\",1,2.0]",
                           "[\"r\",1,2e3]",
                           "[\"r\",1000000000000000000,2]",
                           "[\"r\",1,9999999999999999999]",
                           "['r',1,2]"}) {
    EXPECT_FALSE(find(text)) << text;
  }
}

TEST(PlainOperation, ATextThatMayEndTooEarlyIsNotLookedAt) {
  const std::string text = "[\"r\",1,2]";
  EXPECT_FALSE(format::find_plain_operation(text));
  EXPECT_FALSE(format::find_plain_operation(
      text + std::string(format::PlainOperation::max_length - text.size() - 1, ' ')));
  EXPECT_TRUE(format::find_plain_operation(
      text + std::string(format::PlainOperation::max_length - text.size(), ' ')));
}

/// The short cut must not be seen: with a space in it, an operation takes the long way to the same
/// history or to an error about the same thing.
TEST(PlainOperation, AgreesWithTheJsonReader) {
  const std::string_view pieces[] = {"0",
                                     "1",
                                     "-1",
                                     "-0",
                                     "01",
                                     "17",
                                     "-",
                                     "",
                                     "999999999999999999",
                                     "1000000000000000000",
                                     "9223372036854775807",
                                     "9223372036854775808",
                                     "-9223372036854775808",
                                     "-9223372036854775809",
                                     "1.5",
                                     "1e3",
                                     "null",
                                     "\"x\""};
  const auto outcome = [](const std::string& operations) {
    const auto history = read_history(Source::from_memory(
        "h", "{\"isoscope-history\":1}{\"session\":1,\"ops\":[" + operations + "],\"x-pad\":\"" +
                 std::string(format::PlainOperation::max_length, ' ') + "\"}"));
    if (!history) return history.error().what;
    const auto text = format_history(*history, Format::native);
    return text ? *text : text.error().what;
  };
  for (const char* word : {"r", "w"}) {
    for (const std::string_view key : pieces) {
      for (const std::string_view value : pieces) {
        const std::string start = "[\"" + std::string(word) + "\",";
        const std::string rest = std::string(key) + "," + std::string(value) + "]";
        ASSERT_EQ(outcome(start + rest), outcome(start + " " + rest)) << start << rest;
        ASSERT_EQ(outcome("[\"w\",1,2]," + start + rest),
                  outcome("[ \"w\",1,2]," + start + " " + rest))
            << start << rest;
      }
    }
  }
}

}  // namespace
}  // namespace isoscope
