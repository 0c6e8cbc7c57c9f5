// A level for each transaction, against the reference checker: thousands of random assignments of
// levels to random histories, and all assignments to all very small ones. The verifier confirms
// every certificate, and no certificate says something false about another assignment.

#include "reference/mixed_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/unique_values.h"
#include "check/visible_case.h"
#include "history_of.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/recorded_levels.h"
#include "reference/random_history.h"
#include "reference/scenario.h"
#include "test_scale.h"
#include "with_levels.h"

namespace isoscope {
namespace {

using test::mixed_levels;
using test::mixed_levels_without_time;

constexpr Level recorded{LevelId::recorded};
constexpr Level recorded_without_sessions{LevelId::recorded, false};

CheckOptions with_certificate() {
  CheckOptions options;
  options.certificate = true;
  return options;
}

class MixedLevels : public testing::Test {
 protected:
  std::vector<LevelId> assignment(Random& random, const History& history) const {
    // Two levels only, half of the time: then more of them have something to say.
    const LevelId few[] = {any_level(random), any_level(random)};
    const bool has_few = random.chance(50);
    std::vector<LevelId> levels;
    for (std::size_t t = 0; t < history.transaction_count(); ++t) {
      levels.push_back(has_few ? few[random.below(2)] : any_level(random));
    }
    return levels;
  }

  LevelId any_level(Random& random) const {
    return mixed_levels[random.below(with_time_ ? mixed_levels.size() : mixed_levels_without_time)];
  }

  /// Compares check() and the engine itself with the reference. Gives the engine's verdict.
  std::optional<Verdict> compare(const History& history, Level level) {
    const bool holds = reference::satisfies_recorded(history, level.session_order);
    ++(holds ? holds_ : violated_);
    const Verdict asked = check(history, level, with_certificate());
    if (asked.answer == Answer::unknown) {
      // Lists to which an element was appended twice.
      ++unknown_;
    } else {
      EXPECT_EQ(asked.answer == Answer::holds, holds) << text_of(level) << "\n"
                                                      << asked.reason << "\n"
                                                      << test::described(history);
      if (asked.certificate && !asked.settled_by) {
        EXPECT_TRUE(test::is_confirmed(history, asked));
      }
      if (asked.certificate && asked.settled_by) {
        EXPECT_TRUE(certificate_of(asked, history));
      }
    }
    auto verdict = test::asked_of_visible(history, level, with_certificate());
    if (!verdict || verdict->answer == Answer::unknown) return std::nullopt;
    ++asked_of_engine_;
    EXPECT_EQ(verdict->answer == Answer::holds, holds) << "the engine, " << text_of(level) << "\n"
                                                       << verdict->reason << "\n"
                                                       << test::described(history);
    if (verdict->certificate) {
      ++certified_;
      EXPECT_TRUE(test::is_confirmed(history, *verdict));
    }
    return verdict;
  }

  void compare_assignments(Random& random, const History& history, int count) {
    // The native format has no place for a list that a predicate returned.
    const bool can_be_leveled = format_history(history, Format::native).operator bool();
    if (!reference::is_within_limits(history) || !can_be_leveled) return;
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const History leveled = test::with_levels(history, assignment(random, history));
      compare(leveled, random.chance(80) ? recorded : recorded_without_sessions);
    }
  }

  void expect_both_answers(int at_least) const {
    EXPECT_GE(holds_, at_least);
    EXPECT_GE(violated_, at_least);
    EXPECT_LE(unknown_, (holds_ + violated_) / 20);
    EXPECT_GE(asked_of_engine_, (holds_ + violated_) / 4);
    EXPECT_GE(certified_, asked_of_engine_ - asked_of_engine_ / 50);
  }

