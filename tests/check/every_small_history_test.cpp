// Every level on all small histories: three transactions of at most two operations each, two keys.
//
// A transaction's program is a sequence of reads and writes of the two keys: 21 programs. There are
// 891 choices of three programs, since it does not matter which transaction has which, and which
// key is which. For each choice, the values that are written to a key, and its initial value, are
// equal or different in every way, and a read returns any of them. So there are reads of a
// transaction's own future, of what was overwritten, and of two versions of one key. These are
// 46,620 patterns, and 13 ways to put three transactions into sessions make 606,060 histories. Real
// time goes round: each history has the next one of the 19 ways in which three intervals can lie
// before each other.
//
// The full test tries all of them (six minutes on one core); the plain one all that come from every
// tenth pattern.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "reference/reference_checker.h"
#include "reference/three_sessions.h"
#include "test_scale.h"

namespace isoscope {
namespace {

constexpr int transactions = 3;
constexpr int shards = 8;  // tests that can run side by side
constexpr long plain_stride = 10;
constexpr long all_patterns = 46'620;

struct Step {
  bool is_write = false;
  int key = 0;
  auto operator<=>(const Step&) const = default;
};
using Program = std::vector<Step>;
using Programs = std::array<Program, transactions>;

std::vector<Program> all_programs() {
  std::vector<Step> steps;
  for (const bool is_write : {false, true}) {
    for (const int key : {0, 1}) steps.push_back({is_write, key});
  }
  std::vector<Program> programs = {{}};
  for (const Step& first : steps) {
    programs.push_back({first});
    for (const Step& second : steps) programs.push_back({first, second});
  }
  std::ranges::sort(programs);
  return programs;
}

/// The same with the keys exchanged, as it would have been listed.
Programs exchanged(Programs programs) {
  for (Program& program : programs) {
    for (Step& step : program) step.key = 1 - step.key;
  }
  std::ranges::sort(programs);
  return programs;
}

/// The values of all steps, one program after the other. Value 0 is the initial one; the others are
/// numbered as they are written.
using Values = std::vector<int>;

class Patterns {
 public:
  /// Calls visit(programs, values) for each, and says how many there are.
  template <class Visit>
  static long for_each(const Visit& visit) {
    const std::vector<Program> programs = all_programs();
    long count = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      for (std::size_t j = i; j < programs.size(); ++j) {
        for (std::size_t k = j; k < programs.size(); ++k) {
          const Programs three = {programs[i], programs[j], programs[k]};
          if (exchanged(three) < three) continue;
          Patterns patterns(three);
          patterns.choose_written(0, {1, 1});
          for (const Values& values : patterns.all_) visit(count++, three, values);
        }
      }
    }
    return count;
  }

 private:
  using Distinct = std::array<int, 2>;  // values of each key, the initial one among them

  explicit Patterns(const Programs& programs) {
    for (const Program& program : programs) {
      steps_.insert(steps_.end(), program.begin(), program.end());
    }
    values_.assign(steps_.size(), 0);
  }

  void choose_written(std::size_t at, Distinct distinct) {
    if (at == steps_.size()) return choose_read(0, distinct);
    if (!steps_[at].is_write) return choose_written(at + 1, distinct);
    int& most = distinct[steps_[at].key];
    const int before = most;
    for (int value = 0; value <= before; ++value) {
      values_[at] = value;
      most = std::max(before, value + 1);
      choose_written(at + 1, distinct);
    }
  }

  void choose_read(std::size_t at, const Distinct& distinct) {
    if (at == steps_.size()) {
      all_.push_back(values_);
      return;
    }
    if (steps_[at].is_write) return choose_read(at + 1, distinct);
    for (int value = 0; value < distinct[steps_[at].key]; ++value) {
      values_[at] = value;
      choose_read(at + 1, distinct);
    }
  }

  std::vector<Step> steps_;
  Values values_;
  std::vector<Values> all_;
};

using Times = std::array<std::pair<int, int>, transactions>;

/// One for each way in which three intervals can lie before each other.
std::vector<Times> all_times() {
  const std::vector<std::pair<int, int>> intervals = {{0, 0}, {0, 1}, {0, 2},
                                                      {1, 1}, {1, 2}, {2, 2}};
  std::vector<Times> all;
  std::set<std::vector<bool>> seen;
  for (const auto& a : intervals) {
    for (const auto& b : intervals) {
      for (const auto& c : intervals) {
        const Times times = {a, b, c};
        std::vector<bool> before;
        for (const auto& t : times) {
          for (const auto& u : times) before.push_back(t.second < u.first);
        }
        if (seen.insert(before).second) all.push_back(times);
      }
    }
  }
  return all;
}

History make(const Programs& programs, const Values& values, const reference::Sessions& sessions,
             const Times& times) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  std::array<SessionId, transactions> ids;
  for (SessionId& id : ids) id = builder.add_session();
  std::array<std::size_t, transactions> first{};
  for (int t = 1; t < transactions; ++t) first[t] = first[t - 1] + programs[t - 1].size();
  for (const int t : sessions.order) {
    builder.begin_transaction(ids[sessions.session[t]]);
    builder.set_times(times[t].first, times[t].second);
    for (std::size_t i = 0; i < programs[t].size(); ++i) {
      const Step& step = programs[t][i];
      builder.add(step.is_write ? OperationKind::write : OperationKind::read, builder.key(step.key),
                  builder.values().integer(values[first[t] + i]));
    }
  }
  return std::move(builder).finish();
}

class EverySmallHistory : public testing::TestWithParam<int> {
 protected:
  EverySmallHistory() {
    for (const LevelEntry& row : levels()) {
      all_.push_back({row.id, false});
      all_.push_back({row.id, true});
    }
  }

  void compare(const History& history) {
    const std::vector<bool> expected = reference::satisfied(history, all_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Verdict verdict = check(history, all_[i]);
      ASSERT_EQ(verdict.answer, expected[i] ? Answer::holds : Answer::violated)
          << text_of(all_[i]) << "\n"
          << *format_history(history, Format::litmus);
      ++(expected[i] ? holding_ : violated_);
    }
  }

  std::vector<Level> all_;
  long holding_ = 0;
  long violated_ = 0;
};

TEST_P(EverySmallHistory, IsDecidedAsTheReferenceSays) {
  const std::vector<reference::Sessions> sessions = reference::all_sessions();
  const std::vector<Times> times = all_times();
  ASSERT_EQ(sessions.size(), 13u);
  ASSERT_EQ(times.size(), 19u);
  const long stride = test_scale() > 1 ? 1 : plain_stride;
  long tried = 0;
  const auto try_pattern = [&](long number, const Programs& programs, const Values& values) {
    if (number % stride != 0 || number / stride % shards != GetParam()) return;
    for (std::size_t s = 0; s < sessions.size() && !HasFatalFailure(); ++s) {
      const Times& time = times[(static_cast<std::size_t>(number / stride) + s) % times.size()];
      compare(make(programs, values, sessions[s], time));
      ++tried;
    }
  };
  const long patterns = Patterns::for_each(try_pattern);
  EXPECT_EQ(patterns, all_patterns);
  EXPECT_GE(tried, patterns / stride / shards * 13);
  EXPECT_GT(holding_, tried);
  EXPECT_GT(violated_, tried);
}

INSTANTIATE_TEST_SUITE_P(All, EverySmallHistory, testing::Range(0, shards));

}  // namespace
}  // namespace isoscope
