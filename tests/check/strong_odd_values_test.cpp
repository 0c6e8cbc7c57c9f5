// Values that do not fit their keys: integers where lists are appended to, lists where integers are
// written, nil and [] for the same, keys that are only read, as both; predicates look at all of
// them, and transactions abort or nobody knows. All levels that are decided completely, against the
// reference checker, with every verdict's certificate confirmed.

#include <gtest/gtest.h>

#include "check/reference_valid_reads.h"
#include "check/repeated_lists.h"
#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using reference::RandomFeatures;

constexpr StrongTechniques variants[] = {
    {},
    {.saturation = false},
    {.lazy_choices = false},
    {.saturation = false, .lazy_choices = false},
    {.order_guides_polarity = false, .eager_width = 2},
};

void expect_like_reference(const History& history, const StrongTechniques& techniques,
                           std::int64_t skew = 0) {
  ASSERT_TRUE(reference::is_within_limits(history)) << test::described(history);
  std::vector<Level> levels = test::strong_levels();
  const std::size_t strong = levels.size();
  levels.push_back({LevelId::valid_reads});
  levels.push_back({LevelId::cut_isolation});
  const std::vector<bool> expected = reference::satisfied(history, levels, {.clock_skew = skew});
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Verdict verdict = check(
        history, levels[l], {.clock_skew = skew, .certificate = l < strong, .strong = techniques});
    EXPECT_EQ(verdict.answer, test::answer_of(expected[l]))
        << text_of(levels[l]) << ", skew " << skew << ": " << verdict.reason << "\n"
        << test::described(history);
    if (l >= strong) continue;
    EXPECT_TRUE(test::is_confirmed(history, verdict, skew));
  }
  const test::ReferenceReads slow(history);
  EXPECT_EQ(slow.valid_reads(), expected[strong]) << test::described(history);
  EXPECT_EQ(slow.cut_isolation(), expected[strong + 1]) << test::described(history);
}

constexpr RandomFeatures mixed{.odd = true};
constexpr RandomFeatures two_keys{.most_transactions = 5, .keys = 2, .operations = 3, .odd = true};
constexpr RandomFeatures lists{.keys = 2, .operations = 3, .appended_once = true, .odd = true};
constexpr RandomFeatures registers{.operations = 3, .lists = false, .odd = true};
constexpr test::RepeatedLists repeated{.most_transactions = 5,
                                       .keys = 3,
                                       .changed_percent = 8,
                                       .doubtful_percent = 30,
                                       .initial_percent = 80,
                                       .odd_percent = 60,
                                       .predicate_percent = 25};
constexpr test::RowFeatures rows{
    .most_transactions = 5, .changed_percent = 10, .doubtful_percent = 30, .lists = true};
constexpr test::HardFeatures hard{.least_transactions = 5,
                                  .most_transactions = 7,
                                  .keys = 3,
                                  .operations = 6,
                                  .changed_percent = 30,
                                  .doubtful_percent = 30,
                                  .lists = true,
                                  .odd_list = true};

History one_of_many(Random& random, int i) {
  switch (i % 8) {
    case 0:
    case 1:
      return reference::random_history(random, mixed);
    case 2:
      return reference::random_history(random, two_keys);
    case 3:
      return reference::random_history(random, lists);
    case 4:
      return reference::random_history(random, registers);
    case 5:
      return test::repeated_list_history(random, repeated);
    case 6:
      return test::row_history(random, rows);
    default:
      return test::hard_history(random, hard);
  }
}

TEST(StrongOddValues, AgreeWithTheReference) {
  Random random(17);
  int hold = 0;
  int all = 0;
  for (int i = 0; all < 4000 * test_scale(); ++i) {
    const History history = one_of_many(random, i);
    if (!reference::is_within_limits(history)) continue;
    ++all;
    const auto skew = static_cast<std::int64_t>(i % 3 == 0 ? random.below(30) : 0);
    expect_like_reference(history, variants[random.below(std::size(variants))], skew);
    if (HasFailure()) return;
    hold += check(history, {LevelId::serializable}).answer == Answer::holds ? 1 : 0;
  }
  EXPECT_GE(hold, all / 5);
  EXPECT_LE(hold, all * 4 / 5);
}

struct HandMade {
  const char* litmus;
  bool serializable;
  bool valid_reads;
};

