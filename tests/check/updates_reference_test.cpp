// Histories with updates at every level, against the reference checker, which applies the functions
// itself. What is unknown must be so for a reason that updates have. The verifier confirms every
// certificate.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "check/strong_case.h"
#include "check/update_history.h"
#include "history_of.h"
#include "isoscope/check/check.h"
#include "print_level.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

struct Count {
  int holds = 0;
  int violated = 0;
  int unknown = 0;
  int uncertified = 0;
};

std::vector<Level> all_levels() {
  std::vector<Level> all;
  for (const LevelEntry& entry : levels()) {
    for (const bool session_order : {true, false}) all.push_back({entry.id, session_order});
  }
  return all;
}

class Updates : public testing::Test {
 protected:
  /// Asks all levels. `reason`: what an unknown verdict must say.
  void compare(const History& history, const std::string& reason) {
    static const std::vector<Level> levels = all_levels();
    const bool is_decided = reference::is_within_limits(history);
    std::vector<bool> expected(levels.size());
    if (is_decided) expected = reference::satisfied(history, levels);
    for (std::size_t i = 0; i < levels.size() && !HasFailure(); ++i) {
      CheckOptions options;
      options.certificate = true;
      const Verdict verdict = check(history, levels[i], options);
      // Whatever else is asked for, the answer is the same.
      EXPECT_EQ(check(history, levels[i], {}).answer, verdict.answer) << text_of(levels[i]) << "\n"
                                                                      << test::described(history);
      Count& count = counts_[levels[i].id];
      if (verdict.answer == Answer::unknown) {
        ++count.unknown;
        EXPECT_FALSE(reason.empty()) << text_of(levels[i]) << ": " << verdict.reason << "\n"
                                     << test::described(history);
        EXPECT_NE(verdict.reason.find(reason), std::string::npos) << verdict.reason;
        continue;
      }
      const bool holds = verdict.answer == Answer::holds;
      ++(holds ? count.holds : count.violated);
      if (is_decided) {
        EXPECT_EQ(holds, expected[i]) << text_of(levels[i]) << ": " << verdict.reason << "\n"
                                      << test::described(history);
      }
      if (!verdict.certificate) {
        ++count.uncertified;
        continue;
      }
      if (verdict.settled_by) continue;
      EXPECT_TRUE(test::is_confirmed(history, verdict));
    }
  }

  std::map<LevelId, Count> counts_;
};

/// Whether something in the history may be the reason for an unknown verdict: a base that may be 0
/// or nil.
bool has_open_base(const History& history) {
  for (const TransactionId t : history.transactions()) {
    for (const Update& update : history.updates(t)) {
      const Operation& first = history.operations(t)[history.place_of(update, t)];
      if (update.is_pair() && first.value() == ValuePool::unreported) return true;
    }
  }
  return false;
}

TEST_F(Updates, RandomHistoriesAreDecidedAsTheReferenceDoes) {
  Random random(1);
  for (int i = 0; i < 250 * test_scale() && !HasFailure(); ++i) {
    const test::UpdateFeatures features{.most_transactions = 2 + i % 4,
                                        .keys = 1 + i % 3,
                                        .values = i % 5 == 0 ? 6 : 3,
                                        .outcomes = i % 2 == 0,
                                        .times = i % 3 == 0,
                                        .stale_percent = i % 7 * 10};
    const History history = test::UpdateHistory(random, features).make();
    compare(history, has_open_base(history) ? "0 or to nil" : "");
  }
  for (const LevelEntry& entry : levels()) {
    const Count& count = counts_[entry.id];
    EXPECT_GE(count.holds, 20) << entry.name;
    EXPECT_GE(count.violated, 20) << entry.name;
    EXPECT_EQ(count.uncertified, 0) << entry.name;
  }
}

/// All histories of three transactions with one of these operations each, in three sessions, in
/// two, and in one.
TEST_F(Updates, SmallHistoriesAreDecidedAsTheReferenceDoes) {
  const std::vector<std::string> all = {
      "add(x,1,1)", "cas(x,nil,1,done)", "add(x,1,2)",      "r(x,1)", "w(x,1)",
      "r(x,nil)",   "swap(x,nil,1)",     "cas(x,1,2,done)", "d(x)",   "cas(x,2,1,refused,nil)"};
  const std::size_t count = test_scale() > 1 ? all.size() : 5;
  for (std::size_t i = 0; i < count * count * count && !HasFailure(); ++i) {
    const std::string& first = all[i % count];
    const std::string& second = all[i / count % count];
    const std::string& third = all[i / count / count];
    const auto compare_in = [&](const char* after_first, const char* after_second) {
      compare(test::history_of(first + after_first + second + after_second + third), "");
    };
    if (i % count <= i / count % count && i / count % count <= i / count / count) {
      compare_in(" | ", " | ");
    }
    compare_in(" ; ", " | ");
    compare_in(" ; ", " ; ");
  }
}

/// Updates of which too little was learned: what is decided all the same is right.
TEST_F(Updates, VagueUpdatesAreUnknownAndNeverWrong) {
  Random random(2);
  for (int i = 0; i < 80 * test_scale() && !HasFailure(); ++i) {
    const test::UpdateFeatures features{
        .keys = 1 + i % 2, .outcomes = i % 2 == 0, .times = false, .vague = true};
    compare(test::UpdateHistory(random, features).make(), " ");
  }
}

}  // namespace
}  // namespace isoscope
