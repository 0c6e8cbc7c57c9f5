#include "isoscope/base/utf8.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

bool is_scalar_value(std::uint32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

TEST(Utf8, EveryScalarValueIsWrittenAndRecognised) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (!is_scalar_value(code)) continue;
    std::string text;
    append_utf8(text, code);
    const std::size_t expected = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    ASSERT_EQ(text.size(), expected) << code;
    ASSERT_EQ(utf8_length(text, 0), expected) << code;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      ASSERT_EQ(utf8_length(std::string_view(text).substr(0, cut), 0), 0U) << code;
    }
  }
}

/// The definition itself: decodes by the lead byte's pattern, then asks whether the code point
/// needed that length.
std::size_t reference_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  std::size_t length = 0;
  std::uint32_t code = 0;
  if (byte(0) < 0x80) return 1;
  if ((byte(0) & 0xE0) == 0xC0) {
    length = 2;
    code = byte(0) & 0x1F;
  } else if ((byte(0) & 0xF0) == 0xE0) {
    length = 3;
    code = byte(0) & 0x0F;
  } else if ((byte(0) & 0xF8) == 0xF0) {
    length = 4;
    code = byte(0) & 0x07;
  } else {
    return 0;
  }
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[length] && is_scalar_value(code) ? length : 0;
}

TEST(Utf8, AgreesWithTheDefinitionOnAllLeadingPairs) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const char* tail : {"", "\x80", "\x80\x80", "\xBF\xBF", "\x80z", "zz"}) {
        const std::string text =
            std::string{static_cast<char>(first), static_cast<char>(second)} + tail;
        ASSERT_EQ(utf8_length(text, 0), reference_length(text))
            << first << ' ' << second << ' ' << tail;
      }
    }
  }
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("a\xC3\xA4z"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("a\xC3\xA4\xFFz"), 3U);
  EXPECT_EQ(find_invalid_utf8("ab\xC3"), 2U);
}

TEST(Utf8, BeyondTheEndIsNothing) { EXPECT_EQ(utf8_length("a", 1), 0U); }

}  // namespace
}  // namespace isoscope
