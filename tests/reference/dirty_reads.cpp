#include "reference/dirty_reads.h"

#include <algorithm>

namespace isoscope::reference {
namespace {

using Read = Scenario::Read;

class DirtyReads {
 public:
  explicit DirtyReads(const Scenario& scenario) : s_(scenario), before_(scenario.so) {
    for (const Relation& of_key : scenario.assumed) before_ = before_ | of_key;
  }

  LevelSet run(LevelSet levels) {
    for (const Read& read : s_.reads) {
      if (!s_.holds_lists(read.key) && !register_read_makes_sense(read)) return {};
    }
    extend({}, only(0), levels);
    return found_;
  }

 private:
  const History& history() const { return *s_.history; }
  TransactionId id_of(int t) const { return s_.ids[t - 1]; }

  /// Did somebody else write a state that the read accepts, or is it the initial one?
  bool register_read_makes_sense(const Read& read) const {
    if (s_.accepts(read, s_.initial_state(read.key))) return true;
    for (const TransactionId t : history().transactions()) {
      if (t == id_of(read.reader)) continue;
      for (const Operation& operation : history().operations(t)) {
        if (operation.is_item_write()) {
          if (writes_accepted(read, operation.key(), operation.value())) return true;
        } else if (operation.kind() == OperationKind::predicate_write) {
          for (const RowVersion& row : history().predicate_access(operation).rows) {
            if (writes_accepted(read, row.key, row.value)) return true;
          }
        }
      }
    }
    return false;
  }

  bool writes_accepted(const Read& read, KeyId key, ValueId value) const {
    return static_cast<int>(key.index()) == read.key &&
           s_.accepts(read, s_.state_of(read.key, value));
  }

  /// Tries every order of the transactions that contains session order (and real time).
  void extend(std::vector<int> order, Set placed, LevelSet levels) {
    levels = levels - found_;
    if (levels.empty()) return;
    if (placed == only(s_.size) - 1) {
      if (lists_fit(order)) found_ = found_ | levels;
      return;
    }
    for (int t = 1; t < s_.size; ++t) {
      if (has(placed, t) || (before(before_, t) & ~placed) != 0) continue;
      const bool in_time = (before(s_.real_time, t) & ~placed) == 0;
      order.push_back(t);
      extend(order, placed | only(t),
             in_time ? levels : levels - LevelSet{LevelId::strong_read_uncommitted});
      order.pop_back();
    }
  }

  bool lists_fit(const std::vector<int>& order) const {
    return std::ranges::all_of(s_.reads, [&](const Read& read) {
      return !s_.holds_lists(read.key) || list_fits(read, order);
    });
  }

  bool list_fits(const Read& read, const std::vector<int>& order) const {
    const std::optional<State> initial = s_.initial_state(read.key);
    State expected = initial.value_or(State{});
    const std::size_t least = expected.size();
    for (const int t : order) {
      if (t == read.reader && s_.writes_key(t, read.key)) break;  // its own appends come later
      if (!s_.writes_key(t, read.key)) continue;
      const State& appends = s_.effect(t, read.key);
      expected.insert(expected.end(), appends.begin(), appends.end());
    }
    std::vector<ValueId> removable = uncommitted_appends(read);
    if (read.wants != Scenario::Wants::value) {
      // To a predicate there are two states, some list and none.
      const bool some_list = !expected.empty() || !removable.empty();
      return s_.accepts(read, initial) || (some_list && s_.accepts(read, State{ValuePool::nil}));
    }
    if (!initial && read.value.empty() && !read.after_own_appends) return false;
    return matches(read.value, 0, expected, 0, least, removable);
  }

  /// Elements of the key appended by transactions that did not commit.
  std::vector<ValueId> uncommitted_appends(const Read& read) const {
    std::vector<ValueId> result;
    for (const TransactionId t : history().transactions()) {
      if (std::find(s_.ids.begin(), s_.ids.end(), t) != s_.ids.end()) continue;
      for (const Operation& operation : history().operations(t)) {
        if (operation.kind() == OperationKind::append &&
            static_cast<int>(operation.key().index()) == read.key) {
          result.push_back(operation.value());
        }
      }
    }
    return result;
  }

  /// Is list[i..], without some of the removable elements, a beginning of expected[j..] that has at
  /// least the initial elements?
  bool matches(const State& list, std::size_t i, const State& expected, std::size_t j,
               std::size_t least, std::vector<ValueId>& removable) const {
    if (i == list.size()) return j >= least;
    if (j < expected.size() && list[i] == expected[j] &&
        matches(list, i + 1, expected, j + 1, least, removable)) {
      return true;
    }
    const auto at = std::find(removable.begin(), removable.end(), list[i]);
    if (at == removable.end()) return false;
    const std::size_t index = static_cast<std::size_t>(at - removable.begin());
    removable.erase(at);
    const bool result = matches(list, i + 1, expected, j, least, removable);
    removable.insert(removable.begin() + static_cast<std::ptrdiff_t>(index), list[i]);
    return result;
  }

  const Scenario& s_;
  Relation before_;  // session order, and what is assumed of versions
  LevelSet found_;
};

}  // namespace

LevelSet dirty_read_levels(const Scenario& scenario, LevelSet levels) {
  if (!scenario.consistent_inside) return {};
  return DirtyReads(scenario).run(levels);
}

}  // namespace isoscope::reference
