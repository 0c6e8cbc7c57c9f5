#include "isoscope/base/json_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "base/chunked_stream.h"
#include "isoscope/base/json_writer.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr std::size_t chunks[] = {1, 2, 5, 1 << 20};

/// Takes the whole text as one value of any kind.
std::string error_of(std::string text, std::size_t chunk = 1 << 20) {
  ByteReader input = chunked_reader(std::move(text), chunk);
  JsonReader json(input);
  json.skip_value();
  json.expect_end();
  return json.failed() ? json.error().text() : "";
}

TEST(JsonReader, AcceptsWhatTheStandardAccepts) {
  for (const char* text : {"null",
                           "true",
                           "false",
                           "0",
                           "-0",
                           "-1",
                           "12",
                           "0.5",
                           "-0.5e10",
                           "1E+2",
                           "1e-2",
                           "\"\"",
                           "\"a\"",
                           "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\"",
                           "\"\\ud83d\\ude00\"",
                           "\"\x7F\"",
                           "\"\xF0\x9F\x98\x80\"",
                           "[]",
                           "[ ]",
                           "{}",
                           "{ }",
                           "[1]",
                           "[1,2]",
                           " [ 1 , 2 ] ",
                           "{\"a\":1}",
                           " { \"a\" : 1 , \"b\" : { } } ",
                           "\t\r\n[\n]\n",
                           "[[],{},[[]],{\"a\":[]}]",
                           "{\"a\":1,\"a\":2}",
                           "{\"\":0}",
                           "123456789012345678901234567890",
                           "1e999"}) {
    for (const std::size_t chunk : chunks) EXPECT_EQ(error_of(text, chunk), "") << text;
  }
}

TEST(JsonReader, RefusesTheRest) {
  for (const char* text : {"",
                           " ",
                           "nul",
                           "nulL",
                           "True",
                           "tru",
                           "fals",
                           "01",
                           "-",
                           "-a",
                           "+1",
                           ".5",
                           "1.",
                           "1.e1",
                           "1e",
                           "1e+",
                           "00",
                           "-01",
                           "0x1",
                           "1 2",
                           "\"",
                           "\"a",
                           "'a'",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12G4\"",
                           "\"\\u+123\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\n\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"\t\"",
                           "\"\n\"",
                           "\"\x01\"",
                           "\"\x80\"",
                           "\"\xC0\x80\"",
                           "\"\xED\xA0\x80\"",
                           "\"\xF4\x90\x80\x80\"",
                           "\"\xE2\x82\"",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "[1}",
                           "]",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,",
                           "{\"a\":1,}",
                           "{\"a\"}",
                           "{\"a\",1}",
                           "{a:1}",
                           "{1:1}",
                           "{\"a\":1]",
                           "}",
                           ":",
                           ",",
                           "[1]]",
                           "{}{}",
                           "NaN",
                           "Infinity",
                           "// no",
                           "[1]/**/",
                           "nullnull",
                           "truefalse",
                           "\xEF\xBB\xBF[]"}) {
    for (const std::size_t chunk : chunks) {
      const std::string error = error_of(text, chunk);
      EXPECT_NE(error, "") << text;
      EXPECT_EQ(error, error_of(text)) << "the same error however the bytes arrive";
      EXPECT_EQ(error.find('\n'), std::string::npos) << "one line";
    }
  }
}

TEST(JsonReader, SaysWhatWasExpectedWhatWasFoundAndWhere) {
  EXPECT_EQ(error_of("[1,\n 2 x]"), "test:2:4: expected ',' or ']', found x");
  EXPECT_EQ(error_of("{\"a\":1\n;}"), "test:2:1: expected ',' or '}', found ;");
  EXPECT_EQ(error_of("{\"a\" 1}"), "test:1:6: expected ':', found 1");
  EXPECT_EQ(error_of("{7}"), "test:1:2: expected a member name, found 7");
  EXPECT_EQ(error_of("[1,]"), "test:1:4: expected a value, found ]");
  EXPECT_EQ(error_of("[1"), "test:1:3: expected ',' or ']', found the end of the input");
  EXPECT_EQ(error_of("\"abc"),
            "test:1:5: expected '\"' at the end of a string, found the end of the input");
  EXPECT_EQ(error_of("[\"a\\qb\"]"),
            "test:1:4: expected an escape such as \\n or \\u0041, found a \\ and something else");
  EXPECT_EQ(error_of("[\"a\xFF\"]"), "test:1:4: expected valid UTF-8 in a string, found byte 255");
  EXPECT_EQ(error_of("[1] 2"), "test:1:5: expected the end of the input, found 2");
  EXPECT_EQ(error_of("[1] \"a long string that goes on and on\""),
            "test:1:5: expected the end of the input, found \"a long string that goes");
}

