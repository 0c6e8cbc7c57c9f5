// Lists to which elements were appended more than once, so that a list that was read can be cut
// into transactions in several ways: the engine for strong levels against the reference checker.
// 20,000 histories, each at all levels, and ten times as many in the full test. Every verdict's
// certificate is confirmed.

#include <gtest/gtest.h>

#include <array>

#include "check/repeated_lists.h"
#include "check/strong_case.h"
#include "isoscope/store/run.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/scenario.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::RepeatedLists;

constexpr StrongTechniques variants[] = {
    {.saturation = false},
    {.order_guides_polarity = false},
    {.saturation = false, .order_guides_polarity = false},
    {.lazy_choices = false},
    {.saturation = false, .lazy_choices = false},
    {.eager_width = 2},
    {.saturation = false, .eager_width = 3},
    {.lazy_choices = false, .eager_width = 4},
};

constexpr RepeatedLists usual{};
constexpr RepeatedLists ones{.keys = 1, .elements = 1, .longest_block = 2, .registers = false};
constexpr RepeatedLists single{.most_transactions = 7, .elements = 2, .longest_block = 1};
constexpr RepeatedLists certain{
    .most_transactions = 7, .changed_percent = 3, .doubtful_percent = 0};
constexpr RepeatedLists two_lists{.keys = 3, .elements = 1, .longest_block = 2, .lag = 2};
/// Everything together, predicates too.
constexpr reference::RandomFeatures mixed{.most_transactions = 5, .keys = 2, .operations = 3};

History one_of_many(Random& random, int i) {
  switch (i % 8) {
    case 0:
      return reference::random_history(random, mixed);
    case 1:
      return test::repeated_list_history(random, ones);
    case 2:
    case 3:
      return test::repeated_list_history(random, single);
    case 4:
      return test::repeated_list_history(random, certain);
    case 5:
      return test::repeated_list_history(random, two_lists);
    default:
      return test::repeated_list_history(random, usual);
  }
}

TEST(StrongRepeatedLists, AgreeWithTheReference) {
  const std::vector<Level> levels = test::strong_levels();
  struct Counts {
    int hold = 0;
    int solved = 0;
    int solved_violated = 0;
  };
  std::vector<Counts> counts(levels.size());
  Random random(2024);
  int all = 0;
  for (int i = 0; all < 20'000 * test_scale(); ++i) {
    const History history = one_of_many(random, i);
    if (!reference::is_within_limits(history)) continue;
    ++all;
    const auto skew = static_cast<std::int64_t>(i % 3 == 0 ? random.below(30) : 0);
    const std::vector<bool> expected = reference::satisfied(history, levels, {.clock_skew = skew});
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const auto compare = [&](const StrongTechniques& techniques) {
        CheckStatistics statistics;
        const Verdict verdict = check(history, levels[l],
                                      {.clock_skew = skew,
                                       .certificate = true,
                                       .strong = techniques,
                                       .statistics = &statistics});
        EXPECT_EQ(verdict.answer, test::answer_of(expected[l]))
            << text_of(levels[l]) << ", skew " << skew << ": " << verdict.reason << "\n"
            << test::described(history);
        EXPECT_TRUE(test::is_confirmed(history, verdict, skew));
        return statistics.rounds > 0;
      };
      const bool solved = compare({});
      counts[l].hold += expected[l] ? 1 : 0;
      counts[l].solved += solved ? 1 : 0;
      counts[l].solved_violated += solved && !expected[l] ? 1 : 0;
      if (solved ? random.chance(50) : random.chance(5)) {
        compare(variants[random.below(std::size(variants))]);
      }
      if (HasFailure()) return;
    }
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const auto percent = [&](int part) { return 100.0 * part / all; };
    // Prefix consistency allows lost updates, and repeatable read rows that are not current, so
    // fewer of these histories are violated or hard there.
    const bool allows_more =
        levels[l].id == LevelId::prefix_consistency || levels[l].id == LevelId::repeatable_read;
    EXPECT_GE(percent(counts[l].hold), 20);
    EXPECT_LE(percent(counts[l].hold), allows_more ? 90 : 80);
    EXPECT_GE(percent(counts[l].solved), allows_more ? 3 : 5);
    EXPECT_GE(percent(counts[l].solved_violated), allows_more ? 0.5 : 2);
  }
}

/// What the engine says at each strong level, which the reference confirms, with all techniques.
void expect_like_reference(const History& history) {
  const std::vector<Level> levels = test::strong_levels();
  const std::vector<bool> expected = reference::satisfied(history, levels);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Answer answer = test::answer_of(expected[l]);
    EXPECT_EQ(test::confirmed_answer(history, levels[l]), answer) << text_of(levels[l]) << "\n"
                                                                  << test::described(history);
    for (const StrongTechniques& techniques : variants) {
      EXPECT_EQ(test::confirmed_answer(history, levels[l], {.strong = techniques}), answer)
          << text_of(levels[l]) << "\n"
          << test::described(history);
    }
  }
}