  bool with_time_ = false;
  int holds_ = 0;
  int violated_ = 0;
  int unknown_ = 0;
  int asked_of_engine_ = 0;
  int certified_ = 0;
};

TEST_F(MixedLevels, OfHistoriesWithUniqueValues) {
  Random random(1901);
  for (int i = 0; i < 2'000 * test_scale() && !HasFailure(); ++i) {
    compare_assignments(random, test::UniqueValues(random).make(), 3);
  }
  EXPECT_EQ(unknown_, 0);
  expect_both_answers(500);
}

TEST_F(MixedLevels, OfHistoriesWithRepeatedValues) {
  Random random(1902);
  for (int i = 0; i < 1'500 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{.most_transactions = 4,
                                             .keys = 2 + i % 2,
                                             .lists = i % 3 == 1,
                                             .predicates = false,
                                             .appended_once = true};
    compare_assignments(random, reference::random_history(random, features), 2);
  }
  EXPECT_EQ(unknown_, 0);
  expect_both_answers(300);
}

TEST_F(MixedLevels, OfHardHistories) {
  Random random(1903);
  for (int i = 0; i < 500 * test_scale() && !HasFailure(); ++i) {
    const test::HardFeatures features{.least_transactions = 4,
                                      .most_transactions = 5,
                                      .keys = 3,
                                      .values = 2,
                                      .operations = 4,
                                      .changed_percent = 60,
                                      .sessions_percent = 60,
                                      .doubtful_percent = i % 2 == 0 ? 20 : 0,
                                      .lists = i % 4 == 3};
    compare_assignments(random, test::HardHistory(random, features).make(), 2);
  }
  expect_both_answers(100);
}

TEST_F(MixedLevels, OfHistoriesWithPredicates) {
  Random random(1904);
  for (int i = 0; i < 600 * test_scale() && !HasFailure(); ++i) {
    const reference::RandomFeatures features{
        .most_transactions = 4, .keys = 2, .lists = i % 4 == 3, .appended_once = true};
    compare_assignments(random, reference::random_history(random, features), 2);
    const test::RowFeatures rows{.most_transactions = 4, .distinct = 2};
    compare_assignments(random, test::row_history(random, rows), 2);
  }
  expect_both_answers(100);
}

TEST_F(MixedLevels, WithRealTimeForSome) {
  Random random(1905);
  with_time_ = true;
  for (int i = 0; i < 1'500 * test_scale() && !HasFailure(); ++i) {
    compare_assignments(random, test::UniqueValues(random).make(), 2);
  }
  EXPECT_EQ(unknown_, 0);
  expect_both_answers(300);
}

// What is mixed of one level only is that level, for the reference and for the engine.
TEST_F(MixedLevels, AllAlikeAreTheLevel) {
  Random random(1906);
  for (int i = 0; i < 150 * test_scale() && !HasFailure(); ++i) {
    const History history = test::UniqueValues(random).make();
    for (const LevelId id : mixed_levels) {
      const History leveled = test::with_levels(history, [&](TransactionId) { return id; });
      const bool session_order = random.chance(80);
      const bool holds = reference::satisfies(history, {id, session_order});
      EXPECT_EQ(reference::satisfies_recorded(leveled, session_order), holds)
          << name_of(id) << "\n"
          << test::described(leveled);
      compare(leveled, {LevelId::recorded, session_order});
    }
  }
  EXPECT_EQ(unknown_, 0);
  expect_both_answers(100);
}

// To ask more of one transaction never makes a history right that was not.
TEST_F(MixedLevels, RaisingOneIsNeverEasier) {
  Random random(1907);
  int told_apart = 0;
  for (int i = 0; i < 1'500 * test_scale() && !HasFailure(); ++i) {
    const History history = test::UniqueValues(random).make();
    std::vector<LevelId> levels = assignment(random, history);
    const auto low = check(test::with_levels(history, levels), recorded);
    const std::size_t raised = random.below(levels.size());
    std::vector<LevelId> above;
    for (const LevelId id : mixed_levels) {
      if (id != levels[raised] && implies(id, levels[raised])) above.push_back(id);
    }
    if (above.empty()) continue;
    levels[raised] = above[random.below(above.size())];
    const History leveled = test::with_levels(history, levels);
    const auto high = check(leveled, recorded);
    ASSERT_NE(low.answer, Answer::unknown);
    ASSERT_NE(high.answer, Answer::unknown);
    EXPECT_FALSE(low.answer == Answer::violated && high.answer == Answer::holds)
        << test::described(leveled);
    told_apart += low.answer != high.answer ? 1 : 0;
  }
  EXPECT_GE(told_apart, 20);
}

