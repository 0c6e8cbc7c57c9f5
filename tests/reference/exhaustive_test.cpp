// The order of the catalogue on all small histories: three transactions (some may be empty), two
// keys, every pattern of equal and different values, every way to put the transactions into
// sessions.
//
// A transaction does to each key nothing, a read, a write, or a read and then a write, in every
// order of these, where the order of two writes side by side does not count: 28 programs. There are
// 2,045 choices of three programs, since it does not matter which transaction has which, and which
// key is which. For each choice, each key's writes and initial value are equal or different in
// every way, and each read returns any value that another transaction wrote, or the initial one;
// other reads violate every level. These are 1,380,563 patterns, and 13 ways to put three
// transactions into sessions make 17,947,319 histories. Real time goes round: each pattern has the
// next one of the 19 ways in which three intervals can lie before each other.
//
// The full test tries all of them (a quarter of an hour on one core); the plain one all that come
// from every 53rd pattern.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "isoscope/history/history_builder.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/relation.h"
#include "reference/three_sessions.h"
#include "test_scale.h"

namespace isoscope::reference {
namespace {

constexpr int transactions = 3;
constexpr int shards = 16;  // tests that can run side by side
constexpr int plain_stride = 53;
constexpr long all_patterns = 1'380'563;

struct Step {
  bool is_write;
  int key;
  auto operator<=>(const Step&) const = default;
};
using Program = std::vector<Step>;

/// Two writes side by side are put in the order of their keys.
Program normal(Program program) {
  for (std::size_t i = 0; i + 1 < program.size(); ++i) {
    if (program[i].is_write && program[i + 1].is_write && program[i].key > program[i + 1].key) {
      std::swap(program[i], program[i + 1]);
    }
  }
  return program;
}

std::set<Program> all_programs() {
  std::set<Program> programs;
  const std::vector<std::vector<bool>> uses = {{}, {false}, {true}, {false, true}};
  for (const auto& x : uses) {
    for (const auto& y : uses) {
      std::vector<int> keys(x.size(), 0);
      keys.insert(keys.end(), y.size(), 1);
      do {
        Program program;
        std::array<std::size_t, 2> done{};
        for (const int key : keys) program.push_back({(key == 0 ? x : y)[done[key]++], key});
        programs.insert(normal(program));
      } while (std::next_permutation(keys.begin(), keys.end()));
    }
  }
  return programs;
}

using Programs = std::array<Program, transactions>;

/// The same with the keys exchanged, as it would have been listed.
Programs exchanged(Programs programs) {
  for (Program& program : programs) {
    for (Step& step : program) step.key = 1 - step.key;
    program = normal(program);
  }
  std::ranges::sort(programs);
  return programs;
}

bool does(const Program& program, Step step) { return std::ranges::count(program, step) > 0; }

/// What the transactions write to a key and read from it. Value 0 is the initial one; otherwise,
/// values are numbered as they come up.
struct Values {
  std::array<int, transactions> written{};
  std::array<int, transactions> read{};
};

void choose_values(const Programs& programs, int key, int t, int distinct, Values values,
                   std::vector<Values>& all) {
  if (t < transactions) {
    const int most = does(programs[t], {true, key}) ? distinct : 0;
    for (int value = 0; value <= most; ++value) {
      values.written[t] = value;
      choose_values(programs, key, t + 1, std::max(distinct, value + 1), values, all);
    }
    return;
  }
  const int reader = t - transactions;
  if (reader == transactions) {
    all.push_back(values);
    return;
  }
  for (int value = 0; value < distinct; ++value) {
    bool by_others = value == 0;
    for (int other = 0; other < transactions; ++other) {
      const bool writes = does(programs[other], {true, key});
      by_others = by_others || (other != reader && writes && values.written[other] == value);
    }
    const bool reads = does(programs[reader], {false, key});
    if (reads ? !by_others : value != 0) continue;
    values.read[reader] = value;
    choose_values(programs, key, t + 1, distinct, values, all);
  }
}

std::vector<Values> all_values(const Programs& programs, int key) {
  std::vector<Values> all;
  choose_values(programs, key, 0, 1, {}, all);
  return all;
}

using Times = std::array<std::pair<int, int>, transactions>;

std::vector<Times> all_times() {
  const std::vector<std::pair<int, int>> intervals = {{0, 0}, {0, 1}, {0, 2},
                                                      {1, 1}, {1, 2}, {2, 2}};
  std::vector<Times> all;
  std::vector<Relation> seen;
  for (const auto& a : intervals) {
    for (const auto& b : intervals) {
      for (const auto& c : intervals) {
        const Times times = {a, b, c};
        Relation before;
        for (int t = 0; t < transactions; ++t) {
          for (int u = 0; u < transactions; ++u) {
            if (times[t].second < times[u].first) before.add(t, u);
          }
        }
        if (std::ranges::count(seen, before) > 0) continue;
        seen.push_back(before);
        all.push_back(times);
      }
    }
  }
  return all;
}

History make(const Programs& programs, const std::array<Values, 2>& values,
             const Sessions& sessions, const Times& times) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  std::array<SessionId, transactions> ids;
  for (SessionId& id : ids) id = builder.add_session();
  for (const int t : sessions.order) {
    builder.begin_transaction(ids[sessions.session[t]]);
    builder.set_times(times[t].first, times[t].second);
    for (const Step& step : programs[t]) {
      const Values& of_key = values[step.key];
      const int value = (step.is_write ? of_key.written : of_key.read)[t];
      builder.add(step.is_write ? OperationKind::write : OperationKind::read, builder.key(step.key),
                  builder.values().integer(value));
    }
  }
  return std::move(builder).finish();
}

/// Pairs of levels of which the first implies the second.
std::vector<std::pair<std::size_t, std::size_t>> implications(const std::vector<Level>& all) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      if (a != b && implies(all[a], all[b])) pairs.push_back({a, b});
    }
  }
  return pairs;
}

