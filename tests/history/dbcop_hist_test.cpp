#include <gtest/gtest.h>

#include "history/binary_text.h"
#include "history/history_text.h"

namespace isoscope {
namespace {

std::string text_of(std::string text) {
  const Result<History> history = test::read_bytes(Format::dbcop_hist, std::move(text));
  return history ? test::history_text(*history) : history.error().text();
}

TEST(DbcopHist, ReadsSessionsOfTransactions) {
  EXPECT_EQ(text_of("// session 1\n[x:=1 y:=2] [y==2 x:=3]// more\n\n[y_2==?]\n---\n[x==1]!\n"),
            "origin \"\"\ninitial nil\nsession 1\nsession 2\n"
            "1: transaction 1 committed -..-\n    write \"\".\"x\" 1\n    write \"\".\"y\" 2\n"
            "1: transaction 2 committed -..-\n    read \"\".\"y\" 2\n    write \"\".\"x\" 3\n"
            "1: transaction 3 committed -..-\n    read \"\".\"y_2\" nil\n"
            "2: transaction 4 aborted -..-\n    read \"\".\"x\" 1\n");
}

TEST(DbcopHist, EmptySessionsAndTransactionsStay) {
  EXPECT_EQ(text_of("---\n[]\n-\n"),
            "origin \"\"\ninitial nil\nsession 1\nsession 2\nsession 3\n2: transaction 1 committed "
            "-..-\n");
}

TEST(DbcopHist, AVariableThatIsANumberIsThatNumber) {
  EXPECT_EQ(text_of("[0:=1 10:=2 007:=3 99999999999999999999:=4 \xC3\xA9:=5]"),
            "origin \"\"\ninitial nil\nsession 1\n1: transaction 1 committed -..-\n"
            "    write \"\".0 1\n    write \"\".10 2\n    write \"\".\"007\" 3\n"
            "    write \"\".\"99999999999999999999\" 4\n    write \"\".\"\xC3\xA9\" 5\n");
}

TEST(DbcopHist, VersionZeroIsTheInitialStateUnlessSomebodyWritesIt) {
  EXPECT_EQ(text_of("[x==0 y==0]\n---\n[y:=0]!\n"),
            "origin \"\"\ninitial nil\nsession 1\nsession 2\n"
            "1: transaction 1 committed -..-\n    read \"\".\"x\" nil\n    read \"\".\"y\" 0\n"
            "2: transaction 2 aborted -..-\n    write \"\".\"y\" 0\n");
}

TEST(DbcopHist, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(text_of("[x:=1]\nx:=1"), "f:2:1: expected '[', a line of - or a comment, found x:=1");
  EXPECT_EQ(text_of("[x:=1"), "f:1:6: expected ']', found the end of the line");
  EXPECT_EQ(text_of("[x:=1 "), "f:1:7: expected ']', found the end of the line");
  EXPECT_EQ(text_of("[x=1]"), "f:1:3: expected ':=' or '==', found =1");
  EXPECT_EQ(text_of("[x:=?]"), "f:1:5: expected a version, found ?");
  EXPECT_EQ(text_of("[x==y]"), "f:1:5: expected a version, found y");
  EXPECT_EQ(text_of("[x:=1,y:=2]"), "f:1:6: expected a space or ']', found ,");
  EXPECT_EQ(text_of("[x:=1y:=2]"), "f:1:6: expected a space or ']', found y:=2");
  EXPECT_EQ(text_of("[:=2]"), "f:1:2: expected a variable or ']', found :=2");
  EXPECT_EQ(text_of("[x:=9223372036854775808]"),
            "f:1:5: expected a version of at most 9223372036854775807, found 9223372036854775808");
  EXPECT_EQ(text_of("[ab\xFF:=1]"), "f:1:4: expected valid UTF-8, found byte 255");
  EXPECT_EQ(text_of("--- x"), "f:1:5: expected the end of the line, found x");
  EXPECT_EQ(text_of("[[x:=1]]"), "f:1:2: expected a variable or ']', found [");
  EXPECT_EQ(text_of("[x:=1]?"), "f:1:7: expected '[', a line of - or a comment, found ?");
}

TEST(DbcopHist, TruncatedInsideATransactionIsAnError) {
  const std::string whole = "[x:=10 y==?] [z==20]!\n--\n[]\n";
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    const bool complete = part.rfind('[') == std::string::npos ||
                          part.find(']', part.rfind('[')) != std::string::npos;
    EXPECT_EQ(bool(test::read_bytes(Format::dbcop_hist, part)), complete) << part;
  }
}

TEST(DbcopHist, IsRecognised) {
  const auto recognised = [](std::string text) {
    const Result<Format> format = recognise_format(Source::from_memory("f", std::move(text)));
    return format && *format == Format::dbcop_hist;
  };
  EXPECT_TRUE(recognised("[x:=1]\n"));
  EXPECT_TRUE(recognised("// a comment\n---\n[x==? y:=2]!\n"));
  EXPECT_FALSE(recognised("// only a comment\n"));
  EXPECT_FALSE(recognised("[1, 2]\n"));
  EXPECT_FALSE(recognised("-----\nr 0 1\n"));
}

}  // namespace
}  // namespace isoscope
