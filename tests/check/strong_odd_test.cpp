// Histories that are odd in some way, at all strong levels: the verdict is right, and its
// certificate is confirmed. And the same question has the same answer, byte for byte.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "check/strong_case.h"
#include "check/strong_random.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::confirmed_answer;
using test::history_of;

void expect_all(const History& history, Answer expected) {
  for (const Level level : test::strong_levels()) {
    EXPECT_EQ(confirmed_answer(history, level), expected) << text_of(level) << "\n"
                                                          << test::described(history);
    EXPECT_EQ(confirmed_answer(history, level, {.strong = {.saturation = false}}), expected)
        << text_of(level);
  }
}

ValueId integer(HistoryBuilder& builder, std::int64_t value) {
  return value == 0 ? ValuePool::nil : builder.values().integer(value);
}

TEST(StrongOddHistories, NextToNothing) {
  expect_all(HistoryBuilder().finish(), Answer::holds);
  expect_all(history_of("a: T1"), Answer::holds);
  expect_all(history_of("a: T1 ; T2 ; T3? | b: T4! | c: T5?"), Answer::holds);
  expect_all(history_of("a: T1?"), Answer::holds);
  expect_all(history_of("a: T1!"), Answer::holds);
  expect_all(history_of("a: T1 r(x,nil)"), Answer::holds);
  expect_all(history_of("a: T1 r(x,1)"), Answer::violated);
  expect_all(history_of("a: T1? r(x,1)"), Answer::holds);
  expect_all(history_of("a: T1 w(x,1) r(x,1)"), Answer::holds);
  expect_all(history_of("a: T1 r(x,1) w(x,1)"), Answer::violated);
  expect_all(history_of("a: T1 r(l,[])"), Answer::holds);
  expect_all(history_of("a: T1 a(l,1) r(l,[1])"), Answer::holds);
  expect_all(history_of("a: T1 a(l,1) r(l,[])"), Answer::violated);
}

/// The initial transaction precedes every other one; a program that forgets it accepts the first.
TEST(StrongOddHistories, TheInitialStateComesFirst) {
  const History history = history_of("a: T1 w(x,1) ; T2 r(x,nil)");
  for (const LevelId id : test::strong_level_ids) {
    EXPECT_EQ(confirmed_answer(history, {id, true}), Answer::violated);
    EXPECT_EQ(confirmed_answer(history, {id, false}), Answer::holds);
  }
  expect_all(history_of("a: T1 w(x,nil) | b: T2 w(x,1) | c: T3 r(x,nil) | d: T4 r(x,1)"),
             Answer::holds);
}

TEST(StrongOddHistories, ReadsOfNothingElse) {
  HistoryBuilder builder;
  for (int i = 0; i < 1000; ++i) {
    builder.begin_transaction(builder.session(builder.values().integer(i % 20)));
    for (int key = 0; key < 4; ++key) builder.read(builder.key(i * key % 50), ValuePool::nil);
  }
  expect_all(std::move(builder).finish(), Answer::holds);
}

/// A serial run of `count` transactions in `sessions` sessions. Each does what `step` says.
using Step = std::function<void(HistoryBuilder&, int)>;
History serial_run(int count, int sessions, const Step& step) {
  HistoryBuilder builder;
  for (int i = 0; i < count; ++i) {
    builder.begin_transaction(builder.session(builder.values().integer(i % sessions)));
    builder.set_times(10 * i, 10 * i + 5);
    step(builder, i);
  }
  return std::move(builder).finish();
}

TEST(StrongOddHistories, OneHotKey) {
  const auto step = [](HistoryBuilder& builder, int i) {
    builder.read(builder.key(0), integer(builder, i));
    builder.write(builder.key(0), integer(builder, i + 1));
  };
  expect_all(serial_run(1000, 20, step), Answer::holds);
  // The last one has missed an update.
  const auto lost = [&](HistoryBuilder& builder, int i) {
    if (i < 999) return step(builder, i);
    builder.read(builder.key(0), integer(builder, 500));
    builder.write(builder.key(0), integer(builder, 1000));
  };
  const History history = serial_run(1000, 20, lost);
  for (const Level level : test::strong_levels()) {
    // An update may be lost there, but not one of the same session.
    const bool is_allowed = level == Level{LevelId::prefix_consistency, false};
    EXPECT_EQ(confirmed_answer(history, level), test::answer_of(is_allowed)) << text_of(level);
  }
}

TEST(StrongOddHistories, BlindWritersOfOneKey) {
  const auto step = [](HistoryBuilder& builder, int i) {
    builder.write(builder.key(0), integer(builder, i + 1));
  };
  expect_all(serial_run(1000, 10, step), Answer::holds);
}

