// Every verdict about a weak level comes with a certificate that the verifier confirms, on random
// histories with and without repeated values, session order, lists, times and indeterminate
// transactions. A certificate that was tampered with is refused.

#include <gtest/gtest.h>

#include <map>

#include "check/strong_case.h"
#include "check/unique_values.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using enum LevelId;
using Kind = ProofStep::Kind;

constexpr LevelId weak_levels[] = {valid_reads,
                                   cut_isolation,
                                   read_uncommitted,
                                   strong_read_uncommitted,
                                   read_your_writes,
                                   monotonic_reads,
                                   monotonic_writes_per_key,
                                   writes_follow_reads_per_key,
                                   monotonic_writes,
                                   writes_follow_reads,
                                   pram,
                                   adya_read_committed,
                                   session_causal,
                                   monotonic_atomic_view,
                                   read_committed,
                                   read_atomic,
                                   causal,
                                   strong_adya_read_committed,
                                   strong_read_committed};

class WeakCertificate : public testing::TestWithParam<Level> {};

struct Count {
  int holds = 0;
  int refuted = 0;  ///< by more than one read
  int bad_reads = 0;
  int unknown = 0;
  int without = 0;  ///< certificate
};

void confirm(const History& history, Level level, Count& count) {
  CheckOptions options{.certificate = true};
  options.clock_skew = history.transaction_count() % 2 == 0 ? 0 : 3;
  const Verdict verdict = check(history, level, options);
  if (verdict.answer == Answer::unknown) {
    ++count.unknown;
    return;
  }
  if (!verdict.certificate) {
    ++count.without;
    return;
  }
  ++(verdict.answer == Answer::holds ? count.holds
     : verdict.evidence.empty()      ? count.refuted
                                     : count.bad_reads);
  EXPECT_TRUE(test::is_confirmed(history, verdict, options.clock_skew)) << verdict.reason;
}

TEST_P(WeakCertificate, IsConfirmedWhereValuesAreUnique) {
  Random random(7'000 + static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  for (int i = 0; i < 4'000 * test_scale() && !HasFailure(); ++i) {
    confirm(test::UniqueValues(random).make(), GetParam(), count);
  }
  printf("%d holds %d refuted %d bad %d unknown %d without\n", count.holds, count.refuted,
         count.bad_reads, count.unknown, count.without);
  EXPECT_GT(count.holds, 100);
}

TEST_P(WeakCertificate, IsConfirmedWhereValuesRepeat) {
  Random random(9'000 + static_cast<std::uint64_t>(GetParam().id) * 2 + GetParam().session_order);
  Count count;
  for (int i = 0; i < 4'000 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 5,
                                             .keys = 2 + i % 2,
                                             .lists = i % 3 == 1,
                                             .predicates = i % 5 == 4,
                                             .odd = i % 7 == 6};
    confirm(reference::random_history(random, features), GetParam(), count);
  }
  printf("%d holds %d refuted %d bad %d unknown %d without\n", count.holds, count.refuted,
         count.bad_reads, count.unknown, count.without);
  EXPECT_GT(count.holds, 100);
}

std::vector<Level> all_weak_levels() {
  std::vector<Level> levels;
  for (const LevelId id : weak_levels) {
    levels.push_back({id, true});
    levels.push_back({id, false});
  }
  return levels;
}

INSTANTIATE_TEST_SUITE_P(Levels, WeakCertificate, testing::ValuesIn(all_weak_levels()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
