#include "isoscope/synth/compare.h"

#include "synth/examples.h"

namespace isoscope::synth {
namespace {

Comparison compared(const spec::Definition& a, const spec::Definition& b, const Scope& scope) {
  Progress progress;
  const Limits limits;
  auto comparison = compare(a, b, scope, {}, limits, progress);
  EXPECT_TRUE(comparison) << comparison.error().text();
  return *std::move(comparison);
}

TEST(Compare, FindsTheSameLevelInTwoFrameworks) {
  const spec::Definition one = level("biswas-enea/SI"), other = level("cerone/SI");
  const Comparison comparison = compared(one, other, {.transactions = 4, .keys = 2});
  EXPECT_EQ(comparison.kind(), Comparison::Kind::equivalent);
  EXPECT_FALSE(comparison.only_first.example);
  EXPECT_FALSE(comparison.only_second.example);
}

TEST(Compare, PlumesReadAtomicIsWeakerByTwoOperations) {
  const spec::Definition plume = level("TapRA"), ra = level("RA");
  const Comparison comparison = compared(plume, ra, {});
  EXPECT_EQ(comparison.kind(), Comparison::Kind::weaker);
  ASSERT_TRUE(comparison.only_first.example);
  EXPECT_EQ(size_of(comparison.only_first.example->history), (Size{2, 1, 2}));
  EXPECT_EQ(compared(ra, plume, {}).kind(), Comparison::Kind::stronger);
}

TEST(Compare, FindsAnExampleBothWays) {
  const spec::Definition ua = level("UA"), cc = level("CC");
  const Comparison comparison = compared(ua, cc, {.transactions = 3, .keys = 2});
  EXPECT_EQ(comparison.kind(), Comparison::Kind::incomparable);
  ASSERT_TRUE(comparison.only_first.example && comparison.only_second.example);
  EXPECT_EQ(size_of(comparison.only_first.example->history), (Size{3, 1, 3}));
  EXPECT_EQ(size_of(comparison.only_second.example->history), (Size{2, 1, 4}));
}

/// What a newcomer would do: a level of their own against snapshot isolation.
TEST(Compare, TakesLevelsOfOnesOwn) {
  const spec::Definition si = level("cerone/SI");
  const spec::Definition mine = level_from(
      "include \"cerone/base\"\n"
      "axiom prefix: ar ; vis in vis\n");
  EXPECT_EQ(compared(mine, si, {.transactions = 3, .keys = 2}).kind(), Comparison::Kind::weaker);
  const spec::Definition pc = level("PC");
  EXPECT_EQ(compared(mine, pc, {.transactions = 3, .keys = 2}).kind(),
            Comparison::Kind::equivalent);
}

TEST(Compare, SaysUnknownAtALimit) {
  const spec::Definition one = level("SI"), other = level("cerone/SI");
  Progress progress;
  Limits limits;
  limits.request_stop();
  const auto comparison = compare(one, other, {}, {}, limits, progress);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->kind(), Comparison::Kind::unknown);
}

}  // namespace
}  // namespace isoscope::synth
