#include "isoscope/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace isoscope {
namespace {

TEST(Error, SaysWhereInATextFile) {
  const Error error{"expected x, found y", "f.jsonl", {17, 3, 5}};
  EXPECT_EQ(error.text(), "f.jsonl:3:5: expected x, found y");
}

TEST(Error, SaysTheByteWhereThereAreNoLines) {
  const Error error{"expected x, found y", "f.bin", {17, 0, 0}};
  EXPECT_EQ(error.text(), "f.bin: byte 17: expected x, found y");
}

TEST(Error, WithoutASourceIsOnlyWhatItSays) {
  EXPECT_EQ(Error{"unknown level"}.text(), "unknown level");
}

Result<int> half(int number) {
  if (number % 2 != 0) return Error{"odd"};
  return number / 2;
}

Result<int> quarter(int number) {
  ISOSCOPE_TRY(once, half(number));
  ISOSCOPE_TRY(twice, half(once));
  return twice;
}

Status both_even(int left, int right) {
  ISOSCOPE_TRY_STATUS(half(left));
  ISOSCOPE_TRY_STATUS(half(right));
  return Done{};
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = half(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const Result<int> bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().what, "odd");
}

TEST(Result, TryPassesTheFirstErrorOn) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().what, "odd");
  EXPECT_TRUE(both_even(2, 4));
  EXPECT_FALSE(both_even(2, 5));
  EXPECT_FALSE(both_even(1, 4));
}

TEST(Result, CarriesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

#ifndef ISOSCOPE_NO_CONTRACTS
TEST(ResultDeathTest, TheValueOfAnErrorIsABrokenContract) {
  EXPECT_DEATH(static_cast<void>(*half(7)), "requirement on the caller");
  EXPECT_DEATH(static_cast<void>(half(8).error()), "requirement on the caller");
}
#endif

}  // namespace
}  // namespace isoscope
