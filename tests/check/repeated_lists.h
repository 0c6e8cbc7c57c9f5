#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// What histories of lists with repeated elements have in them.
struct RepeatedLists {
  int least_transactions = 3;
  int most_transactions = 6;
  int keys = 2;
  int elements = 2;           ///< different ones
  int longest_block = 3;      ///< appends of a transaction to a key
  int operations = 3;         ///< at most; an append operation is a whole block
  int lag = 4;                ///< a snapshot is behind by fewer commits
  int changed_percent = 15;   ///< reads that return something else
  int doubtful_percent = 20;  ///< transactions that are indeterminate or aborted
  int aborted_percent = 25;   ///< of those, the transactions that are aborted
  int initial_percent = 20;   ///< histories that have initial lists, or none
  int odd_percent = 0;        ///< initial lists that are integers: empty lists
  int predicate_percent = 0;  ///< operations that are predicate reads
  int sessions_percent = 50;  ///< histories that have sessions with several transactions
  bool registers = true;      ///< the first key is one
};

/// A run under snapshots, of which some are taken too early and some reads are then changed: the
/// last element dropped or doubled, two elements swapped, or another list that was there. With few
/// elements and blocks that are parts of each other most lists can be cut in several ways.
class RepeatedListHistory {
 public:
  RepeatedListHistory(Random& random, const RepeatedLists& features)
      : random_(random), f_(features) {}

  History make() && {
    for (int key = 0; key < f_.keys; ++key) {
      keys_.push_back(builder_.key(std::string(1, "xyzuv"[key])));
    }
    states_.emplace_back(static_cast<std::size_t>(f_.keys));
    choose_initial();
    const int count =
        f_.least_transactions + number(f_.most_transactions - f_.least_transactions + 1);
    const bool long_sessions = chance(f_.sessions_percent);
    const int sessions = long_sessions ? 1 + number(count) : count;
    for (int i = 0; i < sessions; ++i) sessions_.push_back(builder_.add_session());
    for (int i = 0; i < count; ++i) {
      transaction(i, sessions_[static_cast<std::size_t>(long_sessions ? number(sessions) : i)]);
    }
    return std::move(builder_).finish();
  }

 private:
  using Values = std::vector<int>;
  using Table = std::vector<Values>;

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool chance(int percent) { return random_.chance(static_cast<unsigned>(percent)); }
  bool is_register(int key) const { return f_.registers && key == 0; }
  ValueId list_of(const Values& values) {
    ValueId list = ValuePool::empty_list;
    for (const int value : values) {
      list = builder_.values().list_with(list, builder_.values().integer(value));
    }
    return list;
  }

  void choose_initial() {
    if (!chance(f_.initial_percent)) return;
    if (chance(30)) builder_.set_initial_default(std::nullopt);
    for (int key = 0; key < f_.keys; ++key) {
      if (is_register(key) || chance(30)) continue;
      if (chance(f_.odd_percent)) {
        builder_.set_initial(keys_[static_cast<std::size_t>(key)], builder_.values().integer(1));
        continue;
      }
      Values& first = states_[0][static_cast<std::size_t>(key)];
      for (int left = 1 + number(2); left > 0; --left) first.push_back(1 + number(f_.elements));
      builder_.set_initial(keys_[static_cast<std::size_t>(key)], list_of(first));
    }
  }

  void transaction(int i, SessionId session) {
    builder_.begin_transaction(session);
    const int behind = number(std::min<int>(f_.lag, static_cast<int>(states_.size())));
    const auto time = [&](int at) { return std::optional<std::int64_t>(at); };
    builder_.set_times(chance(90) ? time(10 * (i - behind) - number(40)) : std::nullopt,
                       chance(90) ? time(10 * i + number(40)) : std::nullopt);
    Outcome outcome = Outcome::committed;
    if (chance(f_.doubtful_percent)) {
      outcome = chance(f_.aborted_percent) ? Outcome::aborted : Outcome::indeterminate;
    }
    builder_.set_outcome(outcome);
    const Table& seen = states_[states_.size() - 1 - static_cast<std::size_t>(behind)];
    Table own(seen.size());
    for (int left = 1 + number(f_.operations); left > 0; --left) operation(seen, own);
    if (outcome != Outcome::committed && !chance(60)) return;
    Table next = states_.back();
    for (std::size_t key = 0; key < next.size(); ++key) {
      if (is_register(static_cast<int>(key)) && !own[key].empty()) next[key].clear();
      next[key].insert(next[key].end(), own[key].begin(), own[key].end());
    }
    states_.push_back(std::move(next));
  }

  /// Every row, or those that are no single values.
  void predicate_read(const Table& seen, const Table& own) {
    Predicate condition;
    if (chance(40)) {
      condition.kind = Predicate::Kind::is_null;
      condition.operand = Predicate::value_operand;
    }
    std::vector<RowVersion> rows;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      const bool is_single = is_register(static_cast<int>(key));
      Values state = seen[key];
      if (is_single && !own[key].empty()) state.clear();
      state.insert(state.end(), own[key].begin(), own[key].end());
      const bool selected =
          !state.empty() && !(is_single && condition.kind == Predicate::Kind::is_null);
      if (selected == chance(3)) continue;
      if (is_single && state.empty()) state = {1};
      rows.push_back(
          {keys_[key], is_single ? builder_.values().integer(state.back()) : list_of(state)});
    }
    builder_.add_predicate(OperationKind::predicate_read, HistoryBuilder::default_table,
                           builder_.predicate(condition), rows);
  }

  void operation(const Table& seen, Table& own) {
    if (f_.predicate_percent > 0 && chance(f_.predicate_percent)) return predicate_read(seen, own);
    const auto key = static_cast<std::size_t>(number(f_.keys));
    const bool reads = chance(55);
    if (is_register(static_cast<int>(key))) {
      const Values& from = own[key].empty() ? seen[key] : own[key];
      if (reads) {
        builder_.read(keys_[key],
                      from.empty() ? ValuePool::nil : builder_.values().integer(from.back()));
      } else {
        own[key] = {++last_value_};
        builder_.write(keys_[key], builder_.values().integer(last_value_));
      }
      return;
    }
    if (!reads) {
      for (int left = 1 + number(f_.longest_block); left > 0; --left) {
        own[key].push_back(1 + number(f_.elements));
        builder_.append(keys_[key], builder_.values().integer(own[key].back()));
      }
      return;
    }
    Values list = seen[key];
    if (chance(f_.changed_percent)) change(list, key);
    list.insert(list.end(), own[key].begin(), own[key].end());
    builder_.list_read(keys_[key], list_of(list));
  }

  void change(Values& list, std::size_t key) {
    if (list.empty() || chance(25)) {
      list = states_[random_.below(states_.size())][key];
    } else if (chance(33)) {
      list.pop_back();
    } else if (chance(50)) {
      list.push_back(list.back());
    } else {
      std::swap(list[random_.below(list.size())], list.back());
    }
  }

  Random& random_;
  const RepeatedLists& f_;
  HistoryBuilder builder_;
  std::vector<KeyId> keys_;
  std::vector<SessionId> sessions_;
  std::vector<Table> states_;  // oldest first
  int last_value_ = 0;
};

inline History repeated_list_history(Random& random, const RepeatedLists& features) {
  return RepeatedListHistory(random, features).make();
}

}  // namespace isoscope::test
