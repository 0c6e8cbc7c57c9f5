// What a part of a history violates the whole violates, too: at every level of the catalogue, by
// the reference checker, which is slow and knows nothing of parts.

#include <gtest/gtest.h>

#include "reference/scenario.h"
#include "shrink/part_history.h"
#include "shrink/random_units.h"
#include "shrink/small_history.h"
#include "test_scale.h"

namespace isoscope::shrinking {
namespace {

TEST(SoundPart, ViolatesNoMoreThanTheWhole) {
  Random random(4711);
  int smaller = 0;
  int violated = 0;
  for (int i = 0; i < 3000 * test_scale(); ++i) {
    const History history = test::small_history(random, i);
    if (!reference::is_within_limits(history)) continue;
    const PartMaker maker(history);
    const Part whole = maker.sound(whole_part(history));
    const Part part = maker.sound(without(whole, test::random_units(random, whole)));
    smaller += part != whole ? 1 : 0;
    const PartHistory made = maker.make(part);
    ASSERT_TRUE(reference::is_within_limits(made.history));
    violated += reference::satisfies(made.history, Level{LevelId::serializable}) ? 0 : 1;
    const auto level =
        test::invented(made.history, history, {.indeterminate_cuts = test::some_cuts(i / 6)});
    ASSERT_FALSE(level) << i << ": " << text_of(*level) << "\n"
                        << reference::text_of(history) << "part:\n"
                        << reference::text_of(made.history);
  }
  EXPECT_GE(smaller, 1500 * test_scale());
  EXPECT_GE(violated, 300 * test_scale());
}

/// Lemma 2 without its "some": what is left of the reads if only their true writers are thought of.
TEST(SoundPart, LeavingOutOneOfSeveralWritersInventsViolations) {
  Random random(4712);
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const History history = test::small_history(random, 3);
    const PartMaker maker(history);
    const Part whole = maker.sound(whole_part(history));
    const PartHistory made = maker.make(without(whole, test::random_units(random, whole)));
    wrong += test::invented(made.history, history) ? 1 : 0;
  }
  EXPECT_GE(wrong, 10);
}

}  // namespace
}  // namespace isoscope::shrinking
