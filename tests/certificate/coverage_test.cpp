#include "isoscope/certificate/coverage.h"

#include <gtest/gtest.h>

#include "isoscope/certificate/verdict.h"
#include "isoscope/history/format.h"

namespace isoscope {
namespace {

constexpr Level serializable{LevelId::serializable};
constexpr Level strict{LevelId::strict_serializable};

Coverage coverage(const std::string& litmus) {
  return coverage_of(*read_history(Source::from_memory("litmus", litmus)));
}

std::string kinds(const std::string& litmus, Level level) {
  std::string names;
  for (const Remark& remark : remarks_about(coverage(litmus), level, true, false)) {
    names += (names.empty() ? "" : " ") + std::string(name_of(remark.kind));
    EXPECT_TRUE(is_gap(remark.kind));
    EXPECT_TRUE(remark.text.ends_with('.')) << remark.text;
  }
  return names;
}

TEST(Coverage, CountsWhatIsCommitted) {
  const Coverage some = coverage("a: T1 w(x,1) r(y,nil) ; T2! w(x,2) | b: T3? w(x,3) ; T4 r(x,1)");
  EXPECT_EQ(some.committed, 2);
  EXPECT_EQ(some.operations, 3);
  EXPECT_EQ(coverage_words(some, serializable, 5), "2 committed transactions, 3 operations");
  EXPECT_EQ(coverage_words(some, strict, 5),
            "2 committed transactions, 3 operations; clock skew 5ns");
}

TEST(Coverage, RemarksNameWhatWasNotLookedAt) {
  EXPECT_EQ(kinds("a: T1 w(x,1) | b: T2 r(x,1)", serializable), "");
  EXPECT_EQ(kinds("a: T1 w(x,1) | b: T2 r(x,1)", strict), "no-times");
  EXPECT_EQ(kinds("a: T1@1..2 w(x,1) | b: T2 r(x,1)", strict), "times-missing");
  EXPECT_EQ(kinds("a: T1@1..2 w(x,1) | b: T2@3..4 r(x,1)", strict), "");
  EXPECT_EQ(kinds("a: T1! w(x,1) | b: T2? r(x,1)", strict), "nothing-committed");
  EXPECT_EQ(kinds("a: T1 w(x,1) | b: T2? r(x,1)", serializable), "nothing-read");
  EXPECT_EQ(kinds("a: T1 w(x,1) | b: T2 w(x,1)", strict), "nothing-read no-times");
  EXPECT_EQ(kinds("a: T1 rp(v = 1, {})", serializable), "");
  // What was not committed need not have times.
  EXPECT_EQ(kinds("a: T1@1..2 r(x,nil) | b: T2? w(x,1) ; T3! w(x,2)", strict), "");
}

TEST(Coverage, StrictlyAGapMakesHoldsUnknown) {
  const Remark gap{Remark::Kind::no_times, "No times."};
  const auto strict_answer = [&](Answer answer, std::vector<Remark> remarks) {
    Verdict verdict{.level = strict, .answer = answer};
    verdict.remarks = std::move(remarks);
    return strictly(std::move(verdict)).answer;
  };
  EXPECT_EQ(strict_answer(Answer::holds, {}), Answer::holds);
  EXPECT_EQ(strict_answer(Answer::holds, {gap}), Answer::unknown);
  EXPECT_EQ(strict_answer(Answer::violated, {gap}), Answer::violated);
  EXPECT_EQ(strict_answer(Answer::unknown, {gap}), Answer::unknown);
}

}  // namespace
}  // namespace isoscope
