#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::reference {

/// What random histories have in them.
struct RandomFeatures {
  int least_transactions = 2;
  int most_transactions = 4;
  int keys = 3;
  int operations = 4;  ///< at most, of a transaction
  bool sessions = true;
  bool outcomes = true;  ///< aborted and indeterminate transactions
  bool times = true;
  bool lists = true;           ///< the last key is a list
  bool predicates = true;      ///< reads and writes
  bool initial = true;         ///< other initial values than nil
  bool appended_once = false;  ///< no element of a list is appended a second time
  bool odd = false;            ///< values that do not fit their keys, see OddValues
};

/// What a register or a list may hold at first, and how reads show it: an integer where lists are
/// appended to, a list where integers are written, nothing recorded as nil, as [] or as the initial
/// value, and keys that nobody writes, read as both.
struct OddValues {
  static constexpr int nothing = 0;
  static constexpr int empty_list = -1;
  static constexpr int first_list = 100;  ///< [1], [1 1], [2]: numbers from here on

  static ValueId value(ValuePool& values, int number) {
    if (number == nothing) return ValuePool::nil;
    if (number > 0 && number < first_list) return values.integer(number);
    ValueId list = ValuePool::empty_list;
    for (int left = number == empty_list ? 0 : number == first_list + 1 ? 2 : 1; left > 0; --left) {
      list = values.list_with(list, values.integer(number == first_list + 2 ? 2 : 1));
    }
    return list;
  }
  static int any(Random& random) {
    constexpr int all[] = {nothing, empty_list, first_list, first_list + 1, first_list + 2, 1,
                           2,       1,          2};
    return all[random.below(std::size(all))];
  }
};

/// A run of a bad store, one transaction after the other: each sees the latest state or an older
/// one, sometimes every read another one, and now and then a value from anywhere. So histories of
/// every level between none and serializable are common. Values are few, so duplicates are too.
class RandomHistory {
 public:
  RandomHistory(Random& random, const RandomFeatures& features)
      : random_(random), features_(features) {}

  History make() && {
    for (int key = 0; key < features_.keys; ++key) {
      keys_.push_back(builder_.key(std::string(1, static_cast<char>('x' + key))));
    }
    choose_initial();
    const int count = features_.least_transactions +
                      number(features_.most_transactions - features_.least_transactions + 1);
    session_count_ = features_.sessions ? 1 + number(count) : count;
    for (int i = 0; i < session_count_; ++i) sessions_.push_back(builder_.add_session());
    distinct_ = 1 + number(5);
    for (int i = 0; i < count; ++i) transaction(i);
    return std::move(builder_).finish();
  }

 private:
  // A register holds at most one value, a list any number. Value 0 is nil, and never in a state.
  using Values = std::vector<int>;
  using Table = std::vector<Values>;  // by key

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool is_list(int key) const { return features_.lists && key == features_.keys - 1; }
  ValueId value(int number) { return OddValues::value(builder_.values(), number); }
  ValueId value_of(int key, const Values& state) {
    if (!is_list(key)) return value(state.empty() ? 0 : state.front());
    ValueId list = ValuePool::empty_list;
    for (const int element : state) list = builder_.values().list_with(list, value(element));
    return list;
  }

  void choose_initial() {
    Table first(static_cast<std::size_t>(features_.keys));
    is_mute_.assign(first.size(), false);
    initial_.assign(first.size(), OddValues::nothing);
    if (features_.odd) {
      choose_odd_initial(first);
    } else if (features_.initial && random_.chance(30)) {
      const bool none = random_.chance(40);
      const int all = none ? 0 : 1 + number(2);
      builder_.set_initial_default(none ? std::nullopt : std::optional(value(all)));
      for (int key = 0; key < features_.keys; ++key) {
        if (all != 0 && !is_list(key)) first[key] = {all};
        if (!random_.chance(20)) continue;
        first[key] = {1 + number(2)};
        builder_.set_initial(keys_[key], value_of(key, first[key]));
      }
    }
    states_.push_back(first);
  }

  void choose_odd_initial(Table& first) {
    const bool none = random_.chance(20);
    const int all = OddValues::any(random_);
    builder_.set_initial_default(none ? std::nullopt : std::optional(value(all)));
    for (int key = 0; key < features_.keys; ++key) {
      is_mute_[key] = random_.chance(20);
      initial_[key] = none ? OddValues::nothing : all;
      if (random_.chance(40)) {
        initial_[key] = OddValues::any(random_);
        builder_.set_initial(keys_[key], value(initial_[key]));
      }
      const ValueId its = value(initial_[key]);
      if (is_list(key) && !is_mute_[key]) {
        if (builder_.values().kind(its) != ValueKind::list) continue;
        for (const ValueId element : builder_.values().list_elements(its)) {
          first[key].push_back(static_cast<int>(builder_.values().integer_of(element)));
        }
      } else if (initial_[key] != OddValues::nothing && initial_[key] != OddValues::empty_list) {
        first[key] = {initial_[key]};
      }
    }
  }

  /// The state as a read shows it. Where there is nothing, it is shown in any of the possible ways.
  /// Now and then a key that nobody changes is shown as the empty list.
  ValueId odd_value(int key, const Values& state) {
    if (is_list(key) && !is_mute_[key]) {
      if (!state.empty() || random_.chance(60)) return value_of(key, state);
      return value(random_.chance(50) ? OddValues::nothing : initial_[key]);
    }
    const bool hides = is_mute_[key] && random_.chance(30);
    if (state.empty() || hides) {
      return value(random_.chance(40) ? OddValues::empty_list : OddValues::nothing);
    }
    return value(state.front());
  }