TEST(StrongOddHistories, EveryWriteTheSame) {
  const auto step = [](HistoryBuilder& builder, int i) {
    builder.write(builder.key(i % 7), integer(builder, 1));
    if (i >= 7) builder.read(builder.key((i + 3) % 7), integer(builder, 1));
  };
  expect_all(serial_run(500, 10, step), Answer::holds);
  const auto never = [&](HistoryBuilder& builder, int i) {
    step(builder, i);
    if (i == 499) builder.read(builder.key((i + 4) % 7), ValuePool::nil);
  };
  const History wrong = serial_run(500, 10, never);
  for (const LevelId id : test::strong_level_ids) {
    EXPECT_EQ(confirmed_answer(wrong, {id}), Answer::violated);
  }
}

TEST(StrongOddHistories, ManySessionsOfOneTransaction) {
  const auto step = [](HistoryBuilder& builder, int i) {
    if (i > 2) builder.read(builder.key(i - 3), integer(builder, 1));
    builder.write(builder.key(i), integer(builder, 1));
  };
  expect_all(serial_run(2000, 2000, step), Answer::holds);
}

/// With many sessions not all have clocks; what goes wrong among the others is found without them.
TEST(StrongOddHistories, WriteSkewAfterManySessions) {
  const auto step = [](HistoryBuilder& builder, int i) {
    if (i < 300) return;  // does nothing
    builder.set_times(0, 10'000);
    builder.read(builder.key(i % 2), ValuePool::nil);
    builder.write(builder.key((i + 1) % 2), integer(builder, 1));
  };
  const History history = serial_run(302, 302, step);
  for (const Level level : test::strong_levels()) {
    const bool skew_is_allowed = level.id == LevelId::snapshot_isolation ||
                                 level.id == LevelId::strong_snapshot_isolation ||
                                 level.id == LevelId::prefix_consistency;
    EXPECT_EQ(confirmed_answer(history, level), test::answer_of(skew_is_allowed)) << text_of(level);
  }
}

/// Each transaction of unknown outcome has committed because the next one has.
TEST(StrongOddHistories, ChainsOfDoubt) {
  const auto chain = [](int candidates, bool broken) {
    return [=](HistoryBuilder& builder, int i) {
      const int link = i / candidates;
      if (link > 0) builder.read(builder.key(link - 1), integer(builder, 1));
      if (broken && link == 0) builder.read(builder.key(-1), integer(builder, 1));
      builder.write(builder.key(link), integer(builder, 1));
      if (i < 199) builder.set_outcome(Outcome::indeterminate);
    };
  };
  for (const int candidates : {1, 2, 4}) {
    expect_all(serial_run(200, 7, chain(candidates, false)), Answer::holds);
    expect_all(serial_run(200, 7, chain(candidates, true)), Answer::violated);
  }
}

TEST(StrongOddHistories, LongLists) {
  for (const bool torn : {false, true}) {
    ValueId list = ValuePool::empty_list;
    const auto step = [&](HistoryBuilder& builder, int i) {
      if (i % 2 == 0) {
        builder.append(builder.key(0), builder.values().integer(i));
        list = builder.values().list_with(list, builder.values().integer(i));
      } else {
        // The last one lacks what the others saw.
        builder.list_read(builder.key(0), torn && i == 999 ? ValuePool::empty_list : list);
      }
    };
    const History history = serial_run(1000, 10, step);
    for (const LevelId id : test::strong_level_ids) {
      EXPECT_EQ(confirmed_answer(history, {id}), test::answer_of(!torn)) << name_of(id);
    }
  }
}

/// T1 has read what nobody wrote, so it has not committed: no list that is read has its elements.
TEST(StrongOddHistories, ListsOfWhoIsRuledOut) {
  const std::string out = "a: T1? r(x,1) a(l,1) | b: T2 a(l,2) | ";
  expect_all(history_of(out + "c: T3 r(l,[2])"), Answer::holds);
  expect_all(history_of(out + "c: T3 r(l,[])"), Answer::holds);
  expect_all(history_of(out + "c: T3 r(l,[1])"), Answer::violated);
  expect_all(history_of(out + "c: T3 r(l,[1 2])"), Answer::violated);
  expect_all(history_of(out + "c: T3 a(l,3) r(l,[1 3])"), Answer::violated);
  expect_all(history_of(out + "c: T3? r(l,[1])"), Answer::holds);
  // Transactions that read from it have not committed either, and so on.
  const std::string chain = out + "c: T3? r(l,[1]) a(m,1) | d: T4? r(m,[1]) w(y,1) | ";
  expect_all(history_of(chain + "e: T5 r(m,[])"), Answer::holds);
  expect_all(history_of(chain + "e: T5 r(m,[1])"), Answer::violated);
  expect_all(history_of(chain + "e: T5 r(y,1)"), Answer::violated);
  // The verifier of a certificate does not know beforehand that this element has only one appender.
  const std::string twice = "a: T1? r(x,1) a(l,2) | b: T2 a(l,2) | c: T3 r(l,";
  expect_all(history_of(twice + "[2])"), Answer::holds);
  expect_all(history_of(twice + "[2 2])"), Answer::violated);
  expect_all(history_of(twice + "[]) ; T4 r(l,[])"), Answer::holds);
}

TEST(StrongOddHistories, Times) {
  const Level strict{LevelId::strict_serializable};
  const Level strong{LevelId::strong_snapshot_isolation};
  const auto check_both = [&](const std::string& litmus, std::int64_t skew, bool holds) {
    for (const Level level : {strict, strong}) {
      EXPECT_EQ(confirmed_answer(history_of(litmus), level, {.clock_skew = skew}),
                test::answer_of(holds))
          << litmus << " skew " << skew << " " << text_of(level);
    }
  };
  const auto late = [](const std::string& writer, const std::string& reader) {
    return "a: T1@" + writer + " w(x,1) | b: T2@" + reader + " r(x,nil)";
  };
  check_both(late("0..1", "2..3"), 0, false);
  check_both(late("0..1", "2..3"), 1, true);
  check_both(late("0..2", "2..3"), 0, true);
  check_both(late("2..2", "2..2"), 0, true);
  check_both(late("0..", "2..3"), 0, true);
  check_both(late("..1", "2.."), 0, false);
  check_both(late("..1", "..3"), 0, true);
  const std::string least = std::to_string(-std::numeric_limits<std::int64_t>::max());
  const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  check_both(late(least + ".." + least, most + ".." + most), 0, false);
  check_both(late(least + ".." + least, most + ".." + most), huge, false);
  check_both(late("0..0", most + ".." + most), huge, true);
  check_both(late("-1..-1", most + ".." + most), huge, false);
  check_both(late(most + ".." + most, most + ".." + most), huge, true);
}

/// Levels that do not look at times do not mind what the times say.
TEST(StrongOddHistories, TimesAgainstTheOrderOfEverything) {
  HistoryBuilder builder;
  for (int i = 0; i < 300; ++i) {
    builder.begin_transaction(builder.session(builder.values().integer(i % 10)));
    builder.set_times(-10 * i, -10 * i + 5);
    builder.read(builder.key(0), integer(builder, i));
    builder.write(builder.key(0), integer(builder, i + 1));
  }
  const History history = std::move(builder).finish();
  for (const bool session_order : {true, false}) {
    EXPECT_EQ(confirmed_answer(history, {LevelId::serializable, session_order}), Answer::holds);
    EXPECT_EQ(confirmed_answer(history, {LevelId::snapshot_isolation, session_order}),
              Answer::holds);
    EXPECT_EQ(confirmed_answer(history, {LevelId::strict_serializable, session_order}),
              Answer::violated);
    EXPECT_EQ(confirmed_answer(history, {LevelId::strong_snapshot_isolation, session_order}),
              Answer::violated);
    EXPECT_EQ(confirmed_answer(history, {LevelId::strict_serializable, session_order},
                               {.clock_skew = 10'000}),
              Answer::holds);
  }
}

TEST(StrongDeterminism, TheSameQuestionHasTheSameCertificate) {
  Random random(11);
  for (int i = 0; i < 50 * test_scale(); ++i) {
    const test::HardFeatures features{.least_transactions = 8,
                                      .most_transactions = 16,
                                      .keys = 5,
                                      .changed_percent = i % 5,
                                      .doubtful_percent = i % 3};
    const History history = test::hard_history(random, features);
    const std::vector<Level> levels = test::strong_levels();
    const Level level = levels[random.below(levels.size())];
    std::string first;
    for (int again = 0; again < 2; ++again) {
      Verdict verdict = check(history, level, {.certificate = true});
      ASSERT_TRUE(test::is_confirmed(history, verdict));
      const std::string text = test::text_of(*verdict.certificate);
      if (first.empty()) first = text;
      ASSERT_EQ(text, first) << test::described(history);
    }
  }
}

}  // namespace
}  // namespace isoscope
