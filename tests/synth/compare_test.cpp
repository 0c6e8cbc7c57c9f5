#include "isoscope/synth/compare.h"

#include "isoscope/synth/describe.h"
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

/// The separation of the paper needs three writers of a key, so four values.
TEST(Compare, UpdateAtomicIsStrongerThanNoLostUpdate) {
  const spec::Definition ua = level("UA"), nlu = level("NLU");
  const Comparison comparison = compared(ua, nlu, {});
  EXPECT_EQ(comparison.kind(), Comparison::Kind::stronger);
  EXPECT_EQ(comparison.first_allows, Extent::some);
  EXPECT_EQ(comparison.second_allows, Extent::some);
  EXPECT_EQ(compared(ua, nlu, {.values = 3}).kind(), Comparison::Kind::equivalent);
}

TEST(Compare, SaysWhichLevelAllowsNothingOrEverything) {
  const spec::Definition nothing = level_from("axiom no: false");
  const spec::Definition no_history = level_from("axiom no: forall t: transaction. t = initial");
  const spec::Definition everything = level_from("witness co : total order");
  const spec::Definition si = level("SI");
  const Scope scope{.transactions = 3, .keys = 2};
  const auto extents = [&](const spec::Definition& a, const spec::Definition& b) {
    const Comparison comparison = compared(a, b, scope);
    return std::pair(comparison.first_allows, comparison.second_allows);
  };
  EXPECT_EQ(extents(nothing, si), std::pair(Extent::nothing, Extent::some));
  EXPECT_EQ(extents(si, everything), std::pair(Extent::some, Extent::everything));
  EXPECT_EQ(extents(everything, nothing), std::pair(Extent::everything, Extent::nothing));
  EXPECT_EQ(extents(nothing, no_history), std::pair(Extent::nothing, Extent::nothing));
  EXPECT_EQ(extents(everything, everything), std::pair(Extent::everything, Extent::everything));
  EXPECT_EQ(extents(si, si), std::pair(Extent::some, Extent::some));

  const Comparison comparison = compared(nothing, no_history, scope);
  EXPECT_EQ(comparison.kind(), Comparison::Kind::equivalent);
  const std::string text = comparison_text(comparison, nothing, no_history, scope);
  EXPECT_NE(text.find("my.level allows no history up to 3 transactions, 2 keys: that it implies "
                      "others says nothing.\n"),
            std::string::npos)
      << text;
  const std::string json = comparison_json(comparison, nothing, everything, scope);
  EXPECT_NE(json.find("\"first-allows\":\"nothing\""), std::string::npos) << json;
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
