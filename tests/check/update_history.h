#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// What histories with updates have in them.
struct UpdateFeatures {
  int most_transactions = 4;
  int keys = 2;
  int values = 3;        ///< that are written, from -1 on
  int operations = 3;    ///< at most, of a transaction
  bool outcomes = true;  ///< aborted and indeterminate transactions
  bool times = true;
  bool vague = false;      ///< updates of which too little was learned
  int stale_percent = 35;  ///< reads that do not see the latest state
};

/// A run of a store of registers that is bad in many ways: what a transaction reads, and what its
/// updates are applied to, is the latest state or an older one; and now and then a client learns
/// something that never was.
class UpdateHistory {
 public:
  UpdateHistory(Random& random, const UpdateFeatures& features)
      : random_(random), features_(features) {}

  History make() && {
    const int first = random_.chance(50) ? 0 : 1 + number(3);  // 0: nil
    for (int key = 0; key < features_.keys; ++key) {
      keys_.push_back(builder_.key(std::string(1, static_cast<char>('x' + key))));
      states_.push_back({first == 0 ? std::nullopt : std::optional(first - 2)});
    }
    if (first != 0) builder_.set_initial_default(value(first - 2));
    const int count = 2 + number(features_.most_transactions - 1);
    std::vector<SessionId> sessions;
    for (int i = 0; i <= number(count); ++i) sessions.push_back(builder_.add_session());
    for (int i = 0; i < count; ++i) {
      transaction(sessions[random_.below(sessions.size())], i);
    }
    return std::move(builder_).finish();
  }

 private:
  using State = std::optional<int>;  // nothing: nil

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  ValueId value(State state) { return state ? builder_.values().integer(*state) : ValuePool::nil; }
  State any() { return random_.chance(15) ? State() : State(number(features_.values) - 1); }

  void transaction(SessionId session, int i) {
    builder_.begin_transaction(session);
    if (features_.times && random_.chance(80)) {
      const std::int64_t begin = 10 * i + number(25);
      builder_.set_times(begin, begin + 1 + number(25));
    }
    Outcome outcome = Outcome::committed;
    if (features_.outcomes && random_.chance(20)) {
      outcome = random_.chance(50) ? Outcome::aborted : Outcome::indeterminate;
    }
    builder_.set_outcome(outcome);
    own_.assign(keys_.size(), std::nullopt);
    for (int left = 1 + number(features_.operations); left > 0; --left)
      operation(number(features_.keys));
    if (outcome != Outcome::committed && !random_.chance(40)) return;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      if (own_[key]) states_[key].push_back(*own_[key]);
    }
  }

  State seen(int key) {
    if (random_.chance(4)) return any();
    if (own_[key]) return *own_[key];
    const auto& all = states_[key];
    return random_.chance(static_cast<unsigned>(features_.stale_percent))
               ? all[random_.below(all.size())]
               : all.back();
  }

  void operation(int key) {
    const KeyId at = keys_[key];
    const int choice = number(100);
    if (choice < 25) {
      builder_.read(at, value(seen(key)));
    } else if (choice < 38) {
      own_[key] = any();
      if (*own_[key]) {
        builder_.write(at, value(*own_[key]));
      } else {
        builder_.remove(at);
      }
    } else if (choice < 70) {
      add(key);
    } else if (choice < 90) {
      compare_and_set(key);
    } else {
      const State before = seen(key);
      own_[key] = any();
      Update update{.function = Update::Function::swap, .argument = value(*own_[key])};
      if (!features_.vague || random_.chance(70)) {
        update.learned = Update::Learned::value;
        update.seen = value(before);
      }
      builder_.update(at, update);
    }
  }

  void add(int key) {
    const int amount = number(4) - 1;
    const int sum = seen(key).value_or(0) + amount;
    own_[key] = sum;
    Update update{.function = Update::Function::add, .argument = value(amount)};
    if (!features_.vague || random_.chance(70)) {
      update.learned = Update::Learned::value;
      update.seen = value(sum);
    }
    builder_.update(keys_[key], update);
  }

  void compare_and_set(int key) {
    const State before = seen(key);
    const State expected = random_.chance(70) ? before : any();
    const State replacement = any();
    Update update{.function = Update::Function::compare_and_set,
                  .argument = value(expected),
                  .replacement = value(replacement)};
    const bool is_done = before == expected;
    if (is_done) own_[key] = replacement;
    const bool is_vague = features_.vague && random_.chance(30);
    if (is_done) {
      update.learned = is_vague ? Update::Learned::nothing : Update::Learned::done;
    } else {
      update.learned = is_vague ? Update::Learned::refused : Update::Learned::value;
      if (!is_vague) update.seen = value(before);
    }
    builder_.update(keys_[key], update);
  }

  Random& random_;
  const UpdateFeatures& features_;
  HistoryBuilder builder_;
  std::vector<KeyId> keys_;
  std::vector<std::vector<State>> states_;  // by key, oldest first
  std::vector<std::optional<State>> own_;   // by key: what the transaction wrote
};

}  // namespace isoscope::test