// A certificate is about the levels that were recorded. Somebody who moves it to another assignment
// cannot make it say what is false.
TEST_F(MixedLevels, CertificatesCannotBeMoved) {
  Random random(1908);
  int moved = 0;
  int refused = 0;
  for (int i = 0; i < 1'500 * test_scale() && !HasFailure(); ++i) {
    const History history = test::UniqueValues(random).make();
    const History from = test::with_levels(history, assignment(random, history));
    const History to = test::with_levels(history, assignment(random, history));
    const auto verdict = compare(from, recorded);
    if (!verdict || !verdict->certificate || digest(from) == digest(to)) continue;
    Certificate certificate = *certificate_of(*verdict, from);
    EXPECT_TRUE(verify(to, certificate)) << "the digest is of other levels";
    certificate.history_digest = digest(to);
    const bool is_refused = verify(to, certificate).has_value();
    const bool is_false =
        reference::satisfies_recorded(to, true) != (verdict->answer == Answer::holds);
    EXPECT_TRUE(is_refused || !is_false) << test::described(from) << test::described(to);
    moved += is_false ? 1 : 0;
    refused += is_refused ? 1 : 0;
  }
  EXPECT_GE(moved, 15);
  EXPECT_GE(refused, moved);
}

// All histories of two transactions with up to two operations each on two keys, in which nobody
// writes a value twice, in one session and in two; and all pairs of levels.
class AllPairs : public MixedLevels {
 protected:
  struct Step {
    bool is_write = false;
    int key = 0;
  };

  static History make(const std::vector<Step> (&programs)[2], std::size_t reads, bool one_session) {
    HistoryBuilder builder;
    const SessionId first = builder.add_session();
    const SessionId second = one_session ? first : builder.add_session();
    int value = 0;
    for (const int t : {0, 1}) {
      builder.begin_transaction(t == 0 ? first : second);
      for (const Step& step : programs[t]) {
        const KeyId key = builder.key(step.key);
        ++value;
        if (step.is_write) {
          builder.write(key, builder.values().integer(value));
        } else {
          // Nothing, or what a step wrote: most of the time that is no version of the key.
          const auto source = static_cast<int>(reads % 5);
          reads /= 5;
          builder.read(key, source == 0 ? ValuePool::nil : builder.values().integer(source));
        }
      }
    }
    return std::move(builder).finish();
  }
};

TEST_F(AllPairs, OfVerySmallHistories) {
  std::vector<std::vector<Step>> programs = {{}};
  for (int first = 0; first < 4; ++first) {
    programs.push_back({{first < 2, first % 2}});
    for (int second = 0; second < 4; ++second) {
      programs.push_back({{first < 2, first % 2}, {second < 2, second % 2}});
    }
  }
  const int stride = 40 / std::min(test_scale(), 40);
  int count = 0;
  for (const auto& first : programs) {
    for (const auto& second : programs) {
      const std::vector<Step> both[2] = {first, second};
      std::size_t ways = 1;
      for (const auto& program : both) {
        for (const Step& step : program) ways *= step.is_write ? 1 : 5;
      }
      for (std::size_t reads = 0; reads < ways && !HasFailure(); ++reads) {
        const History history = make(both, reads, count % 3 == 0);
        if (check(history, {LevelId::valid_reads}).answer != Answer::holds) continue;
        if (++count % stride != 0) continue;
        for (std::size_t i = 0; i < mixed_levels_without_time; ++i) {
          for (std::size_t j = 0; j < mixed_levels_without_time; ++j) {
            compare(test::with_levels(history, {mixed_levels[i], mixed_levels[j]}), recorded);
          }
        }
      }
    }
  }
  EXPECT_EQ(unknown_, 0);
  EXPECT_GE(count, 500);
  expect_both_answers(100);
}

