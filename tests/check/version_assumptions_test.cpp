// What is assumed of the order of versions, against the reference checker, which looks at
// executions with such orders only. It gets every pair that docs/assumptions.md speaks of, one by
// one from the text, so that the pairs that are left out because others say the same are tested,
// too.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/unique_values.h"
#include "history_of.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/check/every_level.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/verifier/verify.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using enum VersionAssumption;
using Version = std::optional<TransactionId>;  // nothing: the initial one

/// The pairs of docs/assumptions.md.
class AssumedPairs {
 public:
  AssumedPairs(const History& history, const std::vector<VersionAssumption>& assumptions,
               std::int64_t skew)
      : history_(history), skew_(skew), assumptions_(assumptions) {}

  std::vector<reference::AssumedOrder> all() {
    for (const KeyId key : history_.keys()) {
      for (const TransactionId t : history_.transactions()) {
        if (assumes(wfr_keys)) after_reads(key, t);
        for (const TransactionId u : history_.transactions()) {
          if (t == u) continue;
          const bool is_before = (assumes(sequential_keys) && in_session(t, u)) ||
                                 (assumes(linearizable_keys) && in_time(t, u));
          if (is_before && !is_list(key)) all_of(used(key, t), used(key, u), key);
          if (assumes(commit_stamps)) by_stamps(key, t, u);
        }
      }
    }
    return std::move(pairs_);
  }

 private:
  bool assumes(VersionAssumption one) const { return std::ranges::count(assumptions_, one) != 0; }
  bool committed(TransactionId t) const { return history_.outcome(t) == Outcome::committed; }
  bool is_there(TransactionId t) const { return history_.outcome(t) != Outcome::aborted; }

  bool is_list(KeyId key) const {
    bool appended = false, written = false, listed = false;
    for_all([&](TransactionId, const Operation& o) {
      if (o.key() != key) return;
      appended |= o.kind() == OperationKind::append;
      listed |= o.kind() == OperationKind::list_read;
      written |= o.is_item_write() && o.kind() != OperationKind::append;
    });
    return appended || (listed && !written);
  }

  template <class Visit>
  void for_all(const Visit& visit) const {
    for (const TransactionId t : history_.transactions()) {
      for (const Operation& o : history_.operations(t)) visit(t, o);
    }
  }

  static ValueId plain(ValueId value) {
    return value == ValuePool::empty_list ? ValuePool::nil : value;
  }

  bool writes(TransactionId t, KeyId key) const {
    return std::ranges::any_of(history_.operations(t), [&](const Operation& o) {
      return o.is_item_write() && o.key() == key;
    });
  }

  /// The version that nobody but one transaction can have left, or the initial one.
  std::optional<Version> certain(KeyId key, ValueId value) const {
    std::set<TransactionId> writers;
    for_all([&](TransactionId t, const Operation& o) {
      if (o.is_item_write() && o.key() == key && plain(o.value()) == plain(value))
        writers.insert(t);
    });
    const auto initial = history_.initial_value(key);
    const bool is_initial = initial && plain(*initial) == plain(value);
    if (writers.empty() && is_initial) return Version();
    if (writers.size() != 1 || is_initial || !is_there(*writers.begin())) return std::nullopt;
    ValueId last = ValuePool::unreported;
    for (const Operation& o : history_.operations(*writers.begin())) {
      if (o.is_item_write() && o.key() == key) last = o.value();
    }
    if (plain(last) != plain(value)) return std::nullopt;
    return Version(*writers.begin());
  }

  std::vector<Version> seen(KeyId key, TransactionId t) const {
    std::vector<Version> result;
    if (!committed(t) || is_list(key)) return result;
    for (const Operation& o : history_.operations(t)) {
      if (o.key() != key) continue;
      if (o.is_item_write()) break;
      if (o.value() == ValuePool::unreported) continue;
      if (const auto version = certain(key, o.value())) result.push_back(*version);
    }
    return result;
  }

  std::vector<Version> used(KeyId key, TransactionId t) const {
    std::vector<Version> result = seen(key, t);
    if (is_there(t) && writes(t, key)) result.emplace_back(t);
    return result;
  }

  bool in_session(TransactionId t, TransactionId u) const {
    if (history_.session_of(t) != history_.session_of(u) || !committed(t) || u < t) return false;
    for (TransactionId between = t; between < u; between = TransactionId(between.index() + 1)) {
      const bool cuts = history_.session_of(between) == history_.session_of(t) &&
                        history_.outcome(between) == Outcome::indeterminate;
      if (cuts && history_.indeterminate_cuts()) return false;
    }
    return true;
  }

  bool in_time(TransactionId t, TransactionId u) const {
    const auto end = history_.end_time(t);
    const auto begin = history_.begin_time(u);
    return committed(t) && end && begin && *end + skew_ < *begin;
  }

  void add(Version earlier, Version later, KeyId key) {
    if (earlier != later) pairs_.push_back({key, earlier, later});
  }
  void all_of(const std::vector<Version>& earlier, const std::vector<Version>& later, KeyId key) {
    for (const Version one : earlier) {
      for (const Version other : later) add(one, other, key);
    }
  }
  void after_reads(KeyId key, TransactionId t) {
    if (committed(t) && writes(t, key)) all_of(seen(key, t), {Version(t)}, key);
  }
  void by_stamps(KeyId key, TransactionId t, TransactionId u) {
    const auto first = history_.commit_stamp(t);
    const auto second = history_.commit_stamp(u);
    if (first && second && *first < *second && writes(t, key) && writes(u, key)) {
      add(Version(t), Version(u), key);
    }
  }