TEST(JsonReader, AControlCharacterIsShownWhereItIs) {
  EXPECT_EQ(error_of("[\"ab\ncd\"]"),
            "test:1:5: expected no control character in a string, found byte 10");
  EXPECT_EQ(error_of("[\"\t\"]"),
            "test:1:3: expected no control character in a string, found byte 9");
}

TEST(JsonReader, IntegersOf64Bits) {
  const auto read = [](std::string text) {
    ByteReader input = chunked_reader(std::move(text), 1);
    JsonReader json(input);
    return json.integer();
  };
  EXPECT_EQ(read("0"), 0);
  EXPECT_EQ(read("-0"), 0);
  EXPECT_EQ(read("  42,"), 42);
  EXPECT_EQ(read("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(read("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "99999999999999999999",
                           "18446744073709551616", "1.5", "1.0", "1e3", "1E3", "01", "-01", "-", "",
                           "x", "\"1\"", "null", "+1", "--1", "[1]"}) {
    EXPECT_EQ(read(text), std::nullopt) << text;
  }
  EXPECT_EQ(read(std::string(1000, '1')), std::nullopt);
  EXPECT_EQ(read("1" + std::string(200, '0') + "1"), std::nullopt);
}

TEST(JsonReader, AWrongIntegerIsShown) {
  const auto error = [](std::string text) {
    ByteReader input = chunked_reader(std::move(text));
    JsonReader json(input);
    json.integer("a count");
    return json.error().text();
  };
  EXPECT_EQ(error(" 1.5"), "test:1:2: expected a count, found 1.5");
  EXPECT_EQ(error("true"), "test:1:1: expected a count, found true");
  EXPECT_EQ(error("99999999999999999999]"),
            "test:1:1: expected a count, found 99999999999999999999");
  EXPECT_EQ(error(std::string(100, '7')),
            "test:1:1: expected a count, found " + std::string(24, '7'));
}

TEST(JsonReader, StringsAreDecoded) {
  const auto read = [](std::string text, std::size_t chunk) -> std::string {
    ByteReader input = chunked_reader(std::move(text), chunk);
    JsonReader json(input);
    const auto string = json.string();
    EXPECT_FALSE(json.failed());
    return string ? std::string(*string) : "";
  };
  for (const std::size_t chunk : chunks) {
    EXPECT_EQ(read(R"("plain text")", chunk), "plain text");
    EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t")", chunk), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(read(R"("x\u0041\u00e4\u20AC\ud83d\ude00y")", chunk),
              "xA\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80y");
    EXPECT_EQ(read("\"a\\u0000b\"", chunk), std::string("a\0b", 3));
    EXPECT_EQ(read("\"\xE2\x82\xAC\\n\"", chunk), "\xE2\x82\xAC\n");
  }
}

TEST(JsonReader, LongStringsAreWholeWithAndWithoutEscapes) {
  const std::string plain(std::size_t{1} << 20, 'x');
  for (const std::string& tail : {std::string(), std::string("\\n"), std::string("\xC3\xA4")}) {
    ByteReader input = chunked_reader("[\"" + plain + tail + "\",7]", 65536);
    JsonReader json(input);
    json.begin_array();
    ASSERT_TRUE(json.next_element());
    const auto text = json.string();
    ASSERT_TRUE(text);
    EXPECT_EQ(text->substr(0, plain.size()), plain);
    ASSERT_TRUE(json.next_element());
    EXPECT_EQ(json.integer(), 7);
    EXPECT_FALSE(json.next_element());
    EXPECT_TRUE(json.expect_end());
  }
}

/// An opening quote, then never an end.
class EndlessString : public ByteStream {
 public:
  explicit EndlessString(std::string prefix) : prefix_(std::move(prefix)) {}
  std::size_t read(char* into, std::size_t size) override {
    const std::size_t head = prefix_.copy(into, size);
    prefix_.erase(0, head);
    std::fill_n(into + head, size - head, 'x');
    return size;
  }

 private:
  std::string prefix_;
};

