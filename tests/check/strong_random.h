#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// What hard histories have in them.
struct HardFeatures {
  int least_transactions = 6;
  int most_transactions = 8;
  int keys = 4;
  int values = 3;             ///< that are written to a register
  int operations = 12;        ///< tried, of a transaction; it touches no key twice
  int readers_percent = 0;    ///< transactions that only read
  int read_percent = 30;      ///< of the operations of others
  int changed_percent = 100;  ///< reads that return what anybody wrote
  int sessions_percent = 25;  ///< histories that have sessions with several transactions
  int lag = 2;                ///< a snapshot is behind by fewer commits
  int doubtful_percent = 0;   ///< transactions that are indeterminate or aborted
  int jitter = 100;           ///< of times; commits are 10 apart
  bool lists = false;         ///< the last key is a list
  bool odd_list = false;      ///< which is an integer at first: the empty list
};

/// A run under snapshots in which some reads then get other values that somebody wrote. The
/// transactions are listed in any order, mostly each in a session of its own. With few keys and
/// values and mostly blind writes there is much to choose, and it is easy to choose wrongly: a
/// quarter of these histories is not decided without the solver, while among runs of a bad store it
/// is one in a hundred.
class HardHistory {
 public:
  HardHistory(Random& random, const HardFeatures& features) : random_(random), f_(features) {}

  History make() && {
    run();
    change_reads();
    choose_sessions();
    return record();
  }

 private:
  using State = std::vector<int>;  // a register's value, if any; a list's elements
  struct Step {
    bool is_read;
    int key;
    State value;  // of a write, its only element
  };
  struct Transaction {
    std::vector<Step> steps;
    Outcome outcome = Outcome::committed;
    int begin = 0;
    int end = 0;
    int session = 0;
  };

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool is_list(int key) const { return f_.lists && key == f_.keys - 1; }

  void run() {
    const int count =
        f_.least_transactions + number(f_.most_transactions - f_.least_transactions + 1);
    std::vector<std::vector<State>> states = {
        std::vector<State>(static_cast<std::size_t>(f_.keys))};
    const int lag = 1 + number(f_.lag);
    for (int i = 0; i < count; ++i) {
      Transaction t;
      const std::size_t behind = std::min(static_cast<std::size_t>(number(lag)), states.size() - 1);
      const std::size_t snapshot = states.size() - 1 - behind;
      std::vector<State> latest = states.back();
      std::vector<bool> used(latest.size());
      const bool reads_only = random_.chance(static_cast<unsigned>(f_.readers_percent));
      for (int left = 1 + number(f_.operations); left > 0; --left) {
        const int key = number(f_.keys);
        if (used[key]) continue;
        used[key] = true;
        const bool free = states[snapshot][key] == states.back()[key];
        if (reads_only || !free || random_.chance(static_cast<unsigned>(f_.read_percent))) {
          t.steps.push_back({true, key, states[snapshot][key]});
        } else {
          const int value = is_list(key) ? ++last_element_ : 1 + number(f_.values);
          t.steps.push_back({false, key, {value}});
          if (!is_list(key)) latest[key].clear();
          latest[key].push_back(value);
        }
      }
      if (random_.chance(static_cast<unsigned>(f_.doubtful_percent))) {
        t.outcome = random_.chance(25) ? Outcome::aborted : Outcome::indeterminate;
      }
      if (t.outcome == Outcome::committed || random_.chance(70)) states.push_back(latest);
      t.begin = 10 * (i - static_cast<int>(behind)) - number(f_.jitter);
      t.end = 10 * i + number(f_.jitter);
      all_.push_back(std::move(t));
    }
  }

  /// Changes reads to what somebody wrote to the key, or to nothing.
  void change_reads() {
    std::vector<std::vector<int>> written(static_cast<std::size_t>(f_.keys));
    for (const Transaction& t : all_) {
      for (const Step& step : t.steps) {
        if (!step.is_read) written[step.key].push_back(step.value.front());
      }
    }
    for (Transaction& t : all_) {
      for (Step& step : t.steps) {
        if (!step.is_read || !random_.chance(static_cast<unsigned>(f_.changed_percent))) continue;
        const std::vector<int>& some = written[step.key];
        if (is_list(step.key)) {
          if (!step.value.empty()) step.value.pop_back();
        } else if (!some.empty() && !random_.chance(5)) {
          step.value = {some[random_.below(some.size())]};
        }
      }
    }
  }

  void choose_sessions() {
    listed_.resize(all_.size());
    std::iota(listed_.begin(), listed_.end(), 0);
    const bool long_ones = random_.chance(static_cast<unsigned>(f_.sessions_percent));
    const int count = static_cast<int>(all_.size());
    const int sessions = long_ones ? count / 2 + number(count / 2) : count;
    for (int i = 0; i < count; ++i) {
      all_[static_cast<std::size_t>(i)].session = long_ones ? number(sessions) : i;
    }
    // Most sessions keep the order in which transactions committed.
    if (long_ones && !random_.chance(10)) return;
    for (std::size_t i = listed_.size(); i > 1; --i) {
      std::swap(listed_[i - 1], listed_[random_.below(i)]);
    }
  }

  History record() {
    HistoryBuilder builder;
    std::vector<KeyId> keys;
    for (int key = 0; key < f_.keys; ++key) {
      keys.push_back(builder.key(std::string(1, "xyzuv"[key])));
    }
    const ValueId odd = builder.values().integer(1);
    if (f_.odd_list) builder.set_initial(keys.back(), odd);
    std::vector<SessionId> sessions;
    for (std::size_t i = 0; i < all_.size(); ++i) sessions.push_back(builder.add_session());
    for (const int i : listed_) {
      const Transaction& t = all_[static_cast<std::size_t>(i)];
      builder.begin_transaction(sessions[static_cast<std::size_t>(t.session)]);
      builder.set_outcome(t.outcome);
      builder.set_times(time(t.begin), time(t.end));
      for (const Step& step : t.steps) {
        const KeyId key = keys[static_cast<std::size_t>(step.key)];
        ValueId list = ValuePool::empty_list;
        ValueId last = ValuePool::nil;
        for (const int element : step.value) {
          last = builder.values().integer(element);
          list = builder.values().list_with(list, last);
        }
        if (step.is_read && f_.odd_list && is_list(step.key) && step.value.empty() &&
            number(2) == 0) {
          builder.read(key, odd);
        } else if (step.is_read && is_list(step.key)) {
          builder.list_read(key, list);
        } else if (step.is_read) {
          builder.read(key, last);
        } else if (is_list(step.key)) {
          builder.append(key, last);
        } else {
          builder.write(key, last);
        }
      }
    }
    return std::move(builder).finish();
  }

  std::optional<std::int64_t> time(int at) {
    return random_.chance(90) ? std::optional<std::int64_t>(at) : std::nullopt;
  }

  Random& random_;
  const HardFeatures& f_;
  std::vector<Transaction> all_;  // by commit
  std::vector<int> listed_;
  int last_element_ = 0;
};

inline History hard_history(Random& random, const HardFeatures& features) {
  return HardHistory(random, features).make();
}

}  // namespace isoscope::test
