#include "isoscope/base/json_writer.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

using Style = JsonWriter::Style;

void write_sample(JsonWriter& json) {
  json.begin_object();
  json.member("empty").begin_array().end_array();
  json.member("none").begin_object().end_object();
  json.member("list").begin_array().integer(1).boolean(true).null().string("x").end_array();
  json.member("nested")
      .begin_object()
      .member("a")
      .begin_array()
      .begin_array()
      .end_array()
      .end_array()
      .end_object();
  json.member("share").decimal(0.125, 2);
  json.end_object();
}

TEST(JsonWriter, Compact) {
  JsonWriter json(Style::compact);
  write_sample(json);
  EXPECT_EQ(json.text(),
            R"({"empty":[],"none":{},"list":[1,true,null,"x"],"nested":{"a":[[]]},"share":0.12})");
}

TEST(JsonWriter, Indented) {
  JsonWriter json(Style::indented);
  write_sample(json);
  EXPECT_EQ(json.take(), R"({
  "empty": [],
  "none": {},
  "list": [
    1,
    true,
    null,
    "x"
  ],
  "nested": {
    "a": [
      []
    ]
  },
  "share": 0.12
})");
}

TEST(JsonWriter, AValueAloneIsADocument) {
  JsonWriter json(Style::indented);
  json.string("only");
  EXPECT_EQ(json.text(), "\"only\"");
}

TEST(JsonWriter, EscapesWhatJsonRequires) {
  std::string text;
  append_json_string(text, std::string_view("a\"b\\c\n\r\t\x01\x1F\0z\x7F\xC3\xA4/", 16));
  EXPECT_EQ(text, "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001f\\u0000z\x7F\xC3\xA4/\"");
}

TEST(JsonWriter, IntegersOfAllSizes) {
  std::string text;
  append_integer(text, 0);
  text += ' ';
  append_integer(text, INT64_MIN);
  text += ' ';
  append_integer(text, INT64_MAX);
  EXPECT_EQ(text, "0 -9223372036854775808 9223372036854775807");
}

TEST(QuotedForMessage, IsShortAndOneLine) {
  EXPECT_EQ(quoted_for_message("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(quoted_for_message(std::string(24, 'x')), "\"" + std::string(24, 'x') + "\"");
  EXPECT_EQ(quoted_for_message(std::string(1000, 'x')), "\"" + std::string(24, 'x') + "\"...");
  // Cut between characters, not inside one.
  EXPECT_EQ(quoted_for_message(std::string(23, 'x') + "\xC3\xA4y"),
            "\"" + std::string(23, 'x') + "\xC3\xA4\"...");
  EXPECT_EQ(quoted_for_message("\xFF\xFF"), "\"\xFF\xFF\"");
}

}  // namespace
}  // namespace isoscope