// A write skew of two serializable transactions is none if one of them ran at read committed: that
// one promises nothing about what it read, so it can be the later one.
TEST_F(MixedLevels, AWriteSkewTakesTwo) {
  const auto answer = [](const std::string& second) {
    return check(test::history_of("a: T1@serializable r(x,nil) w(y,1) | b: T2@" + second +
                                  " r(y,nil) w(x,1)"),
                 recorded)
        .answer;
  };
  EXPECT_EQ(answer("serializable"), Answer::violated);
  EXPECT_EQ(answer("snapshot-isolation"), Answer::holds);
  EXPECT_EQ(answer("read-committed"), Answer::holds);
}

// A writer at snapshot isolation must see who wrote its keys before; one at read committed may
// overwrite blindly.
TEST_F(MixedLevels, SnapshotIsolationIsNotSymmetric) {
  const auto answer = [](const std::string& first, const std::string& second) {
    return check(test::history_of("a: T1@" + first + " r(x,nil) w(x,1) ; T3@" + second +
                                  " r(x,2) | b: T2@" + second + " r(x,nil) w(x,2)"),
                 recorded)
        .answer;
  };
  EXPECT_EQ(answer("snapshot-isolation", "read-committed"), Answer::holds) << "T2 is the later one";
  EXPECT_EQ(answer("read-committed", "snapshot-isolation"), Answer::violated)
      << "T2 overwrites T1, which T3 has seen overwritten, and did not see it";
  EXPECT_EQ(answer("read-committed", "read-committed"), Answer::holds);
}

TEST_F(MixedLevels, ReadsThatDoNotRepeatAreJudgedByTheReader) {
  const auto verdict = [](const std::string& level) {
    return check(
        test::history_of("a: T1@serializable w(x,1) | b: T2@" + level + " r(x,nil) r(x,1)"),
        recorded, with_certificate());
  };
  EXPECT_EQ(verdict("read-committed").answer, Answer::holds);
  const Verdict atomic = verdict("read-atomic");
  EXPECT_EQ(atomic.answer, Answer::violated);
  ASSERT_EQ(atomic.evidence.size(), 1u);
  EXPECT_EQ(atomic.evidence.front().kind, ReadFinding::non_repeatable_read);
  EXPECT_TRUE(atomic.certificate);
}

TEST_F(MixedLevels, SaysWhatEachReaderWasPromised) {
  const Verdict simple = check(test::history_of("a: T1@read-committed w(x,1) w(y,1) | "
                                                "b: T2@serializable r(x,1) r(y,nil)"),
                               recorded);
  EXPECT_EQ(simple.answer, Answer::violated);
  EXPECT_EQ(simple.reason,
            "no order of commits gives all readers what their levels promise: T2 at serializable, "
            "which sees all that committed before it, read y from the initial state, although T1 "
            "wrote it");
  const Verdict mixed = check(
      test::history_of("a: T1@serializable r(x,nil) w(y,1) | b: T2@prefix-consistency w(x,1) | "
                       "c: T3@snapshot-isolation r(x,1) r(y,nil) w(y,2)"),
      recorded);
  EXPECT_EQ(mixed.answer, Answer::violated);
  EXPECT_EQ(mixed.reason,
            "no order of commits gives all readers what their levels promise: T1 at serializable, "
            "which sees all that committed before it, read x from the initial state, although T2 "
            "wrote it; T3 at snapshot-isolation, which reads one snapshot that has in it what it "
            "overwrites, read y from the initial state, although T1 wrote it");
}