TEST(JsonReader, AStringWithoutEndIsAnErrorBeforeItEatsTheMemory) {
  for (const char* prefix : {"[\"", "[\"\\n"}) {
    ByteReader input("test", std::make_unique<EndlessString>(prefix));
    JsonReader json(input);
    json.begin_array();
    json.next_element();
    EXPECT_FALSE(json.string());
    EXPECT_EQ(json.error().what, "expected a string of at most 64 MiB, found a longer one");
  }
}

TEST(JsonReader, PeeksAtTheKindOfTheNextValue) {
  using Kind = JsonReader::Kind;
  const auto kind = [](std::string text) {
    ByteReader input = chunked_reader(std::move(text));
    return JsonReader(input).peek();
  };
  EXPECT_EQ(kind(" {"), Kind::object);
  EXPECT_EQ(kind("["), Kind::array);
  EXPECT_EQ(kind("\n\"x"), Kind::string);
  EXPECT_EQ(kind("-1"), Kind::number);
  EXPECT_EQ(kind("7"), Kind::number);
  EXPECT_EQ(kind("true"), Kind::boolean);
  EXPECT_EQ(kind("false"), Kind::boolean);
  EXPECT_EQ(kind("null"), Kind::null);
  EXPECT_EQ(kind("  "), Kind::end);
  EXPECT_EQ(kind("]"), Kind::invalid);
}

TEST(JsonReader, WalksObjectsAndArrays) {
  for (const std::size_t chunk : chunks) {
    ByteReader input = chunked_reader(R"( {"a": [1, true], "\u0062": null, "c": {}} )", chunk);
    JsonReader json(input);
    ASSERT_TRUE(json.begin_object());
    EXPECT_EQ(json.next_member(), "a");
    ASSERT_TRUE(json.begin_array());
    ASSERT_TRUE(json.next_element());
    EXPECT_EQ(json.integer(), 1);
    ASSERT_TRUE(json.next_element());
    EXPECT_EQ(json.boolean(), true);
    EXPECT_FALSE(json.next_element());
    EXPECT_EQ(json.next_member(), "b");
    EXPECT_TRUE(json.null());
    EXPECT_EQ(json.next_member(), "c");
    ASSERT_TRUE(json.begin_object());
    EXPECT_EQ(json.next_member(), std::nullopt);
    EXPECT_EQ(json.next_member(), std::nullopt);
    EXPECT_TRUE(json.expect_end());
    EXPECT_FALSE(json.failed());
  }
}

TEST(JsonReader, TheFirstErrorStays) {
  ByteReader input = chunked_reader("[1, x, 2]");
  JsonReader json(input);
  json.begin_array();
  int sum = 0;
  while (json.next_element()) {
    if (const auto number = json.integer("a number to add")) sum += static_cast<int>(*number);
  }
  EXPECT_EQ(sum, 1);
  ASSERT_TRUE(json.failed());
  const std::string first = json.error().text();
  EXPECT_EQ(first, "test:1:5: expected a number to add, found x");
  EXPECT_FALSE(json.begin_object());
  EXPECT_FALSE(json.string());
  EXPECT_FALSE(json.null());
  EXPECT_FALSE(json.skip_value());
  EXPECT_FALSE(json.expect_end());
  EXPECT_FALSE(json.fail("something else"));
  EXPECT_FALSE(json.fail_found("a", "b"));
  EXPECT_EQ(json.peek(), JsonReader::Kind::invalid);
  EXPECT_EQ(json.error().text(), first);
}

TEST(JsonReader, ACallersComplaintPointsAtTheValue) {
  ByteReader input = chunked_reader("[7,\n \"lef\\nt\"]");
  JsonReader json(input);
  json.begin_array();
  json.next_element();
  json.integer();
  json.next_element();
  const auto text = json.string();
  json.fail_found("\"left\" or \"right\"", *text);
  EXPECT_EQ(json.error().text(), "test:2:2: expected \"left\" or \"right\", found \"lef\\nt\"");
}

TEST(JsonReader, ACallersComplaintAboutAMemberPointsAtItsName) {
  ByteReader input = chunked_reader("{\"a\":1,\n  \"b\" : 2}");
  JsonReader json(input);
  json.begin_object();
  json.next_member();
  json.integer();
  const auto name = json.next_member();
  json.fail_found("\"a\"", *name);
  EXPECT_EQ(json.error().text(), "test:2:3: expected \"a\", found \"b\"");
}