constexpr HandMade hand_made[] = {
    // x is read as a list and never written: its 5 is the empty list, which is no row.
    {"initial 5\na: T1 r(x,[])\nb: T2 rp(true, {x:5}) rp(true, {})", false, false},
    {"initial 5\na: T1 r(x,[])\nb: T2 rp(true, {})", true, true},
    {"initial 5\na: T1 r(x,[])\nb: T2 r(x,5) r(x,nil)", true, true},
    {"initial 5\na: T1 r(x,[])\nb: T2 rp(@value = 5, {x:5})", false, false},
    {"initial 5\na: T1 r(x,[])\nb: T2? rp(true, {x:5}) w(y,1)\nc: T3 r(y,5)", true, true},
    {"initial 5\na: T1 r(x,[])\nb: T2? rp(true, {x:5}) w(y,1)\nc: T3 r(y,1)", false, false},
    // Nobody read it as a list: 5 is a row.
    {"initial 5\na: T1 r(x,5)\nb: T2 rp(true, {x:5})", true, true},
    {"initial 5\na: T1 r(x,5)\nb: T2 rp(true, {})", false, false},
    // A transaction that aborts, or that does not know what was read, also says what the key holds.
    {"initial 5\na: T1! r(x,[1])\nb: T2 rp(true, {x:5})", false, false},
    {"initial 5\na: T1! a(x,1)\nb: T2 rp(true, {x:5})", false, false},
    {"initial 5\na: T1! a(x,1)\nb: T2 rp(true, {})", true, true},
    {"initial 5\na: T1? a(x,1)\nb: T2 rp(true, {x:5})", false, false},
    {"initial 5\na: T1 a(x,1)\nb: T2 rp(@value is null, {x:5})", false, false},
    {"initial 5\na: T1 a(x,1)\nb: T2 r(x,[]) ; T3 r(x,5) ; T4 r(x,[1]) rp(@value = 5, {})", true,
     true},
    {"initial 5\na: T1 a(x,1) w(y,1)\nb: T2 rp(true, {y:1})", false, true},
    // What is no version of a list is none to a predicate either, selected or not.
    {"a: T1 rp(@value is null, {x:5}) ; T2 a(x,1)", false, false},
    {"a: T1 rp(true, {x:5}) ; T2 a(x,1)", false, false},
    // A list read of a key that is written: a register, to which [] is nil.
    {"initial 5\na: T1 r(x,[])\nb: T2 w(x,5)", false, false},
    {"initial 5\na: T1 r(x,[])\nb: T2 d(x)", true, true},
    {"initial 5\na: T1 r(x,[])\nb: T2! d(x)", false, false},
    {"initial [1]\na: T1 r(x,[1])\nb: T2 w(x,2)\nc: T3 rp(@value is null, {}) r(x,2)", true, true},
    {"initial [1]\na: T1 r(x,[1])\nb: T2 w(x,2) w(y,2)\nc: T3 rp(@value is null, {}) r(y,[1])",
     false, true},
    // [] is no row, whichever transaction left it there.
    {"initial []\na: T1 rp(true, {}) r(x,nil) r(x,[])\nb: T2 w(x,1)", true, true},
    {"initial []\na: T1 wp(true, {x:1})", false, false},
    {"initial none x=[]\na: T1 w(x,5) rp(@value is null, {}) ; T2 wp(true, {})", false, true},
    {"initial none x=[]\na: T1 wp(@value = 1, {}) w(x,1) wp(@value = 1, {x:nil})", true, true},
};

TEST(StrongOddValues, HandMade) {
  for (const HandMade& one : hand_made) {
    const History history = test::history_of(one.litmus);
    EXPECT_EQ(reference::satisfies(history, {LevelId::serializable}), one.serializable)
        << one.litmus;
    EXPECT_EQ(reference::satisfies(history, {LevelId::valid_reads}), one.valid_reads) << one.litmus;
    for (const StrongTechniques& techniques : variants) expect_like_reference(history, techniques);
  }
}

/// The verifier knows nothing of such keys, so there is no certificate that it would refuse.
TEST(StrongOddValues, NoCertificateAboutKeysThatAreBoth) {
  const History history = test::history_of("a: T1 a(x,1) w(x,2)\nb: T2 rp(@value is null, {x:1})");
  for (const Level level : test::strong_levels()) {
    const Verdict verdict = check(history, level, {.certificate = true});
    EXPECT_EQ(verdict.answer, Answer::violated) << text_of(level);
    EXPECT_FALSE(verdict.certificate) << text_of(level);
  }
}

}  // namespace
}  // namespace isoscope
