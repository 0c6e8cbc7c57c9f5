// The engine with choices against the reference checker on random histories: every level that has a
// row, with session order and without. It must decide them all, but for lists to which an element
// was appended twice. The engine is asked itself, also where known sources would decide the level.

#include <gtest/gtest.h>

#include "check/reads/first_pass_of_keys.h"
#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/unique_values.h"
#include "check/visible/check_visible.h"
#include "check/visible/rows.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/history/history_builder.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

/// What the engine says by itself; nothing if the first pass has decided already.
std::optional<Verdict> asked(const History& history, Level level, const CheckOptions& options) {
  Verdict verdict{.level = level};
  const ReadFindings forbidden = ReadFindings::forbidden_by(level);
  KeyAccesses accesses;
  EXPECT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
  const FirstPassResult pass = first_pass(history, accesses, {.forbidden = forbidden});
  const auto refutes = [&](const BadRead& finding) { return finding.refutes(forbidden); };
  if (std::ranges::any_of(pass.findings, refutes) || !pass.undecided.empty()) return std::nullopt;
  verdict.counted_committed = pass.counted_committed;
  verdict.counted_aborted = pass.counted_aborted;
  verdict.ruled_out = pass.ruled_out;
  visible::check_visible(history, accesses, options, verdict);
  return verdict;
}

struct Count {
  int holds = 0;
  int violated = 0;
  int unknown = 0;
  std::uint64_t solved = 0;  // that needed the solver
};

class VisibleReference : public testing::TestWithParam<Level> {
 protected:
  Random random_for(std::uint64_t test) const {
    return Random(test * 1'000 + static_cast<std::uint64_t>(GetParam().id) * 2 +
                  (GetParam().session_order ? 1 : 0));
  }

  /// Adds the verdict to the count, and compares it with the reference.
  void compare(const History& history) {
    CheckStatistics statistics;
    CheckOptions options;
    options.statistics = &statistics;
    const auto verdict = asked(history, GetParam(), options);
    if (!verdict) return;
    if (verdict->answer == Answer::unknown) {
      // Such lists are not decided here.
      if (verdict->reason == "elements of a list were appended more than once") return;
      ++count_.unknown;
      reason_ = verdict->reason;
      return;
    }
    const bool holds = verdict->answer == Answer::holds;
    ++(holds ? count_.holds : count_.violated);
    count_.solved += statistics.rounds > 0 ? 1 : 0;
    EXPECT_EQ(holds, reference::satisfies(history, GetParam())) << text_of(GetParam()) << "\n"
                                                                << verdict->reason << "\n"
                                                                << test::described(history);
  }

  void expect_both_answers(int at_least) const {
    EXPECT_GE(count_.holds, at_least);
    // At adya-read-committed nearly everything holds, and mostly as it was guessed.
    if (visible::row_of(GetParam().id)->looks == visible::Looks::at_none) return;
    EXPECT_GE(count_.violated, 1);
    EXPECT_GE(count_.solved, 4u);
  }

  Count count_;
  std::string reason_;
};

TEST_P(VisibleReference, DecidesHistoriesWithUniqueValues) {
  Random random = random_for(1);
  for (int i = 0; i < 2'000 * test_scale() && !HasFailure(); ++i) {
    compare(test::UniqueValues(random).make());
  }
  EXPECT_EQ(count_.unknown, 0) << reason_;
  expect_both_answers(100);
}

TEST_P(VisibleReference, DecidesHistoriesWithRepeatedValues) {
  Random random = random_for(2);
  for (int i = 0; i < 2'000 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 5,
                                             .keys = 2 + i % 2,
                                             .lists = i % 3 == 1,
                                             .predicates = false,
                                             .appended_once = true,
                                             .odd = i % 7 == 6};
    compare(reference::random_history(random, features));
  }
  EXPECT_EQ(count_.unknown, 0) << reason_;
  expect_both_answers(100);
}

TEST_P(VisibleReference, DecidesHardHistories) {
  Random random = random_for(3);
  for (int i = 0; i < 1'000 * test_scale() && !HasFailure(); ++i) {
    const test::HardFeatures features{.least_transactions = 4,
                                      .most_transactions = 5,
                                      .keys = 3,
                                      .values = 2,
                                      .operations = 5,
                                      .changed_percent = 60,
                                      .sessions_percent = 60,
                                      .doubtful_percent = i % 2 == 0 ? 20 : 0,
                                      .lists = i % 4 == 3};
    compare(test::HardHistory(random, features).make());
  }
  EXPECT_EQ(count_.unknown, 0) << reason_;
}

TEST_P(VisibleReference, DecidesHistoriesWithPredicates) {
  Random random = random_for(4);
  for (int i = 0; i < 1'000 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{
        .most_transactions = 4, .keys = 3, .lists = i % 4 == 3, .appended_once = true};
    compare(reference::random_history(random, features));
    const test::RowFeatures rows{.most_transactions = 4, .distinct = 2, .lists = i % 5 == 4};
    const History history = test::row_history(random, rows);
    if (reference::is_within_limits(history)) compare(history);
  }
  EXPECT_EQ(count_.unknown, 0) << reason_;
  expect_both_answers(50);
}

// The reader overwrites a key that more transactions wrote than a search for ways looks at, and the
// first of them is the one that it did not see.
TEST(Visible, AWriterFromLongAgoIsVisibleByACommonKey) {
  for (const bool follows : {false, true}) {
    HistoryBuilder builder;
    const KeyId x = builder.key("x");
    const KeyId y = builder.key("y");
    const SessionId first = builder.add_session();
    const auto write = [&](KeyId key, int value) {
      builder.write(key, builder.values().integer(value));
    };
    builder.begin_transaction(first);
    write(x, 1);
    write(y, 1);
    for (int i = 2; i < 100; ++i) {
      builder.begin_transaction(builder.add_session());
      write(y, i);
    }
    builder.begin_transaction(builder.add_session());
    if (follows) builder.read(y, builder.values().integer(1));
    builder.read(x, ValuePool::nil);
    write(y, 100);
    const History history = std::move(builder).finish();
    const auto verdict = asked(history, {LevelId::update_atomic}, {});
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->answer, follows ? Answer::violated : Answer::holds);
  }
}

std::vector<Level> levels_with_rows() {
  std::vector<Level> result;
  for (const LevelEntry& entry : levels()) {
    if (!visible::has_checker(entry.id)) continue;
    result.push_back({entry.id, true});
    if (!is_vacuous({entry.id, false})) result.push_back({entry.id, false});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Levels, VisibleReference, testing::ValuesIn(levels_with_rows()),
                         test::level_name);

}  // namespace
}  // namespace isoscope