struct HandMade {
  const char* litmus;
  bool serializable;
};

constexpr HandMade hand_made[] = {
    // Two cuts, [1 1][1] and [1][1 1], of which readers in between allow one, the other, or none.
    {"a: T1 a(l,1) a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1 1])", true},
    {"a: T1 a(l,1) a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1 1]) | d: T4 r(l,[1 1])", true},
    {"a: T1 a(l,1) a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1 1]) | d: T4 r(l,[1])", true},
    {"a: T1 a(l,1) a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1]) | d: T4 r(l,[1 1])", false},
    {"a: T1 a(l,1) a(l,1) w(x,1) | b: T2 a(l,1) w(x,2) | c: T3 r(l,[1 1 1]) r(x,1)", true},
    {"a: T1 a(l,1) a(l,1) w(x,1) | b: T2 a(l,1) w(x,2) | c: T3 r(l,[1 1 1]) r(x,1) | "
     "d: T4 r(l,[1 1])",
     false},
    // Each cut is violated for a reason of its own.
    {"a: T1 a(l,1) w(x,1) ; T2 r(y,nil) | b: T3 a(l,1) w(y,1) ; T4 r(x,nil) | c: T5 r(l,[1])",
     false},
    {"a: T1 a(l,1) ; T2 r(m,nil) | b: T3 a(l,1) ; T4 w(m,1) | c: T5 r(l,[1]) r(m,1)", false},
    {"a: T1 a(l,1) ; T2 r(m,nil) | b: T3 a(l,1) ; T4 w(m,1) | c: T5 r(l,[1]) r(m,nil)", true},
    // The whole list fits at its end, but not before.
    {"a: T1 a(l,1) | b: T2 a(l,2) a(l,1) | c: T3 r(l,[2 1])", true},
    {"a: T1 a(l,1) | b: T2 a(l,2) a(l,1) | c: T3 r(l,[1 1])", false},
    {"a: T1 a(l,1) | b: T2 a(l,2) a(l,1) | c: T3 r(l,[1 2 1]) | d: T4 r(l,[2 1])", false},
    // A read has as many elements as there are, or more.
    {"a: T1 a(l,1) | b: T2 a(l,1) | c: T3 a(l,1) | d: T4 r(l,[1 1 1])", true},
    {"a: T1 a(l,1) | b: T2 a(l,1) | c: T3 a(l,1) | d: T4 r(l,[1 1 1 1])", false},
    {"a: T1 a(l,1) | b: T2 a(l,1) | c: T3! a(l,1) | d: T4 r(l,[1 1 1])", false},
    {"a: T1 a(l,1) a(l,1) | b: T2 a(l,1) a(l,1) | c: T3 r(l,[1 1 1])", false},
    // Elements that were there initially.
    {"initial [1]\na: T1 a(l,1) | b: T2 r(l,[1]) | c: T3 r(l,[1 1])", true},
    {"initial [1]\na: T1 a(l,1) | b: T2 r(l,[])", false},
    {"initial [1]\na: T1 a(l,1) | b: T2 r(l,[1 1 1])", false},
    {"initial [1 1]\na: T1 a(l,1) a(l,1) w(x,1) | b: T2 r(l,[1 1]) r(x,1)", false},
    {"initial [2 1]\na: T1 a(l,2) a(l,1) | b: T2 r(l,[2 1]) ; T3 r(l,[2 1 2 1])", true},
    {"initial none\na: T1 a(l,1) | b: T2 a(l,1) r(l,[1 1]) | c: T3 r(l,[1])", true},
    {"initial none\na: T1 a(l,1) | b: T2 a(l,1) | c: T3 r(l,[])", false},
    // The transaction that appended must have committed, and others see that.
    {"a: T1? a(l,1) | b: T2 a(l,1) | c: T3 r(l,[1 1])", true},
    {"a: T1? a(l,1) w(x,1) | b: T2 a(l,1) | c: T3 r(l,[1 1]) ; T4 r(x,nil)", false},
    {"a: T1? a(l,1) w(x,1) | b: T2 a(l,1) | c: T3 r(l,[1]) ; T4 r(x,nil)", true},
    {"a: T1? a(l,1) r(x,1) | b: T2 a(l,1) | c: T3 r(l,[1 1])", false},
    {"a: T1? r(l,[1 1 1]) w(x,1) | b: T2 a(l,1) | c: T3 a(l,1) ; T4 r(x,1)", false},
    // Readers that append themselves, before and after.
    {"a: T1 r(l,[]) a(l,1) | b: T2 r(l,[1]) a(l,1) | c: T3 r(l,[1 1])", true},
    {"a: T1 r(l,[]) a(l,1) | b: T2 r(l,[]) a(l,1) | c: T3 r(l,[1 1])", false},
    {"a: T1 a(l,1) r(l,[1 1]) | b: T2 a(l,1) r(l,[1 1])", false},
    {"a: T1 a(l,1) r(l,[1 1]) a(l,1) r(l,[1 1 1]) | b: T2 a(l,1) r(l,[1])", true},
    {"a: T1 r(l,[1 1]) a(l,1) | b: T2 a(l,1) | c: T3 a(l,1) r(l,[1 1 1])", false},
};

