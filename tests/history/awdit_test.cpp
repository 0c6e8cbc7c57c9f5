#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"

namespace isoscope {
namespace {

std::string text_of(std::string text) {
  const Result<History> history = test::read_bytes(Format::awdit, std::move(text));
  return history ? test::history_text(*history) : history.error().text();
}

const std::string two_sessions =
    "origin \"\"\ninitial none\nsession 1\nsession 2\n"
    "1: transaction 1 committed -..-\n    write \"\".0 1\n    read \"\".1 2\n"
    "1: transaction 2 committed -..-\n    write \"\".1 2\n"
    "2: transaction 3 committed -..-\n    read \"\".0 -1\n";

TEST(Awdit, ReadsSessionsOfTransactions) {
  EXPECT_EQ(text_of("w 0 1\nr 1 2\n-----\nw 1 2\n=====\nr 0 18446744073709551615\n"), two_sessions);
}

TEST(Awdit, RulesThatSeparateNothingDoNotCount) {
  EXPECT_EQ(text_of("=\n---\n w 0 1 \r\nr\t1  2\n\n-\n--\nw 1 2\n-----\n===\n==\n\nr 0 "
                    "18446744073709551615\n---"),
            two_sessions);
}

TEST(Awdit, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(text_of("w 0 1\nq 0 1\n"),
            "f:2:1: expected r KEY VALUE, w KEY VALUE, a line of - or a line of =, found q");
  EXPECT_EQ(text_of(" read 0 1\n"),
            "f:1:2: expected r KEY VALUE, w KEY VALUE, a line of - or a line of =, found read");
  EXPECT_EQ(text_of("r"),
            "f:1:1: expected r KEY VALUE, w KEY VALUE, a line of - or a line of =, found r");
  EXPECT_EQ(text_of("w "), "f:1:3: expected a key, found the end of the line");
  EXPECT_EQ(text_of("w x 1"), "f:1:3: expected a key, found x");
  EXPECT_EQ(text_of("w 1x 1"), "f:1:4: expected a space after the key, found x");
  EXPECT_EQ(text_of("w 1"), "f:1:4: expected a space after the key, found the end of the line");
  EXPECT_EQ(text_of("w 1 -1"), "f:1:5: expected a value, found -1");
  EXPECT_EQ(text_of("w 1 2 3"), "f:1:7: expected the end of the line, found 3");
  EXPECT_EQ(text_of("w 1 2\n---x"), "f:2:4: expected the end of the line, found x");
  EXPECT_EQ(text_of("w 1 2\n===-"), "f:2:4: expected the end of the line, found -");
  EXPECT_EQ(text_of("w 99999999999999999999 2"),
            "f:1:3: expected a key of at most 18446744073709551615, found 99999999999999999999");
}

TEST(Awdit, TruncatedInsideALineIsAnError) {
  const std::string whole = "w 10 11\n--\nr 12 13\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    const std::string last = part.substr(part.rfind('\n') + 1);
    const bool complete = size != 0 && (last.empty() || last.starts_with('-') || last.size() > 5);
    EXPECT_EQ(bool(test::read_bytes(Format::awdit, part)), complete) << part;
  }
}

TEST(Awdit, IsRecognised) {
  const auto recognised = [](std::string text) {
    const Result<Format> format = recognise_format(Source::from_memory("f", std::move(text)));
    return format && *format == Format::awdit;
  };
  EXPECT_TRUE(recognised("r 0 1"));
  EXPECT_TRUE(recognised("----\n====\n\nw 0 1\n"));
  EXPECT_FALSE(recognised("----\n[x:=1]\n"));
  EXPECT_FALSE(recognised("r(0,1,2,3)\n"));
  EXPECT_FALSE(recognised("----\n"));
}

TEST(Awdit, AFolderIsNone) {
  ReadOptions options;
  options.format = Format::awdit;
  EXPECT_FALSE(read_history(Source::from_memory_folder("d", {{"d/a", "r 0 1"}}), options));
}

}  // namespace
}  // namespace isoscope
