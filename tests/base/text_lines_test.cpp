#include "isoscope/base/text_lines.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

using Lines = std::vector<std::string>;

TEST(TextLines, EmptyLinesAreNotIndented) {
  EXPECT_EQ(indented("a\n\nb", "  "), "  a\n\n  b\n");
  EXPECT_EQ(indented("a\n", "> "), "> a\n");
  EXPECT_EQ(indented("", "  "), "");
}

TEST(TextLines, AreBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("a word-that-is-too-long b", 6), (Lines{"a", "word-that-is-too-long", "b"}));
  EXPECT_EQ(wrapped("", 7), Lines{});
}

TEST(TextLines, HangingOnesAreShorter) {
  EXPECT_EQ(wrapped("one two one two", 7, 2), (Lines{"one two", "one", "two"}));
}

TEST(TextLines, OfListsAreBrokenAfterCommas) {
  EXPECT_EQ(wrapped_list({"a b", "c", "d"}, 6), (Lines{"a b,", "c, d"}));
}

}  // namespace
}  // namespace isoscope
