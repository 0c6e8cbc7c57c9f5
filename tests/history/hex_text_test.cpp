#include "history/format/checkers/hex_text.h"

#include <gtest/gtest.h>

#include <charconv>

#include "isoscope/base/random.h"
#include "test_scale.h"

namespace isoscope::format {
namespace {

std::string expected(std::uint64_t number) {
  char digits[16];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

TEST(HexText, NumbersAreAsStdWritesThem) {
  Random random(1);
  for (int shift = 0; shift < 64; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    for (const std::uint64_t number : {power - 1, power, power + 1, ~power, random.next() >> shift})
      EXPECT_EQ(hex(number), expected(number));
  }
  EXPECT_EQ(hex(0), "0");
  EXPECT_EQ(hex(0x0123456789abcdef), "123456789abcdef");
  EXPECT_EQ(hex(0xfedcba9876543210), "fedcba9876543210");
  for (int i = 0; i < 10'000 * test_scale(); ++i) {
    const std::uint64_t number = random.next() >> random.below(64);
    ASSERT_EQ(hex(number), expected(number));
  }
}

TEST(HexText, NumbersAndWords) {
  constexpr std::uint64_t largest = 0xffffffffffffffff;
  HexText text;
  EXPECT_EQ(text.view(), "");
  text.add_hex(largest);
  text.add(':');
  text.add_hex(largest);
  text.add(" of unknown transaction ");
  text.add_hex(largest);
  EXPECT_EQ(text.view(),
            "ffffffffffffffff:ffffffffffffffff of unknown transaction ffffffffffffffff");
  text.clear();
  EXPECT_EQ(text.view(), "");
  text.add("initial");
  text.add(':');
  text.add_hex(0);
  EXPECT_EQ(text.view(), "initial:0");
}

}  // namespace
}  // namespace isoscope::format
