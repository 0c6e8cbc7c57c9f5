#include "isoscope/base/integer_set.h"

#include <gtest/gtest.h>

#include <set>

#include "isoscope/base/random.h"
#include "test_scale.h"

namespace isoscope {
namespace {

TEST(IntegerSet, StartsEmpty) {
  const IntegerSet set;
  EXPECT_EQ(set.size(), 0U);
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.contains(7));
}

TEST(IntegerSet, ZeroIsAnInteger) {
  IntegerSet set;
  EXPECT_TRUE(set.insert(0));
  EXPECT_FALSE(set.insert(0));
  EXPECT_TRUE(set.contains(0));
  EXPECT_FALSE(set.contains(1));
  EXPECT_EQ(set.size(), 1U);
}

TEST(IntegerSet, Includes) {
  IntegerSet a;
  IntegerSet b;
  EXPECT_TRUE(a.includes(b));
  for (std::uint64_t i = 1; i < 1000; ++i) a.insert(i);
  EXPECT_TRUE(a.includes(a));
  EXPECT_TRUE(a.includes(b));
  EXPECT_FALSE(b.includes(a));
  b.insert(999);
  EXPECT_TRUE(a.includes(b));
  b.insert(0);
  EXPECT_FALSE(a.includes(b));
  a.insert(0);
  EXPECT_TRUE(a.includes(b));
  b.insert(1000);
  EXPECT_FALSE(a.includes(b));
}

/// `integers` gives one after the other.
template <class Integers>
void expect_what_std_set_says(int count, Integers integers) {
  IntegerSet set;
  std::set<std::uint64_t> expected;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t integer = integers();
    ASSERT_EQ(set.contains(integer), expected.contains(integer)) << integer;
    ASSERT_EQ(set.insert(integer), expected.insert(integer).second) << integer;
    ASSERT_TRUE(set.contains(integer));
  }
  EXPECT_EQ(set.size(), expected.size());
  for (const std::uint64_t integer : expected) ASSERT_TRUE(set.contains(integer));
}

TEST(IntegerSet, IsAsStdSet) {
  const int count = 20'000 * test_scale();
  Random random(1);
  expect_what_std_set_says(count, [&] { return random.next() >> random.below(64); });
  expect_what_std_set_says(count, [&] { return random.below(1000); });
  expect_what_std_set_says(count, [&] { return random.next(); });
  // Numbers of transactions: the client's above, and counted below.
  std::uint64_t next = 0;
  expect_what_std_set_says(count, [&] { return (next++ % 16) << 32 | random.below(5000); });
  // Alike in the lower half.
  expect_what_std_set_says(count, [&] { return next++ << 48 | 5; });
}

}  // namespace
}  // namespace isoscope