TEST_F(MixedLevels, SaysWhatIsMissing) {
  const auto reason = [](const std::string& history) {
    const Verdict verdict = check(test::history_of(history), recorded);
    EXPECT_EQ(verdict.answer, Answer::unknown);
    return verdict.reason;
  };
  EXPECT_EQ(reason("a: T1 w(x,1) ; T2@SI w(x,2)"), "T1 does not say at which level it ran");
  EXPECT_EQ(reason("a: T1 w(x,1) ; T2@SI w(x,2) ; T3? w(x,3)"),
            "T1 and 1 other transaction do not say at which level they ran");
  EXPECT_EQ(reason("a: T1@RU w(x,1) ; T2@SI w(x,2)"),
            "T1 ran at read-uncommitted, which cannot be mixed with other levels: its readers may "
            "see what was never committed, so that they come after nobody");
  EXPECT_EQ(reason("a: T1@pram w(x,1) ; T2@SI w(x,2)"),
            "T1 ran at pram, which cannot be mixed with other levels: it orders each key's "
            "versions by themselves");
  EXPECT_EQ(reason("a: T1@SI w(x,1) ; T2@update-serializable w(x,2)"),
            "T2 ran at update-serializable, which cannot be mixed with other levels: it is a "
            "promise about all transactions that write, not about one of them");
  EXPECT_EQ(check(test::history_of("a: T1! w(x,1) ; T2@SI w(x,2)"), recorded).answer, Answer::holds)
      << "nobody asks what an aborted transaction was promised";
  EXPECT_EQ(check(test::history_of("a: T1@pram w(x,1) ; T2@pram r(x,1)"), recorded).answer,
            Answer::holds)
      << "that is no mixture";
}

// Large histories are asked about levels that settle the question.
TEST_F(MixedLevels, AreSettledByOtherLevels) {
  const auto large = [](bool is_fractured, LevelId reader) {
    HistoryBuilder builder;
    const KeyId x = builder.key("x");
    const KeyId y = builder.key("y");
    const SessionId writers = builder.add_session();
    const SessionId readers = builder.add_session();
    for (int i = 1; i <= 300; ++i) {
      const ValueId value = builder.values().integer(i);
      const ValueId before = i > 1 ? builder.values().integer(i - 1) : ValuePool::nil;
      builder.begin_transaction(writers);
      builder.set_level(LevelId::read_committed);
      builder.write(x, value);
      builder.write(y, value);
      builder.begin_transaction(readers);
      builder.set_level(reader);
      builder.read(x, value);
      builder.read(y, is_fractured && i == 200 ? before : value);
    }
    return std::move(builder).finish();
  };
  const Verdict holds = check(large(false, LevelId::causal), recorded, with_certificate());
  EXPECT_EQ(holds.answer, Answer::holds);
  EXPECT_EQ(holds.settled_by, Level{LevelId::causal});
  ASSERT_FALSE(holds.remarks.empty());
  EXPECT_EQ(holds.remarks.back().text,
            "This follows: causal holds, and implies every level that was recorded. The "
            "certificate is of causal.");
  const Verdict violated = check(large(true, LevelId::causal), recorded, with_certificate());
  EXPECT_EQ(violated.answer, Answer::violated);
  EXPECT_EQ(violated.settled_by, Level{LevelId::read_committed});
}

TEST_F(MixedLevels, GoTogetherWithOtherLevels) {
  const History history =
      test::history_of("a: T1@SI r(x,nil) w(y,1) | b: T2@serializable r(y,nil) w(x,1)");
  const Level levels[] = {{LevelId::serializable}, recorded, {LevelId::snapshot_isolation}};
  const auto verdicts = check_levels(history, levels, {});
  ASSERT_EQ(verdicts.size(), 3u);
  EXPECT_EQ(verdicts[0].answer, Answer::violated);
  EXPECT_EQ(verdicts[1].answer, Answer::holds);
  EXPECT_EQ(verdicts[1].level, recorded);
  EXPECT_EQ(verdicts[2].answer, Answer::holds);
}

}  // namespace
}  // namespace isoscope