/// Calls visit(number, programs, values) for every pattern, and says how many there are.
template <class Visit>
long for_each_pattern(const Visit& visit) {
  const std::set<Program> listed = all_programs();
  const std::vector<Program> programs(listed.begin(), listed.end());
  long count = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    for (std::size_t j = i; j < programs.size(); ++j) {
      for (std::size_t k = j; k < programs.size(); ++k) {
        const Programs three = {programs[i], programs[j], programs[k]};
        if (exchanged(three) < three) continue;
        const std::vector<Values> of_y = all_values(three, 1);
        for (const Values& x : all_values(three, 0)) {
          for (const Values& y : of_y) visit(count++, three, std::array{x, y});
        }
      }
    }
  }
  return count;
}

class AllSmallHistories : public testing::TestWithParam<int> {};

TEST_P(AllSmallHistories, AreInTheOrderOfTheCatalogue) {
  std::vector<Level> plain;  // one answer will do for all sessions of a pattern
  std::vector<Level> with_sessions;
  for (const LevelEntry& row : levels()) {
    plain.push_back({row.id, false});
    with_sessions.push_back({row.id, true});
  }
  std::vector<Level> all = plain;
  all.insert(all.end(), with_sessions.begin(), with_sessions.end());
  const auto pairs = implications(all);
  const std::vector<Sessions> sessions = all_sessions();
  const std::vector<Times> times = all_times();
  ASSERT_EQ(sessions.size(), 13u);
  ASSERT_EQ(times.size(), 19u);
  const long stride = test_scale() > 1 ? 1 : plain_stride;
  long tried = 0;
  const auto try_pattern = [&](long number, const Programs& programs,
                               const std::array<Values, 2>& values) {
    if (number % stride != 0 || number / stride % shards != GetParam()) return;
    if (HasFatalFailure()) return;
    const Times& time = times[static_cast<std::size_t>(number) % times.size()];
    std::vector<bool> at_plain;
    for (const Sessions& session : sessions) {
      const History history = make(programs, values, session, time);
      if (at_plain.empty()) at_plain = satisfied(history, plain);
      std::vector<bool> at = at_plain;
      for (const bool answer : satisfied(history, with_sessions)) at.push_back(answer);
      ++tried;
      for (const auto& [a, b] : pairs) {
        ASSERT_TRUE(!at[a] || at[b])
            << text_of(history) << "\nis " << text_of(all[a]) << " but not " << text_of(all[b]);
      }
    }
  };
  EXPECT_EQ(for_each_pattern(try_pattern), all_patterns);
  EXPECT_GE(tried, all_patterns / stride / shards * 13);
  RecordProperty("histories", std::to_string(tried));
}

INSTANTIATE_TEST_SUITE_P(Reference, AllSmallHistories, testing::Range(0, shards));

}  // namespace
}  // namespace isoscope::reference
