#include "workload/zipf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace isoscope {
namespace {

TEST(InversePower, IsExactWhereTheAnswerIs) {
  EXPECT_EQ(inverse_power(1, 99), 1.0);
  EXPECT_EQ(inverse_power(1000, 0), 1.0);
  EXPECT_EQ(inverse_power(4, 50), 0.5);
  EXPECT_EQ(inverse_power(16, 75), 0.125);
  EXPECT_EQ(inverse_power(4, 150), 0.125);
  EXPECT_EQ(inverse_power(10, 200), 0.01);
}

TEST(InversePower, IsNearTheLibrarysPower) {
  for (const unsigned theta : {1U, 33U, 50U, 90U, 99U, 120U, 150U, 299U}) {
    for (const std::uint64_t base : {2ULL, 3ULL, 10ULL, 999ULL, 1000000ULL}) {
      const double expected =
          std::pow(static_cast<double>(base), -static_cast<double>(theta) / 100);
      EXPECT_NEAR(inverse_power(base, theta) / expected, 1.0, 1e-10) << base << "^" << theta;
    }
  }
}

TEST(InversePower, HasTheSameBitsEverywhere) {
  EXPECT_EQ(inverse_power(2, 99), 0x1.01c7d6c4051b8p-1);
  EXPECT_EQ(inverse_power(1000, 99), 0x1.18e4717dfce9bp-10);
}

TEST(Zipf, WeightsAreInProportionToThePower) {
  // 4 ranks: the first has 2^62 / 4, and with theta 1 the others a half, a third and a fourth.
  const std::uint64_t one = std::uint64_t{1} << 60;
  const Zipf zipf(4, 100);
  ASSERT_EQ(zipf.sums().size(), 4U);
  EXPECT_EQ(zipf.sums()[0], one);
  EXPECT_EQ(zipf.sums()[1], one + one / 2);
  EXPECT_NEAR(static_cast<double>(zipf.sums()[2]) / static_cast<double>(one), 11.0 / 6, 1e-12);
  EXPECT_EQ(zipf.sums()[3] - zipf.sums()[2], one / 4);
}

TEST(Zipf, ThetaZeroIsUniform) {
  const Zipf zipf(5, 0);
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(zipf.sums()[r], (r + 1) * (std::uint64_t{1} << 59));
}

TEST(Zipf, LaterRanksHaveLessButAlwaysSomething) {
  for (const unsigned theta : {50U, 99U, 150U, 5000U}) {
    const Zipf zipf(10'000, theta);
    std::uint64_t last_weight = zipf.sums()[0];
    for (std::size_t r = 1; r < zipf.sums().size(); ++r) {
      const std::uint64_t weight = zipf.sums()[r] - zipf.sums()[r - 1];
      ASSERT_LE(weight, last_weight);
      ASSERT_GE(weight, 1U);
      last_weight = weight;
    }
    EXPECT_LE(zipf.sums().back(), std::uint64_t{1} << 62);
  }
}

TEST(Zipf, DrawsAsOftenAsTheWeightsSay) {
  const Zipf zipf(3, 100);  // 6/11, 3/11, 2/11
  Random random(1);
  std::vector<int> drawn(3);
  for (int i = 0; i < 110'000; ++i) ++drawn[zipf.draw(random)];
  EXPECT_NEAR(drawn[0], 60'000, 700);
  EXPECT_NEAR(drawn[1], 30'000, 700);
  EXPECT_NEAR(drawn[2], 20'000, 700);
}

TEST(Zipf, OneRankIsAlwaysDrawn) {
  const Zipf zipf(1, 99);
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(zipf.draw(random), 0U);
}

}  // namespace
}  // namespace isoscope
