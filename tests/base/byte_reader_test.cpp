#include "isoscope/base/byte_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/chunked_stream.h"

namespace isoscope {
namespace {

constexpr std::size_t chunks[] = {1, 2, 3, 7, 64, 1 << 20};

TEST(ByteReader, GivesTheBytesInOrder) {
  for (const std::size_t chunk : chunks) {
    ByteReader reader = chunked_reader("ab\xFF", chunk);
    EXPECT_EQ(reader.peek(), 'a');
    EXPECT_EQ(reader.get(), 'a');
    EXPECT_EQ(reader.get(), 'b');
    EXPECT_FALSE(reader.at_end());
    EXPECT_EQ(reader.get(), 255);
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(reader.get(), -1);
    EXPECT_EQ(reader.peek(), -1);
    EXPECT_EQ(reader.offset(), 3U);
    EXPECT_TRUE(reader.stream_status());
  }
}

TEST(ByteReader, AnEmptyInputIsAtItsEnd) {
  ByteReader reader = chunked_reader("");
  EXPECT_EQ(reader.position(), (Position{0, 1, 1}));
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.window(10), "");
  EXPECT_EQ(reader.position(), (Position{0, 1, 1}));
  const auto line = reader.next_line();
  ASSERT_TRUE(line);
  EXPECT_FALSE(*line);
}

TEST(ByteReader, TheWindowShowsAtLeastWhatWasAsked) {
  for (const std::size_t chunk : chunks) {
    ByteReader reader = chunked_reader("hello, world", chunk);
    EXPECT_EQ(reader.window(5).substr(0, 5), "hello");
    reader.skip(3);
    EXPECT_EQ(reader.window(9), "lo, world");
    EXPECT_EQ(reader.window(100), "lo, world");
    reader.skip(9);
    EXPECT_EQ(reader.window(1), "");
  }
}

TEST(ByteReader, TheWindowGrowsBeyondItsFirstSize) {
  std::string bytes;
  for (int i = 0; bytes.size() < (std::size_t{3} << 20); ++i) bytes += std::to_string(i) + ",";
  ByteReader reader = chunked_reader(bytes, 100'000);
  reader.get();
  const std::string_view window = reader.window(std::size_t{2} << 20);
  ASSERT_GE(window.size(), std::size_t{2} << 20);
  EXPECT_EQ(window, std::string_view(bytes).substr(1, window.size()));
}

TEST(ByteReader, LinesOfBothKindsAndALastOneWithoutEnd) {
  for (const std::size_t chunk : chunks) {
    ByteReader reader = chunked_reader("one\ntwo\r\n\n\r\nlast", chunk);
    std::vector<std::string> lines;
    for (;;) {
      const auto line = reader.next_line();
      ASSERT_TRUE(line);
      if (!*line) break;
      lines.emplace_back(**line);
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "", "", "last"}));
  }
}

TEST(ByteReader, LinesLongerThanTheBufferAreWhole) {
  const std::string longest(std::size_t{1} << 20, 'x');
  ByteReader reader = chunked_reader("a\n" + longest + "\nb\n", 65536);
  EXPECT_EQ(**reader.next_line(), "a");
  EXPECT_EQ(**reader.next_line(), longest);
  EXPECT_EQ(reader.position(), (Position{longest.size() + 3, 3, 1}));
  EXPECT_EQ(**reader.next_line(), "b");
  EXPECT_FALSE((*reader.next_line()).has_value());
}

/// Never ends, and costs no memory.
class EndlessStream : public ByteStream {
 public:
  std::size_t read(char* into, std::size_t size) override {
    std::fill_n(into, size, 'x');
    return size;
  }
};

TEST(ByteReader, ALineWithoutEndIsAnErrorBeforeItEatsTheMemory) {
  ByteReader reader("test", std::make_unique<EndlessStream>());
  const auto line = reader.next_line();
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().text(), "test:1:1: expected a line of at most 64 MiB, found a longer one");
}

TEST(ByteReader, ReadsExactlySoManyBytesOrSaysNo) {
  for (const std::size_t chunk : chunks) {
    ByteReader reader = chunked_reader("abcdef", chunk);
    char four[4];
    ASSERT_TRUE(reader.read_exact(four, 4));
    EXPECT_EQ(std::string_view(four, 4), "abcd");
    EXPECT_FALSE(reader.read_exact(four, 4));
    EXPECT_TRUE(reader.stream_status());
    EXPECT_TRUE(reader.read_exact(four, 0));
  }
}

/// Positions are counted lazily and the buffer moves under them; this counts one byte at a time.
TEST(ByteReader, PositionsAreThoseOfPlainCounting) {
  std::string bytes;
  for (int i = 0; bytes.size() < 700'000; ++i)
    bytes += std::string(static_cast<std::size_t>(i % 90), 'x') + "\n";
  ByteReader reader = chunked_reader(bytes, 30'011);
  Position expected{0, 1, 1};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at % 997 == 0) {
      ASSERT_EQ(reader.position(), expected) << at;
    }
    if (at % 50'021 == 0) reader.window(1000);
    ASSERT_EQ(reader.get(), bytes[at]);
    ++expected.byte;
    ++expected.column;
    if (bytes[at] == '\n') {
      ++expected.line;
      expected.column = 1;
    }
  }
  EXPECT_EQ(reader.position(), expected);
}

TEST(ByteReader, AnEarlierPositionInTheBufferIsExact) {
  ByteReader reader = chunked_reader("ab\ncd\nef");
  for (int i = 0; i < 7; ++i) reader.get();
  EXPECT_EQ(reader.position_of(0), (Position{0, 1, 1}));
  EXPECT_EQ(reader.position_of(2), (Position{2, 1, 3}));
  EXPECT_EQ(reader.position_of(3), (Position{3, 2, 1}));
  EXPECT_EQ(reader.position_of(4), (Position{4, 2, 2}));
  EXPECT_EQ(reader.position(), (Position{7, 3, 2}));
}

TEST(ByteReader, ErrorsCarryNameAndPlace) {
  ByteReader reader = chunked_reader("ab\ncd");
  for (int i = 0; i < 4; ++i) reader.get();
  EXPECT_EQ(reader.error("expected x").text(), "test:2:2: expected x");
  EXPECT_EQ(reader.error_at_byte(1, "expected x").text(), "test: byte 1: expected x");
}

TEST(ByteReader, AStreamThatFailedIsTheReasonForEverything) {
  ByteReader reader = chunked_reader("ab", 1 << 20, Error{"cannot read: gone"});
  EXPECT_TRUE(reader.stream_status());
  EXPECT_EQ(reader.window(3), "ab");
  EXPECT_FALSE(reader.stream_status());
  EXPECT_EQ(reader.stream_status().error().text(), "test: byte 0: cannot read: gone");
  EXPECT_EQ(reader.error("expected x").what, "cannot read: gone");
  EXPECT_EQ(**reader.next_line(), "ab");
  EXPECT_FALSE(reader.next_line()) << "the end that was seen is not the end of the input";
}

TEST(ByteReader, MovesWithItsPlace) {
  ByteReader first = chunked_reader("abc\ndef", 2);
  for (int i = 0; i < 5; ++i) first.get();
  ByteReader second = std::move(first);
  EXPECT_EQ(second.position(), (Position{5, 2, 2}));
  EXPECT_EQ(second.get(), 'e');
  EXPECT_EQ(second.name(), "test");
}

}  // namespace
}  // namespace isoscope