TEST(JsonReader, NestingIsLimited) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(error_of(nested(JsonReader::max_depth)), "");
  EXPECT_EQ(error_of(nested(JsonReader::max_depth + 1)),
            "test:1:257: expected at most 256 nested brackets, found more");
  EXPECT_NE(error_of(std::string(10'000, '[')), "");
  EXPECT_NE(error_of(std::string(1'000'000, '[')), "");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  EXPECT_NE(error_of(objects), "");
  // Depth is what is open now, not what was opened in all.
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i) wide += "[[]],";
  EXPECT_EQ(error_of(wide + "0]"), "");
}

TEST(JsonReader, AStreamThatFailsIsTheErrorReported) {
  ByteReader input = chunked_reader("[1,2", 1 << 20, Error{"corrupt"});
  JsonReader json(input);
  json.skip_value();
  EXPECT_EQ(json.error().what, "corrupt");
  ByteReader whole = chunked_reader("[1,2]", 1 << 20, Error{"corrupt"});
  JsonReader whole_json(whole);
  EXPECT_TRUE(whole_json.skip_value());
  EXPECT_FALSE(whole_json.expect_end());
  EXPECT_EQ(whole_json.error().what, "corrupt");
}

/// A random document without fractions, as JsonWriter writes it.
void write_random(std::mt19937_64& random, JsonWriter& json, int depth) {
  const auto text = [&] {
    std::string result;
    for (std::size_t length = random() % 12; length != 0; --length) {
      const std::string_view pieces[] = {
          "a", "Z", " ", "\"", "\\", "\n", "\x01", "\xC3\xA4", "\xF0\x9F\x98\x80", "/"};
      result += pieces[random() % std::size(pieces)];
    }
    return result;
  };
  switch (random() % (depth > 5 ? 4 : 6)) {
    case 0:
      json.null();
      break;
    case 1:
      json.boolean(random() % 2 == 0);
      break;
    case 2:
      json.integer(static_cast<std::int64_t>(random()) >> random() % 64);
      break;
    case 3:
      json.string(text());
      break;
    case 4:
      json.begin_array();
      for (std::size_t count = random() % 5; count != 0; --count)
        write_random(random, json, depth + 1);
      json.end_array();
      break;
    default:
      json.begin_object();
      for (std::size_t count = random() % 5; count != 0; --count) {
        json.member(text());
        write_random(random, json, depth + 1);
      }
      json.end_object();
  }
}

void copy(JsonReader& from, JsonWriter& to) {
  switch (from.peek()) {
    case JsonReader::Kind::object:
      from.begin_object();
      to.begin_object();
      while (const auto name = from.next_member()) {
        to.member(*name);
        copy(from, to);
      }
      to.end_object();
      break;
    case JsonReader::Kind::array:
      from.begin_array();
      to.begin_array();
      while (from.next_element()) copy(from, to);
      to.end_array();
      break;
    case JsonReader::Kind::string:
      to.string(from.string().value_or("?"));
      break;
    case JsonReader::Kind::number:
      to.integer(from.integer().value_or(-7));
      break;
    case JsonReader::Kind::boolean:
      to.boolean(from.boolean().value_or(false));
      break;
    default:
      from.null();
      to.null();
  }
}

TEST(JsonReader, ReadsBackWhatTheWriterWrote) {
  std::mt19937_64 random(20240501);
  for (int i = 0; i < 500 * test_scale(); ++i) {
    const auto style = i % 2 == 0 ? JsonWriter::Style::compact : JsonWriter::Style::indented;
    JsonWriter original(style);
    write_random(random, original, 0);
    ByteReader input = chunked_reader(original.text(), 1 + random() % 40);
    JsonReader json(input);
    JsonWriter copied(style);
    copy(json, copied);
    ASSERT_TRUE(json.expect_end()) << json.error().text() << '\n' << original.text();
    ASSERT_EQ(copied.text(), original.text());
    ASSERT_EQ(error_of(original.text(), 3), "");
    // No proper prefix of an array, object or string is a document.
    const std::string& text = original.text();
    if (text[0] == '[' || text[0] == '{' || text[0] == '"') {
      const std::size_t cut = random() % text.size();
      ASSERT_NE(error_of(text.substr(0, cut)), "") << text.substr(0, cut);
    }
  }
}

}  // namespace
}  // namespace isoscope
