// What shrink leaves of updates.

#include <gtest/gtest.h>

#include "history_of.h"
#include "isoscope/history/format.h"
#include "isoscope/shrink/shrink.h"

namespace isoscope {
namespace {

std::string shrunk(const std::string& litmus, LevelId level) {
  const ShrinkResult result = shrink(test::history_of(litmus), {level}, {});
  EXPECT_EQ(result.verdict.answer, Answer::violated) << result.verdict.reason;
  return *format_history(result.history.value(), Format::litmus);
}

TEST(ShrinkUpdates, TwoUpdatesOfOneBaseStay) {
  const std::string history =
      "initial 7\n"
      "a: T1 r(y,7) add(x,5,12) ; T3 add(y,1,8) ; T5 cas(y,8,9,done) r(z,7)\n"
      "b: T2 add(x,5,12) w(z,1) ; T4 r(y,8) swap(z,3,1)\n";
  EXPECT_EQ(shrunk(history, LevelId::read_committed),
            "initial 7\na: T1 add(x,5,12)  |  b: T2 add(x,5,12)\n");
}

TEST(ShrinkUpdates, OfSomeOnlyTheReadOrTheWriteMatters) {
  // T3 missed T1's y; that T3 added to what it saw does not matter.
  EXPECT_EQ(shrunk("a: T1 w(x,1) w(y,2) | b: T3 r(x,1) add(y,4,4)", LevelId::read_atomic),
            "a: T1 w(x,1) w(y,2)  |  b: T3 r(x,1) r(y,nil)\n");
}

}  // namespace
}  // namespace isoscope
