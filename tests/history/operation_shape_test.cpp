#include "history/format/native/operation_shape.h"

#include <gtest/gtest.h>

#include <array>

#include "isoscope/history/format.h"

namespace isoscope {
namespace {

using format::OperationShape;

const std::string padding(512, ' ');

std::optional<OperationShape> shape_of(const std::string& text) {
  return OperationShape::of(text + padding);
}

/// The integers of `text`, if it has the shape of `model`.
std::optional<std::vector<std::int64_t>> integers_of(const std::string& text,
                                                     const std::string& model) {
  const auto shape = shape_of(model);
  if (!shape) return std::nullopt;
  std::vector<std::int64_t> integers(shape->integer_count());
  const std::size_t length = shape->match(text + padding, integers.data());
  if (length == 0) return std::nullopt;
  EXPECT_EQ(length, text.size());
  return integers;
}

using Integers = std::vector<std::int64_t>;

TEST(OperationShape, HasTheNames) {
  const auto row = shape_of(R"(["w",["t",17],{"b":1,"a":-4}])");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->table(), "t");
  EXPECT_EQ(row->columns(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(row->integer_count(), 3U);
  const auto plain = shape_of(R"(["r",17,5])");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->table(), "");
  EXPECT_TRUE(plain->columns().empty());
  EXPECT_EQ(plain->integer_count(), 2U);
}

TEST(OperationShape, MatchesWhatDiffersOnlyInIntegers) {
  const std::string model = R"(["w",["t",17],{"b":1,"a":-4}])";
  EXPECT_EQ(integers_of(model, model), (Integers{17, 1, -4}));
  EXPECT_EQ(integers_of(R"(["r",["t",-999999999999999999],{"b":999999999999999999,"a":0}])", model),
            (Integers{-999999999999999999, 999999999999999999, 0}));
  EXPECT_EQ(integers_of(R"(["r",["t",1],2])", R"(["w",["t",3],4])"), (Integers{1, 2}));
  EXPECT_EQ(integers_of(R"(["r",1,{"a":2}])", R"(["w",3,{"a":4}])"), (Integers{1, 2}));
  for (const char* other :
       {R"(["x",["t",17],{"b":1,"a":-4}])", R"(["w",["u",17],{"b":1,"a":-4}])",
        R"(["w",17,{"b":1,"a":-4}])", R"(["w",["t",17],{"a":1,"b":-4}])",
        R"(["w",["t",17],{"b":1}])", R"(["w",["t",17],{"b":1,"a":-4,"c":1}])",
        R"(["w",["t",17],{"b":1,"a":null}])", R"(["w",["t",17],{"b":1,"a":"x"}])",
        R"(["w",["t",17],{"b":1,"a":1.5}])", R"(["w",["t",17],{"b":1,"a":01}])",
        R"(["w",["t",17],{"b":1,"a":1000000000000000000}])", R"(["w",["t",17],{"b":1, "a":1}])",
        R"(["w",["t",17],{"b":1,"a":1} ])", R"(["w",["t",17],5])", R"(["w",["t",17]])"}) {
    EXPECT_FALSE(integers_of(other, model)) << other;
  }
}

TEST(OperationShape, OnlyPlainOperationsHaveOne) {
  for (const char* text : {"",
                           "[",
                           R"(["r")",
                           R"(["r",)",
                           R"(["r",1])",
                           R"(["r",1,)",
                           R"(["r",1,2)",
                           R"(["r",1,2,3])",
                           R"(["rp",1,2])",
                           R"(["insert",1,2])",
                           R"([ "r",1,2])",
                           R"(["r", 1,2])",
                           R"(["r","x",2])",
                           R"(["r",1,null])",
                           R"(["r",1,[2]])",
                           R"(["r",1,{}])",
                           R"(["r",1,{"a":{}}])",
                           R"(["r",1,{"a":1,}])",
                           R"(["r",1,{"a":1,"a":2}])",
                           R"(["r",1,{"@a":1}])",
                           R"(["r",1,{"a\n":1}])",
                           R"(["r",1,{"ä":1}])",
                           R"(["r",1,{"a" :1}])",
                           R"(["r",["t"],1])",
                           R"(["r",["t",1,2],1])",
                           R"(["r",[1,2],1])",
                           R"(["r",["t","x"],1])",
                           R"(["r",["t)"}) {
    EXPECT_FALSE(shape_of(text)) << text;
  }
  std::string wide = R"(["r",1,{"c0":0)";
  for (std::size_t i = 1; i < OperationShape::max_columns; ++i)
    wide += ",\"c" + std::to_string(i) + "\":0";
  EXPECT_TRUE(shape_of(wide + "}]"));
  EXPECT_FALSE(shape_of(wide + ",\"d\":0}]"));
}

TEST(OperationShape, ATextThatMayEndTooEarlyIsNotLookedAt) {
  const std::string text = R"(["r",["t",1],{"a":1,"b":2}])";
  const OperationShape shape = *shape_of(text);
  std::array<std::int64_t, OperationShape::max_integers> integers{};
  const std::string longer = text + padding;
  for (std::size_t size = 0; size < shape.max_length(); ++size) {
    // A text of its own, so that a look behind its end is noticed.
    const std::vector<char> cut(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string_view view(cut.data(), cut.size());
    ASSERT_EQ(shape.match(view, integers.data()), 0U);
    OperationShape::of(view);
  }
  EXPECT_EQ(shape.match(longer.substr(0, shape.max_length()), integers.data()), text.size());
}

/// The short cut must not be seen: with a space in it, an operation takes the long way to the same
/// history or to an error about the same thing.
TEST(OperationShape, AgreesWithTheJsonReader) {
  const auto outcome = [](const std::string& operations) {
    const auto history =
        read_history(Source::from_memory("h", "{\"isoscope-history\":1}{\"session\":1,\"ops\":[" +
                                                  operations + "],\"x-pad\":\"" + padding + "\"}"));
    if (!history) return history.error().what;
    const auto text = format_history(*history, Format::native);
    return text ? *text + std::to_string(history->values().size()) : text.error().what;
  };
  const std::string keys[] = {"1", "-7", "[\"t\",1]", "[\"\",1]", "[\"u\",01]", "[\"t\",\"x\"]"};
  const std::string values[] = {"5",
                                "{\"a\":1,\"b\":2}",
                                "{\"b\":1,\"a\":2}",
                                "{\"a\":1000000000000000000,\"b\":9223372036854775807}",
                                "{\"a\":1,\"b\":9223372036854775808}",
                                "{\"a\":1,\"a\":2}",
                                "{\"@a\":1}",
                                "{\"a\":\"x\",\"b\":null}",
                                "{\"a\":01}",
                                "{\"a\":1.5}",
                                "{\"a\":1",
                                "null",
                                "{}"};
  for (const std::string& key : keys) {
    for (const std::string& value : values) {
      std::string quick;
      std::string slow;
      // Shapes are learnt, repeated, and take turns with others.
      for (const char* word : {"w", "r", "w"}) {
        const std::string start = "[\"" + std::string(word) + "\",";
        for (const std::string& before :
             {std::string("[\"t\",2],{\"b\":3,\"a\":4}"), std::string("2,3"), key + "," + value}) {
          quick += (quick.empty() ? "" : ",") + start + before + "]";
          slow += (slow.empty() ? "" : ",") + start + " " + before + "]";
        }
      }
      ASSERT_EQ(outcome(quick), outcome(slow)) << quick;
    }
  }
}

}  // namespace
}  // namespace isoscope
