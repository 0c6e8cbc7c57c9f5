#include "shrink/neighbours.h"

#include <gtest/gtest.h>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "reference/scenario.h"
#include "shrink/part_builder.h"
#include "shrink/random_units.h"
#include "shrink/small_history.h"
#include "test_scale.h"

namespace isoscope::shrinking {
namespace {

/// The example of neighbours.h: T3's read is of T1 or of T5; that T5 came later is seen from T4.
TEST(Neighbours, ShowThatASourceCameLater) {
  const Source source = Source::from_memory("history",
                                            "a: T1 w(x,1) ; T2 w(x,2) ; T3 r(x,1) w(z,1)\n"
                                            "c: T4 r(z,1) ; T5 w(x,1)\n");
  const History history = *read_history(source, {.format = Format::litmus});
  const PartMaker maker(history);
  const KeyId x = history.operations(TransactionId(0))[0].key();
  PartBuilder builder(maker);
  builder.read(TransactionId(2), 0, x);
  builder.writes(TransactionId(1), {x});
  const Part told = maker.sound(std::move(builder).finish());
  const auto answer = [&](const Part& part) {
    return check(maker.make(maker.sound(part)).history, Level{LevelId::serializable}).answer;
  };
  EXPECT_EQ(answer(told), Answer::holds);
  const Neighbours neighbours(maker);
  EXPECT_EQ(answer(neighbours.around(told, 0)), Answer::holds);
  EXPECT_EQ(answer(neighbours.around(told, 1)), Answer::violated);
}

TEST(Neighbours, AreAddedToThePart) {
  Random random(333);
  int larger = 0;
  for (int i = 0; i < 1000 * test_scale(); ++i) {
    const History history = test::small_history(random, i);
    const PartMaker maker(history);
    const Part whole = maker.sound(whole_part(history));
    PartBuilder builder(maker);
    builder.add(maker.sound(without(whole, test::random_units(random, whole))));
    const Part part = maker.sound(std::move(builder).finish());
    const Part around = maker.sound(Neighbours(maker).around(part, 1 + random.below(3)));
    ASSERT_EQ(common(part, around), part) << reference::text_of(history);
    larger += around != part ? 1 : 0;
  }
  EXPECT_GE(larger, 100 * test_scale());
}

}  // namespace
}  // namespace isoscope::shrinking