  void transaction(int i) {
    builder_.begin_transaction(sessions_[features_.sessions ? number(session_count_) : i]);
    if (features_.times) {
      const auto time = [&](int from) { return std::optional<std::int64_t>(from + number(25)); };
      const auto begin = time(10 * i);
      const auto end = std::optional(*begin + 1 + number(25));
      builder_.set_times(random_.chance(80) ? begin : std::nullopt,
                         random_.chance(80) ? end : std::nullopt);
    }
    Outcome outcome = Outcome::committed;
    if (features_.outcomes && random_.chance(20)) {
      outcome = random_.chance(50) ? Outcome::aborted : Outcome::indeterminate;
    }
    builder_.set_outcome(outcome);
    snapshot_ = random_.chance(65) ? states_.size() - 1 : random_.below(states_.size());
    one_snapshot_ = random_.chance(75);
    own_.assign(static_cast<std::size_t>(features_.keys), std::nullopt);
    Table latest = states_.back();
    for (int left = 1 + number(features_.operations); left > 0; --left) operation(latest);
    const bool visible = outcome == Outcome::committed || random_.chance(40);
    if (visible) states_.push_back(std::move(latest));
  }

  /// What the transaction sees at the key: its own writes on top of a state.
  Values seen(int key) {
    if (random_.chance(5)) return random_.chance(30) ? Values{} : Values{1 + number(distinct_)};
    const Values& below = states_[snapshot_][key];
    if (!own_[key]) return below;
    if (!is_list(key)) return *own_[key];
    Values both = below;
    both.insert(both.end(), own_[key]->begin(), own_[key]->end());
    return both;
  }

  void write(Table& latest, int key, int what) {
    if (is_list(key)) {
      if (!own_[key]) own_[key].emplace();
      own_[key]->push_back(what);
      latest[key].push_back(what);
    } else {
      own_[key] = what == 0 ? Values{} : Values{what};
      latest[key] = *own_[key];
    }
  }

  void operation(Table& latest) {
    if (!one_snapshot_) snapshot_ = random_.below(states_.size());
    if (features_.predicates && random_.chance(20)) return predicate(latest);
    const int key = number(features_.keys);
    const int what = 1 + number(distinct_);
    const bool is_read = random_.chance(50);
    if (features_.odd && (is_read || is_mute_[key])) {
      const ValueId read = odd_value(key, seen(key));
      const bool is_a_list = builder_.values().kind(read) == ValueKind::list;
      builder_.add(is_a_list ? OperationKind::list_read : OperationKind::read, keys_[key], read);
    } else if (is_read) {
      const Values state = seen(key);
      builder_.add(is_list(key) ? OperationKind::list_read : OperationKind::read, keys_[key],
                   value_of(key, state));
    } else if (is_list(key)) {
      const int element = features_.appended_once ? ++last_element_ : what;
      write(latest, key, element);
      builder_.append(keys_[key], value(element));
    } else if (random_.chance(10)) {
      write(latest, key, 0);
      builder_.remove(keys_[key]);
    } else {
      write(latest, key, what);
      builder_.write(keys_[key], value(what));
    }
  }

  void predicate(Table& latest) {
    Predicate condition;
    const int wanted = number(distinct_ + 1);
    if (wanted != 0) {
      condition.kind = Predicate::Kind::equal;
      condition.operand = Predicate::value_operand;
      condition.constants = {Constant(std::int64_t{wanted})};
    }
    const bool is_read = random_.chance(70);
    if (features_.odd && random_.chance(30)) {
      condition.kind = Predicate::Kind::is_null;
      condition.operand = Predicate::value_operand;
      condition.constants.clear();
    }
    std::vector<RowVersion> rows;
    for (int key = 0; key < features_.keys; ++key) {
      const Values state = seen(key);
      const bool lists = is_list(key) || is_mute_[key];
      const ValueId row = state.empty()  ? ValuePool::nil
                          : is_list(key) ? ValuePool::empty_list
                                         : value(state.front());
      bool selected =
          evaluate(condition, builder_.values(), builder_.key_name(keys_[key]), row) == Truth::yes;
      if (features_.odd && random_.chance(4)) selected = !selected;
      if (!selected || (!is_read && lists)) continue;
      const int what = number(distinct_ + 1);
      ValueId shown = features_.odd ? odd_value(key, state) : value_of(key, state);
      // Predicate reads return rows.
      if (shown == ValuePool::nil) shown = ValuePool::empty_list;
      rows.push_back({keys_[key], is_read ? shown : value(what)});
      if (!is_read) write(latest, key, what);
    }
    builder_.add_predicate(is_read ? OperationKind::predicate_read : OperationKind::predicate_write,
                           HistoryBuilder::default_table, builder_.predicate(condition), rows);
  }

  Random& random_;
  const RandomFeatures& features_;
  HistoryBuilder builder_;
  std::vector<KeyId> keys_;
  std::vector<SessionId> sessions_;
  int session_count_ = 1;
  int distinct_ = 1;           // values in use
  std::vector<bool> is_mute_;  // by key: nobody writes it or appends to it
  std::vector<int> initial_;   // by key, where they are odd
  int last_element_ = 100;     // appended, where none is appended twice
  std::vector<Table> states_;  // the states of the store, oldest first
  std::size_t snapshot_ = 0;   // what the transaction sees of it
  bool one_snapshot_ = true;
  std::vector<std::optional<Values>> own_;  // what it wrote or appended
};

inline History random_history(Random& random, const RandomFeatures& features) {
  return RandomHistory(random, features).make();
}

/// The text that failing tests show.
inline std::string text_of(const History& history) {
  const Result<std::string> text = format_history(history, Format::litmus);
  return text ? *text : "(not writable)";
}

}  // namespace isoscope::reference