  const History& history_;
  std::int64_t skew_;
  std::vector<VersionAssumption> assumptions_;
  std::vector<reference::AssumedOrder> pairs_;
};

std::vector<VersionAssumption> some_assumptions(Random& random) {
  constexpr VersionAssumption all[] = {sequential_keys, linearizable_keys, wfr_keys, commit_stamps};
  if (random.chance(60)) return {all[random.below(std::size(all))]};
  std::vector<VersionAssumption> some;
  for (const VersionAssumption one : all) {
    if (random.chance(50)) some.push_back(one);
  }
  if (some.empty()) some.push_back(wfr_keys);
  return some;
}

std::vector<Level> all_levels() {
  std::vector<Level> result;
  for (const LevelEntry& entry : levels()) {
    result.push_back({entry.id, true});
    if (!is_vacuous({entry.id, false})) result.push_back({entry.id, false});
  }
  return result;
}

struct Count {
  int same = 0;  // violated without any assumption
  int by_assumption = 0;
  int cyclic = 0;
  int holds = 0;
  int unknown = 0;
};

/// Compares every level with the reference, and the verdict's words with what it rests on.
void compare(const History& history, Random& random, Count& count) {
  CheckOptions options;
  options.assumptions = some_assumptions(random);
  options.clock_skew = random.chance(20) ? 3 : 0;
  options.certificate = true;
  reference::Options reference_options{.clock_skew = options.clock_skew};
  reference_options.assumed = AssumedPairs(history, options.assumptions, options.clock_skew).all();
  const std::vector<Level> levels = all_levels();
  const std::vector<bool> expected = reference::satisfied(history, levels, reference_options);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Verdict verdict = check(history, levels[i], options);
    const auto message = [&] {
      return text_of(levels[i]) + " with " + names_of(options.assumptions) + "\n" + verdict.reason +
             "\n" + test::described(history);
    };
    if (verdict.answer == Answer::unknown) {
      ++count.unknown;
      continue;
    }
    ASSERT_EQ(verdict.answer == Answer::holds, expected[i]) << message();
    const bool rests = !verdict.assumed.empty();
    const bool says_so =
        std::ranges::count(verdict.remarks, Remark::Kind::assumption, &Remark::kind) == 1;
    ASSERT_EQ(rests, says_so) << message();
    if (verdict.answer == Answer::holds) {
      ++count.holds;
      ASSERT_TRUE(rests) << message();
    } else if (!rests) {
      ++count.same;
      ASSERT_FALSE(reference::satisfies(history, levels[i], {.clock_skew = options.clock_skew}))
          << message();
    } else {
      ++count.by_assumption;
      count.cyclic += verdict.has_cyclic_versions ? 1 : 0;
      ASSERT_FALSE(verdict.certificate) << message();
      ASSERT_FALSE(certificate_of(verdict, history)) << message();
    }
    if (!verdict.certificate) continue;
    const auto certificate = certificate_of(verdict, history);
    ASSERT_TRUE(certificate) << message();
    EXPECT_FALSE(verify(history, *certificate)) << message();
  }
}

TEST(VersionAssumptions, AgreeWithTheReferenceOnUniqueValues) {
  Random random(19'700);
  Count count;
  for (int i = 0; i < 1'500 * test_scale() && !testing::Test::HasFatalFailure(); ++i) {
    test::UniqueValues values(random);
    values.has_stamps = true;
    compare(std::move(values).make(), random, count);
  }
  EXPECT_GE(count.same, 5'000);
  EXPECT_GE(count.by_assumption, 2'000);
  EXPECT_GE(count.cyclic, 500);
  EXPECT_GE(count.holds, 5'000);
  EXPECT_LE(count.unknown, (count.same + count.holds) / 50);
  RecordProperty("unknown", count.unknown);
}

TEST(VersionAssumptions, AgreeWithTheReferenceOnRepeatedValues) {
  Random random(19'701);
  Count count;
  for (int i = 0; i < 1'000 * test_scale() && !testing::Test::HasFatalFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 5,
                                             .keys = 2 + i % 2,
                                             .lists = i % 3 == 1,
                                             .predicates = false,
                                             .appended_once = true,
                                             .odd = i % 7 == 6};
    compare(reference::random_history(random, features), random, count);
  }
  EXPECT_GE(count.by_assumption, 100);
  EXPECT_GE(count.holds, 2'000);
}

TEST(VersionAssumptions, AgreeWithTheReferenceOnHardHistories) {
  Random random(19'702);
  Count count;
  for (int i = 0; i < 500 * test_scale() && !testing::Test::HasFatalFailure(); ++i) {
    const test::HardFeatures features{.least_transactions = 4,
                                      .most_transactions = 6,
                                      .keys = 3,
                                      .values = 4,
                                      .operations = 4,
                                      .changed_percent = 40,
                                      .sessions_percent = 60,
                                      .doubtful_percent = i % 2 == 0 ? 20 : 0,
                                      .lists = i % 4 == 3};
    compare(test::HardHistory(random, features).make(), random, count);
  }
  EXPECT_GE(count.by_assumption, 10);
}

}  // namespace
}  // namespace isoscope