TEST(StrongRepeatedLists, HandMade) {
  for (const HandMade& one : hand_made) {
    const History history = test::history_of(one.litmus);
    EXPECT_EQ(reference::satisfies(history, {LevelId::serializable}), one.serializable)
        << one.litmus;
    expect_like_reference(history);
  }
}

/// All histories of two appenders, each followed in its session by a reader: every block of up to
/// two elements, and every list of up to three.
TEST(StrongRepeatedLists, AllSmallOnes) {
  std::vector<std::string> blocks;
  std::vector<std::string> lists = {""};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string list = lists[i];
    if (list.size() == 6) continue;
    for (const char* element : {" 1", " 2"}) lists.push_back(list + element);
  }
  for (const std::string& list : lists) {
    if (list.empty() || list.size() > 4) continue;
    blocks.emplace_back();
    for (std::size_t i = 1; i < list.size(); i += 2) {
      blocks.back() += std::string(" a(l,") + list[i] + ")";
    }
  }
  const std::vector<Level> levels = test::strong_levels();
  int all = 0;
  int hold = 0;
  for (const std::string& first : blocks) {
    for (const std::string& second : blocks) {
      for (const std::string& one : lists) {
        for (const std::string& other : lists) {
          if (one.size() > other.size()) continue;  // the same with sessions exchanged
          const History history =
              test::history_of("a: T1" + first + " ; T2 r(l,[" + one + "]) | b: T3" + second +
                               " ; T4 r(l,[" + other + "])");
          const std::vector<bool> expected = reference::satisfied(history, levels);
          for (std::size_t l = 0; l < levels.size(); ++l) {
            ASSERT_EQ(test::confirmed_answer(history, levels[l]), test::answer_of(expected[l]))
                << text_of(levels[l]) << "\n"
                << test::described(history);
            ++all;
            hold += expected[l] ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(hold, 100);
}

/// The same history with only `count` different elements.
History with_few_elements(const History& history, std::int64_t count) {
  HistoryBuilder builder;
  const auto few = [&](ValueId value) {
    const auto number = history.values().integer_of(value);
    return builder.values().integer(1 + number % count);
  };
  std::vector<KeyId> keys;
  for (const KeyId key : history.keys()) {
    keys.push_back(builder.key(static_cast<std::int64_t>(key.value)));
  }
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < history.session_count(); ++i)
    sessions.push_back(builder.add_session());
  for (const TransactionId t : history.transactions()) {
    builder.begin_transaction(sessions[history.session_of(t).index()]);
    builder.set_outcome(history.outcome(t));
    builder.set_times(history.begin_time(t), history.end_time(t));
    for (const Operation& operation : history.operations(t)) {
      const KeyId key = keys[operation.key().index()];
      if (operation.kind() == OperationKind::append) {
        builder.append(key, few(operation.value()));
        continue;
      }
      ValueId list = ValuePool::empty_list;
      if (history.values().kind(operation.value()) == ValueKind::list) {
        for (const ValueId element : history.values().list_elements(operation.value())) {
          list = builder.values().list_with(list, few(element));
        }
      }
      builder.list_read(key, list);
    }
  }
  return std::move(builder).finish();
}

/// Two thousand transactions; each element was appended to a list about once or twice.
TEST(StrongRepeatedLists, RunsOfStores) {
  for (const StoreKind store : {StoreKind::serializable_locking, StoreKind::snapshot_isolation}) {
    RunPlan plan;
    plan.store = store;
    plan.workload = entry_of(WorkloadKind::list_append).usual;
    plan.workload.sessions = 10;
    plan.transactions = 200;
    plan.abort_percent = 1;
    plan.indeterminate_percent = 1;
    plan.seed = 5;
    const History unique = run(plan);
    for (const int elements : {10, 20, 40}) {
      const History history = with_few_elements(unique, elements);
      for (const Level level : test::strong_levels()) {
        const bool kept = store == StoreKind::serializable_locking || !has_one_event(level.id);
        EXPECT_EQ(test::confirmed_answer(history, level), test::answer_of(kept)) << text_of(level);
      }
    }
  }
}

}  // namespace
}  // namespace isoscope
