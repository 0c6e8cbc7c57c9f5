#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// Few keys with few values, where everything depends on everything.
struct HotPlan {
  std::size_t transactions = 300;
  std::size_t sessions = 8;  ///< as many transactions are under way at a time
  std::size_t keys = 3;
  int values = 2;
  int operations = 4;
  unsigned read_percent = 50;
  bool snapshots = false;              ///< a transaction reads before it commits
  std::size_t changed_reads = 0;       ///< in the second half, to another value
  unsigned indeterminate_percent = 0;  ///< half of them take effect
  bool lists = false;                  ///< values are appended
  std::uint64_t seed = 1;
};

/// A run of a store that keeps real time: a transaction happens at a point between its begin and
/// its end, or reads at one and commits at a later one. The sessions are never idle.
class HotHistory {
 public:
  explicit HotHistory(const HotPlan& plan) : plan_(plan), random_(plan.seed) {}

  History make() && {
    place();
    run();
    change_reads();
    return record();
  }

 private:
  using State = std::vector<int>;  // the elements of a list, or the only one
  struct Step {
    bool is_read;
    std::size_t key;
    State value;
  };
  struct Transaction {
    std::size_t session;
    std::int64_t begin;
    std::int64_t end;
    Outcome outcome = Outcome::committed;
    std::vector<Step> steps = {};
  };

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(high - low)));
  }

  void place() {
    std::vector<std::int64_t> free;
    for (std::size_t s = 0; s < plan_.sessions; ++s) free.push_back(between(0, 100));
    while (all_.size() < plan_.transactions) {
      const auto session = static_cast<std::size_t>(std::ranges::min_element(free) - free.begin());
      const std::int64_t begin = free[session];
      all_.push_back({session, begin, begin + between(10, 200)});
      free[session] = all_.back().end + between(1, 10);
      if (!random_.chance(plan_.indeterminate_percent)) continue;
      all_.back().outcome = Outcome::indeterminate;
    }
  }

  void run() {
    std::vector<std::tuple<std::int64_t, std::size_t, bool>> points;  // when, which one, commits
    for (std::size_t t = 0; t < all_.size(); ++t) {
      const std::int64_t commit = between(all_[t].begin + 1, all_[t].end);
      if (plan_.snapshots) points.emplace_back(between(all_[t].begin, commit), t, false);
      points.emplace_back(commit, t, true);
    }
    std::ranges::sort(points);
    const State initial = plan_.lists ? State{} : State{0};
    std::vector<State> state(plan_.keys, initial);
    std::vector<std::int64_t> written(plan_.keys, -1);
    std::vector<std::pair<std::vector<State>, std::int64_t>> snapshots(all_.size());
    for (const auto& [time, t, commits] : points) {
      if (!commits || !plan_.snapshots) snapshots[t] = {state, time};
      if (commits) happen(all_[t], snapshots[t].first, snapshots[t].second, time, state, written);
    }
  }

  void happen(Transaction& t, std::vector<State> seen, std::int64_t since, std::int64_t now,
              std::vector<State>& state, std::vector<std::int64_t>& written) {
    std::vector<State> left = state;
    std::vector<std::size_t> changed;
    for (int i = 0; i < plan_.operations; ++i) {
      const std::size_t key = random_.below(plan_.keys);
      if (random_.chance(plan_.read_percent) || written[key] > since) {
        t.steps.push_back({true, key, seen[key]});
        continue;
      }
      const int value = static_cast<int>(random_.below(static_cast<std::uint64_t>(plan_.values)));
      t.steps.push_back({false, key, {value}});
      if (!plan_.lists) seen[key].clear();
      seen[key].push_back(value);
      left[key] = seen[key];
      changed.push_back(key);
    }
    if (t.outcome == Outcome::indeterminate && random_.chance(50)) return;
    state = std::move(left);
    for (const std::size_t key : changed) written[key] = now;
  }

  void change_reads() {
    for (std::size_t i = 0; i < plan_.changed_reads; ++i) {
      Transaction& t = all_[all_.size() / 2 + random_.below(all_.size() / 2)];
      for (Step& step : t.steps) {
        if (step.key != t.steps[0].key) continue;
        if (!step.is_read || step.value.empty()) break;
        step.value.back() = (step.value.back() + 1) % plan_.values;
      }
    }
  }

  History record() {
    HistoryBuilder builder;
    if (!plan_.lists) builder.set_initial_default(builder.values().integer(0));
    std::vector<KeyId> keys;
    for (std::size_t key = 0; key < plan_.keys; ++key) {
      keys.push_back(builder.key("k" + std::to_string(key)));
    }
    std::vector<SessionId> sessions;
    for (std::size_t i = 0; i < plan_.sessions; ++i) sessions.push_back(builder.add_session());
    for (const Transaction& t : all_) {
      builder.begin_transaction(sessions[t.session]);
      builder.set_outcome(t.outcome);
      builder.set_times(t.begin, t.end);
      for (const Step& step : t.steps) {
        ValueId list = ValuePool::empty_list;
        ValueId last = ValuePool::nil;
        for (const int element : step.value) {
          last = builder.values().integer(element);
          list = builder.values().list_with(list, last);
        }
        if (!step.is_read) {
          plan_.lists ? builder.append(keys[step.key], last) : builder.write(keys[step.key], last);
        } else {
          plan_.lists ? builder.list_read(keys[step.key], list)
                      : builder.read(keys[step.key], last);
        }
      }
    }
    return std::move(builder).finish();
  }

  const HotPlan plan_;
  Random random_;
  std::vector<Transaction> all_;
};

inline History hot_history(const HotPlan& plan) { return HotHistory(plan).make(); }

}  // namespace isoscope::test
