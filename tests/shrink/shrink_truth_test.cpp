// What shrinking leaves of random histories, judged by the reference checker.

#include <gtest/gtest.h>

#include "isoscope/check/check.h"
#include "isoscope/shrink/shrink.h"
#include "print_level.h"
#include "reference/scenario.h"
#include "shrink/claim.h"
#include "shrink/part_history.h"
#include "shrink/small_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using shrinking::Claim;
using shrinking::Part;

Claim claim_of(const History& history, const Verdict& verdict) {
  std::optional<report::Explanation> explanation;
  if (verdict.evidence.empty()) explanation = report::explain(history, *verdict.certificate);
  return shrinking::claim_of(verdict, explanation ? &*explanation : nullptr);
}

/// Does the history violate the level, by the same name or with a stronger claim?
bool violates(const History& history, Level level, const ShrinkOptions& options,
              const Claim& claim) {
  const Verdict verdict =
      check(history, level, {.indeterminate_cuts = options.indeterminate_cuts, .anomalies = 1});
  return verdict.answer == Answer::violated &&
         shrinking::stands_for(claim_of(history, verdict), claim);
}

/// Without any one of its transactions or operations it violates the level no longer, or in another
/// way.
void expect_minimal(const History& small, Level level, const ShrinkOptions& options,
                    const Claim& claim) {
  const shrinking::PartMaker maker(small);
  const Part whole = shrinking::whole_part(small);
  std::vector<shrinking::Unit> units;
  for (const shrinking::KeptTransaction& kept : whole) {
    units.push_back({kept.id});
    for (const auto& one : kept.operations) units.push_back({kept.id, one.place});
  }
  for (const shrinking::Unit& unit : units) {
    const History less =
        maker.make(maker.sound(shrinking::without(whole, std::span(&unit, 1)))).history;
    // One of unknown outcome that cuts a session stays.
    if (reference::text_of(less) == reference::text_of(small)) continue;
    ASSERT_FALSE(violates(less, level, options, claim))
        << reference::text_of(small) << "needs no more than\n"
        << reference::text_of(less);
  }
}

class ShrinkTruth : public testing::TestWithParam<Level> {};

TEST_P(ShrinkTruth, ThePartIsOfTheWhole) {
  const Level level = GetParam();
  Random random(900 + static_cast<std::uint64_t>(level.id));
  int shrunk = 0;
  int cycles = 0;
  for (int i = 0; shrunk < 2000 * test_scale(); ++i) {
    const History history = test::small_history(random, i);
    if (!reference::is_within_limits(history)) continue;
    const ShrinkOptions options{.indeterminate_cuts = test::some_cuts(i / 6)};
    const reference::Options rule{.indeterminate_cuts = options.indeterminate_cuts};
    const ShrinkResult result = shrink(history, level, options);
    if (result.verdict.answer != Answer::violated) continue;
    ++shrunk;
    cycles += result.verdict.evidence.empty() ? 1 : 0;
    ASSERT_TRUE(result.history && result.smallest);
    ASSERT_TRUE(result.minimal) << reference::text_of(history)
                                << reference::text_of(*result.history);
    const History& small = *result.history;
    const std::string shown = reference::text_of(history) + "part:\n" + reference::text_of(small);
    ASSERT_FALSE(reference::satisfies(small, level, rule)) << shown;
    const auto invented = test::invented(small, history, rule);
    ASSERT_FALSE(invented) << text_of(*invented) << "\n" << shown;
    const Claim claim = claim_of(history, result.verdict);
    ASSERT_TRUE(shrinking::stands_for(claim_of(small, *result.smallest), claim)) << shown;
    expect_minimal(small, level, options, claim);
    if (HasFatalFailure()) FAIL() << shown;
    ASSERT_EQ(reference::text_of(*shrink(history, level, options).history),
              reference::text_of(small));
  }
  // Cut isolation forbids single reads only.
  EXPECT_EQ(cycles == 0, level.id == LevelId::cut_isolation) << cycles << " of " << shrunk;
}

INSTANTIATE_TEST_SUITE_P(Levels, ShrinkTruth,
                         testing::Values(Level{LevelId::serializable},
                                         Level{LevelId::snapshot_isolation},
                                         Level{LevelId::strict_serializable},
                                         Level{LevelId::strong_snapshot_isolation, false},
                                         Level{LevelId::cut_isolation}));

}  // namespace
}  // namespace isoscope
