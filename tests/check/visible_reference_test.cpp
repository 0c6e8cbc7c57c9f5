// The engine with choices against the reference checker on random histories: every level that has a
// row, and the session guarantees, with session order and without. It must decide them all, but for
// lists to which an element was appended twice. The engine is asked itself, also where known
// sources would decide the level. The verifier confirms every certificate.

#include <gtest/gtest.h>

#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/unique_values.h"
#include "check/visible/rows.h"
#include "check/visible_case.h"
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

struct Count {
  int holds = 0;
  int violated = 0;
  int unknown = 0;
  std::uint64_t solved = 0;  // that needed the solver
  // Certificates.
  int orders = 0;
  int refutations = 0;
  int uncertified = 0;
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
    options.certificate = true;
    const auto verdict = test::asked_of_visible(history, GetParam(), options);
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
    confirm(history, *verdict);
  }

  /// The verifier confirms the verdict, if it comes with a certificate.
  void confirm(const History& history, const Verdict& verdict) {
    if (!verdict.certificate) {
      ++count_.uncertified;
      return;
    }
    const bool holds = verdict.answer == Answer::holds;
    ++(holds ? count_.orders : count_.refutations);
    EXPECT_TRUE(test::is_confirmed(history, verdict));
  }

  /// Every order can be told. Of refutations those cannot that rest on odd lists.
  void expect_certificates() const {
    EXPECT_EQ(count_.orders, count_.holds);
    EXPECT_LE(count_.uncertified, 1 + count_.violated / 50);
    EXPECT_EQ(count_.refutations + count_.uncertified, count_.violated);
  }

  void expect_both_answers(int at_least) const {
    EXPECT_GE(count_.holds, at_least);
    // At adya-read-committed nearly everything holds, and mostly as it was guessed. Versions that
    // are in session order are contradicted by lists only.
    const auto row = visible::row_of(GetParam().id);
    if (row && row->looks == visible::Looks::at_none) return;
    if (GetParam().id == LevelId::monotonic_writes_per_key) return;
    EXPECT_GE(count_.refutations, 1);
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
  expect_certificates();
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
  expect_certificates();
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
  expect_certificates();
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
  expect_certificates();
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
    const auto verdict = test::asked_of_visible(history, {LevelId::update_atomic}, {});
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
