#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::test {

/// Every write has a value of its own, and every read returns what anybody wrote to the key, or the
/// initial value. Transactions see no state, so most kinds of mistakes are common.
class UniqueValues {
 public:
  explicit UniqueValues(Random& random) : random_(random) {}

  /// Whether indeterminate transactions always cut their sessions.
  bool cuts_always = false;
  /// Whether one of the keys may be a list.
  bool has_lists = true;
  /// Whether committed transactions may have stamps, few different ones.
  bool has_stamps = false;

  History make() && {
    const int count = 2 + number(4);
    const int keys = 1 + number(3);
    const bool lists = has_lists && random_.chance(25);
    plan(count, keys);
    HistoryBuilder builder;
    builder.set_indeterminate_cuts(cuts_always || random_.chance(50));
    const int sessions = 1 + number(count);
    std::vector<SessionId> ids;
    for (int i = 0; i < sessions; ++i) ids.push_back(builder.add_session());
    for (int t = 0; t < count; ++t) {
      builder.begin_transaction(ids[static_cast<std::size_t>(number(sessions))]);
      if (random_.chance(10)) builder.set_outcome(Outcome::indeterminate);
      if (random_.chance(5)) builder.set_outcome(Outcome::aborted);
      const int begin = number(40);
      builder.set_times(begin, begin + number(10));
      if (has_stamps && builder.outcome() == Outcome::committed && random_.chance(80)) {
        builder.set_commit_stamp(number(2 * count));
      }
      for (const Step& step : steps_[static_cast<std::size_t>(t)]) add(builder, step, lists);
    }
    return std::move(builder).finish();
  }

 private:
  struct Step {
    bool is_read = false;
    int key = 0;
    int value = 0;
  };

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  void plan(int count, int keys) {
    std::vector<std::vector<int>> written(static_cast<std::size_t>(keys), std::vector<int>{0});
    for (int t = 0; t < count; ++t) {
      std::vector<Step> steps(static_cast<std::size_t>(1 + number(4)));
      for (Step& step : steps) {
        step.is_read = random_.chance(60);
        step.key = number(keys);
        if (step.is_read) continue;
        step.value = ++last_value_;
        written[static_cast<std::size_t>(step.key)].push_back(step.value);
      }
      steps_.push_back(steps);
    }
    for (auto& steps : steps_) {
      for (Step& step : steps) {
        const auto& values = written[static_cast<std::size_t>(step.key)];
        if (step.is_read) step.value = values[random_.below(values.size())];
      }
    }
    written_ = written;
  }

  /// The last key is a list if there are lists. What is read of it has the elements up to one of
  /// them, mostly in the order in which they were planned.
  void add(HistoryBuilder& builder, const Step& step, bool lists) {
    const KeyId key = builder.key(std::string(1, static_cast<char>('x' + step.key)));
    const auto value = [&](int number) {
      return number == 0 ? ValuePool::nil : builder.values().integer(number);
    };
    if (!lists || step.key != 0) {
      step.is_read ? builder.read(key, value(step.value)) : builder.write(key, value(step.value));
      return;
    }
    if (!step.is_read) {
      builder.append(key, value(step.value));
      return;
    }
    ValueId list = ValuePool::empty_list;
    for (const int element : written_[0]) {
      if (element == 0 || random_.chance(5)) continue;
      if (element > step.value) break;
      list = builder.values().list_with(list, value(element));
    }
    builder.list_read(key, list);
  }

  Random& random_;
  int last_value_ = 0;
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<int>> written_;
};

}  // namespace isoscope::test
