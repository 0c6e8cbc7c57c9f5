// Session guarantees where sources are open, by example; and that they stop at limits. Many random
// histories are in visible_reference_test.cpp.

#include <gtest/gtest.h>

#include <string>

#include "check/finding_text.h"
#include "check/strong_case.h"
#include "check/weak/known_sources.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/check/check.h"
#include "reference/reference_checker.h"

namespace isoscope {
namespace {

struct Case {
  std::string litmus;
  LevelId level;
  Answer answer;
};

/// Two transactions wrote the value, or a predicate left the row out, or the outcome is open.
std::vector<Case> cases() {
  using enum LevelId;
  return {
      {"a: T1 w(x,2) ; T2 r(x,1) | b: T3 w(x,1) | c: T4 w(x,1)", read_your_writes, Answer::holds},
      {"a: T1 w(x,1) ; T2 r(x,1) ; T3 r(x,nil) | b: T4 w(x,1)", read_your_writes, Answer::violated},
      {"a: T1 r(x,1) ; T2 r(x,nil) | b: T3 w(x,1) | c: T4 w(x,1)", monotonic_reads,
       Answer::violated},
      {"a: T1 r(x,1) ; T2 r(x,2) ; T3 r(x,1) | b: T4 w(x,1) | c: T5 w(x,1) ; T6 w(x,2)",
       monotonic_reads, Answer::holds},
      {"a: T1 r(x,1) ; T2 rp(@value = 1, {}) | b: T3 w(x,1)", monotonic_reads, Answer::violated},
      {"a: T1 r(x,1) ; T2 rp(@value = 1, {}) | b: T3 w(x,1) ; T4 w(x,2)", monotonic_reads,
       Answer::holds},
      {"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) r(x,nil) | c: T4 w(y,1)", monotonic_writes,
       Answer::holds},
      {"a: T1 w(x,1) ; T2 w(y,1) | b: T3 r(y,1) r(x,nil) | c: T4 w(x,2) ; T5 w(y,1)",
       monotonic_writes, Answer::violated},
      {"a: T1 r(x,1) w(y,1) | b: T2 r(y,1) r(x,nil) | c: T3 w(x,1) | d: T4 w(x,1)",
       writes_follow_reads, Answer::violated},
      {"a: T1 r(x,1) w(y,1) | b: T2 r(y,1) w(x,1)", writes_follow_reads, Answer::violated},
      {"a: T1 r(x,1) w(y,1) | b: T2 r(y,1) w(x,1) | c: T3? w(x,1)", writes_follow_reads,
       Answer::holds},
  };
}

TEST(GuaranteeChoices, AreDecidedWithCertificates) {
  for (const Case& its : cases()) {
    const History history = test::litmus(its.litmus);
    CheckOptions options;
    options.certificate = true;
    const Verdict verdict = check(history, Level{its.level}, options);
    EXPECT_EQ(verdict.answer, its.answer) << its.litmus << "\n" << verdict.reason;
    EXPECT_EQ(reference::satisfies(history, Level{its.level}), its.answer == Answer::holds)
        << its.litmus;
    ASSERT_TRUE(verdict.certificate) << its.litmus;
    EXPECT_TRUE(test::is_confirmed(history, verdict)) << its.litmus;
  }
}

TEST(GuaranteeChoices, KnownSourcesStopAtALimit) {
  const History history = test::litmus("a: T1 w(x,1) ; T2 r(x,1) w(y,1) | b: T3 r(y,1) r(x,1)");
  const auto sources = weak::KnownSources::if_plain(history, true, {});
  ASSERT_NE(sources, nullptr);
  Limits limits;
  limits.request_stop();
  int guarantees = 0;
  for (const LevelEntry& entry : levels()) {
    const auto guarantee = weak::guarantee_of(entry.id);
    if (!guarantee) continue;
    ++guarantees;
    EXPECT_EQ(weak::satisfies(*sources, *guarantee, Limits::none()), true) << entry.name;
    EXPECT_EQ(weak::satisfies(*sources, *guarantee, limits), std::nullopt) << entry.name;
  }
  EXPECT_EQ(guarantees, 7);
}

}  // namespace
}  // namespace isoscope
