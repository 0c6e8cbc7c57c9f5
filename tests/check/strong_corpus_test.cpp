// The litmus corpus, and all small histories, at the strong levels. Every certificate is confirmed.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "check/strong_case.h"
#include "isoscope/history/history_builder.h"
#include "litmus/corpus.h"
#include "reference/reference_checker.h"
#include "reference/three_sessions.h"
#include "test_scale.h"

namespace isoscope {
namespace {

TEST(StrongCorpus, EveryCaseIsAsItsPathSays) {
  std::size_t told = 0;
  std::size_t unknown = 0;
  for (const litmus::Case& one : litmus::corpus()) {
    const History history = one.read();
    for (const Level level : test::strong_levels()) {
      const std::optional<bool> expected = one.at(level);
      if (!expected) continue;
      ++told;
      for (const bool saturation : {true, false}) {
        const Verdict verdict =
            check(history, level, {.certificate = true, .strong = {.saturation = saturation}});
        if (verdict.answer == Answer::unknown) {
          // Predicates and lists with repeated elements can be too much, and that is then said.
          ++unknown;
          EXPECT_FALSE(verdict.reason.empty()) << one.name;
          continue;
        }
        EXPECT_EQ(verdict.answer, test::answer_of(*expected)) << one.name << " " << text_of(level);
        // A bad read can be evidence where there are no certificates.
        if (verdict.certificate || verdict.evidence.empty()) {
          EXPECT_TRUE(test::is_confirmed(history, verdict)) << one.name;
        }
      }
    }
  }
  EXPECT_GT(told, 500u);
  EXPECT_LT(unknown, told / 10);
}

// Three transactions that do to each of two keys nothing, read it, write it, or read and then write
// it. Two values are written. Reads return these values or nil, where somebody else wrote what was
// read. Which transaction, key and value is which does not matter. In the full test all of these
// patterns are tried with all 13 ways to put transactions into sessions; outcomes and times go
// round.

constexpr int transactions = 3;
constexpr int nothing = -1;
constexpr long all_patterns = 15'515;
constexpr long plain_stride = 13;

struct Use {
  int read = nothing;  // 0: nil
  int written = nothing;
  auto operator<=>(const Use&) const = default;
};
using Program = std::array<Use, 2>;  // by key
using Programs = std::array<Program, transactions>;

std::vector<Program> all_programs() {
  std::vector<Use> uses;
  for (int read = nothing; read <= 2; ++read) {
    for (const int written : {nothing, 1, 2}) uses.push_back({read, written});
  }
  std::vector<Program> all;
  for (const Use& x : uses) {
    for (const Use& y : uses) all.push_back({x, y});
  }
  std::ranges::sort(all);
  return all;
}

/// Programs with the values of a key exchanged, or the keys, are alike: the least stands for all.
bool is_least(const Programs& programs) {
  for (int way = 1; way < 8; ++way) {
    Programs other = programs;
    for (Program& program : other) {
      for (std::size_t key = 0; key < 2; ++key) {
        if ((way >> key & 1) == 0) continue;
        for (int* const value : {&program[key].read, &program[key].written}) {
          if (*value > 0) *value = 3 - *value;
        }
      }
      if ((way >> 2 & 1) != 0) std::swap(program[0], program[1]);
    }
    std::ranges::sort(other);
    if (other < programs) return false;
  }
  return true;
}

bool all_read_from_others(const Programs& programs) {
  for (int t = 0; t < transactions; ++t) {
    for (std::size_t key = 0; key < 2; ++key) {
      const int read = programs[t][key].read;
      bool found = read <= 0;
      for (int other = 0; other < transactions; ++other) {
        found = found || (other != t && programs[other][key].written == read);
      }
      if (!found) return false;
    }
  }
  return true;
}

/// `variation` says what outcomes and times are like: all committed in every second history.
History make(const Programs& programs, const reference::Sessions& sessions, long variation) {
  constexpr std::array<std::pair<int, int>, 6> intervals = {
      {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
  constexpr std::array outcomes = {Outcome::committed, Outcome::indeterminate, Outcome::aborted};
  HistoryBuilder builder;
  std::array<SessionId, transactions> ids;
  for (SessionId& id : ids) id = builder.add_session();
  long outcome = variation % 2 == 0 ? 0 : variation / 2;
  long times = variation;
  for (const int t : sessions.order) {
    builder.begin_transaction(ids[sessions.session[t]]);
    builder.set_outcome(outcomes[outcome % 3]);
    outcome /= 3;
    const auto& [begin, end] = intervals[times % 6];
    times /= 6;
    builder.set_times(begin, end);
    for (int key = 0; key < 2; ++key) {
      const Use& use = programs[t][key];
      const auto value = [&](int number) {
        return number == 0 ? ValuePool::nil : builder.values().integer(number);
      };
      if (use.read != nothing) builder.read(builder.key(key), value(use.read));
      if (use.written != nothing) builder.write(builder.key(key), value(use.written));
    }
  }
  return std::move(builder).finish();
}

class StrongSmallHistories : public testing::TestWithParam<int> {
 public:
  static constexpr int shards = 4;  // tests that can run side by side
};

TEST_P(StrongSmallHistories, AreJudgedLikeTheReference) {
  const std::vector<Program> programs = all_programs();
  const std::vector<reference::Sessions> sessions = reference::all_sessions();
  const std::vector<Level> levels = test::strong_levels();
  const long stride = test_scale() > 1 ? 1 : plain_stride;
  long patterns = 0;
  long tried = 0;
  long hold = 0;
  const auto try_pattern = [&](long number, const Programs& three) {
    for (std::size_t s = 0; s < sessions.size(); ++s) {
      const History history = make(three, sessions[s], number / stride + 37 * static_cast<long>(s));
      const std::vector<bool> expected = reference::satisfied(history, levels);
      for (std::size_t i = 0; i < levels.size(); ++i) {
        // The first one will do for all sessions where they do not matter.
        if (s > 0 && !levels[i].session_order) continue;
        ASSERT_EQ(
            test::confirmed_answer(history, levels[i], {.strong = {.saturation = number % 2 == 0}}),
            test::answer_of(expected[i]))
            << text_of(levels[i]) << "\n"
            << test::described(history);
        ++tried;
        hold += expected[i] ? 1 : 0;
      }
    }
  };
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (std::size_t j = i; j < programs.size(); ++j) {
      for (std::size_t k = j; k < programs.size(); ++k) {
        const Programs three = {programs[i], programs[j], programs[k]};
        if (!all_read_from_others(three) || !is_least(three)) continue;
        const long number = patterns++;
        if (number % stride != 0 || number / stride % shards != GetParam()) continue;
        try_pattern(number, three);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_EQ(patterns, all_patterns);
  EXPECT_GT(tried, 1000);
  EXPECT_GT(hold, tried / 10);
  EXPECT_LT(hold, tried * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Check, StrongSmallHistories,
                         testing::Range(0, StrongSmallHistories::shards));

}  // namespace
}  // namespace isoscope
