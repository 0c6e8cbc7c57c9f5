#include "reference/scenario.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::reference {
namespace {

/// One after the other, what the operations of a transaction say.
class Reader {
 public:
  Reader(Scenario& scenario, int transaction) : s_(scenario), t_(transaction) {}

  void operation(const Operation& operation) {
    const TransactionId id = s_.ids[static_cast<std::size_t>(t_) - 1];
    const Update* const update = s_.history->update_at(id, static_cast<std::size_t>(place_));
    if (update != nullptr && update->learned != Update::Learned::nothing) {
      base(index(operation.key()), *update);
      ++place_;
      return;
    }
    switch (operation.kind()) {
      case OperationKind::read:
      case OperationKind::list_read:
        read(index(operation.key()), operation.value());
        break;
      case OperationKind::write:
      case OperationKind::insert:
      case OperationKind::remove:
        write(index(operation.key()), operation.value());
        break;
      case OperationKind::append:
        append(index(operation.key()), operation.value());
        break;
      case OperationKind::predicate_read:
      case OperationKind::predicate_write:
        predicate(operation);
        break;
    }
    ++place_;
  }

 private:
  static int index(KeyId key) { return static_cast<int>(key.index()); }

  std::optional<std::size_t> own(int key) const {
    for (std::size_t i = 0; i < s_.writes.size(); ++i) {
      if (s_.writes[i].writer == t_ && s_.writes[i].key == key) return i;
    }
    return std::nullopt;
  }

  State& own_effect(int key) {
    if (const auto at = own(key)) return s_.effects[*at];
    s_.writes.push_back({t_, place_, key});
    return s_.effects.emplace_back();
  }

  void write(int key, ValueId value) { own_effect(key) = s_.state_of(key, value); }
  void append(int key, ValueId value) { own_effect(key).push_back(value); }

  void add(Scenario::Read read) {
    read.reader = t_;
    read.place = place_;
    s_.reads.push_back(std::move(read));
  }

  void read(int key, ValueId value) {
    if (value == ValuePool::unreported) return;
    State seen = s_.state_of(key, value);
    const auto at = own(key);
    if (at && s_.holds_lists(key)) {
      const State& end = s_.effects[*at];
      if (seen.size() < end.size() || !std::equal(end.rbegin(), end.rend(), seen.rbegin())) {
        s_.consistent_inside = false;
        return;
      }
      seen.resize(seen.size() - end.size());
    } else if (at) {
      if (s_.effects[*at] != seen) s_.consistent_inside = false;
      return;
    }
    add({.key = key, .value = std::move(seen), .after_own_appends = at.has_value()});
  }

  void base(int key, const Update& update) {
    if (const auto at = own(key)) {
      if (!s_.can_be_base(update, s_.effects[*at])) s_.consistent_inside = false;
      return;
    }
    add({.key = key,
         .wants = Scenario::Wants::base,
         .update = &update,
         .base = !update.is_refused()});
  }

  /// The predicate looked at the key, and selected its row or not.
  void look(int key, const Predicate& predicate, bool selected) {
    if (const auto at = own(key)) {
      if (s_.selected(predicate, key, s_.effects[*at]) != selected) s_.consistent_inside = false;
      return;
    }
    add({.key = key,
         .item = false,
         .wants = selected ? Scenario::Wants::selected : Scenario::Wants::unselected,
         .predicate = &predicate});
  }

  void predicate(const Operation& operation) {
    const PredicateAccess access = s_.history->predicate_access(operation);
    if (!access.reported) return;
    const Predicate& condition = s_.history->predicate(access.predicate);
    const bool is_read = operation.kind() == OperationKind::predicate_read;
    std::set<KeyId> listed;
    for (const RowVersion& row : access.rows) {
      const int key = index(row.key);
      const bool first = listed.insert(row.key).second;
      if (is_read) {
        if (row.value != ValuePool::unreported &&
            !s_.selected(condition, key, s_.state_of(key, row.value))) {
          s_.consistent_inside = false;
        }
        read(key, row.value);
      } else if (first) {
        look(key, condition, true);
      }
    }
    for (const KeyId key : s_.history->keys()) {
      if (s_.history->key_table(key) == access.table && !listed.contains(key)) {
        look(index(key), condition, false);
      }
    }
    if (is_read) return;
    for (const RowVersion& row : access.rows) write(index(row.key), row.value);
  }

  Scenario& s_;
  int t_;
  int place_ = 0;
};

bool may_have_committed(const History& history, TransactionId t) {
  return history.outcome(t) != Outcome::aborted;
}

/// What is done to a key, also by transactions that aborted.
struct KeyUse {
  bool appended = false;
  bool written = false;
  bool read_as_list = false;

  bool is_list() const { return appended || (read_as_list && !written); }
};

std::vector<KeyUse> key_uses(const History& history) {
  std::vector<KeyUse> uses(history.key_count());
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (operation.kind() == OperationKind::predicate_write) {
        for (const RowVersion& row : history.predicate_access(operation).rows) {
          uses[row.key.index()].written = true;
        }
      }
      if (operation.is_predicate()) continue;
      KeyUse& use = uses[operation.key().index()];
      use.read_as_list |= operation.kind() == OperationKind::list_read;
      use.appended |= operation.kind() == OperationKind::append;
      use.written |= operation.is_item_write() && operation.kind() != OperationKind::append;
    }
  }
  return uses;
}

std::vector<bool> list_keys(const History& history) {
  std::vector<bool> lists;
  for (const KeyUse& use : key_uses(history)) lists.push_back(use.is_list());
  return lists;
}

}  // namespace

bool is_within_limits(const History& history) {
  int count = 0;
  for (const TransactionId t : history.transactions()) count += may_have_committed(history, t);
  if (count >= max_transactions) return false;
  for (const KeyUse& use : key_uses(history)) {
    if (use.appended && use.written) return false;
  }
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (operation.is_item_write()) {
        if (operation.value() == ValuePool::unreported) return false;
      } else if (operation.kind() == OperationKind::predicate_write) {
        const PredicateAccess access = history.predicate_access(operation);
        if (!access.reported) return false;
        for (const RowVersion& row : access.rows) {
          if (row.value == ValuePool::unreported) return false;
        }
      }
    }
  }
  return true;
}

std::vector<Scenario> all_scenarios(const History& history, const Scenario::SessionRule& rule,
                                    std::int64_t skew) {
  std::vector<TransactionId> open;
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::indeterminate) open.push_back(t);
  }
  std::vector<Scenario> all;
  for (std::uint32_t bits = 0; bits < (1u << open.size()); ++bits) {
    Scenario::Transactions committed;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if ((bits >> i & 1) != 0) committed.insert(open[i]);
    }
    all.emplace_back(history, committed, rule, skew);
  }
  return all;
}

Scenario::Scenario(const History& of, const Transactions& committed, const SessionRule& rule,
                   std::int64_t skew)
    : history(&of), keys(static_cast<int>(of.key_count())), is_list(list_keys(of)) {
  for (const TransactionId t : of.transactions()) {
    if (of.outcome(t) == Outcome::committed || committed.contains(t)) ids.push_back(t);
  }
  size = static_cast<int>(ids.size()) + 1;
  ISOSCOPE_REQUIRE(size <= max_transactions);
  for (int t = 1; t < size; ++t) so.add(0, t);
  if (rule.session_order) order_sessions(rule.indeterminate_cuts);
  order_times(skew);
  for (int t = 1; t < size; ++t) add_transaction(t);
  // Versions of registers do not depend on those before them.
  for (Read& read : reads) {
    if (holds_lists(read.key)) continue;
    std::vector<int> versions = {0};
    for (const int writer : writers(read.key)) versions.push_back(writer);
    read.accepted = accepted(read, versions);
  }
}

Scenario::Scenario(const Execution& execution)
    : size(execution.size),
      keys(static_cast<int>(execution.versions.size())),
      is_list(execution.versions.size(), false),
      so(execution.so),
      real_time(execution.real_time),
      known(execution.wr | execution.ww),
      writes(execution.writes),
      effects(execution.writes.size()),
      consistent_inside(execution.valid_reads) {
  for (const Execution::Read& read : execution.reads) {
    reads.push_back({.reader = read.reader,
                     .place = read.place,
                     .key = read.key,
                     .item = read.item,
                     .accepted = only(read.source),
                     .base = read.base});
  }
}

void Scenario::order_sessions(bool indeterminate_cuts) {
  for (const SessionId session : history->sessions()) {
    std::vector<int> earlier;
    for (const TransactionId id : history->session(session)) {
      const auto at = std::find(ids.begin(), ids.end(), id);
      if (at != ids.end()) {
        const int t = static_cast<int>(at - ids.begin()) + 1;
        for (const int before : earlier) so.add(before, t);
        if (history->outcome(id) == Outcome::committed) earlier.push_back(t);
      }
      if (history->outcome(id) == Outcome::indeterminate && indeterminate_cuts) earlier.clear();
    }
  }
}

void Scenario::order_times(std::int64_t skew) {
  for (int t = 1; t < size; ++t) {
    const TransactionId id = ids[t - 1];
    const auto end = history->end_time(id);
    if (!end || history->outcome(id) == Outcome::indeterminate) continue;
    for (int u = 1; u < size; ++u) {
      const auto begin = history->begin_time(ids[u - 1]);
      __extension__ using Wide = __int128;  // the sum of two times may not fit in 64 bits
      if (u != t && begin && Wide{*end} + skew < Wide{*begin}) real_time.add(t, u);
    }
  }
}

void Scenario::add_transaction(int t) {
  Reader reader(*this, t);
  for (const Operation& operation : history->operations(ids[t - 1])) {
    reader.operation(operation);
  }
}

State Scenario::state_of(int key, ValueId value) const {
  if (value == ValuePool::nil || value == ValuePool::empty_list) return {};
  if (!holds_lists(key)) return {value};
  if (history->values().kind(value) == ValueKind::list)
    return history->values().list_elements(value);
  // It is no list, so nobody can have made it, unless it is an initial value, which is then the
  // empty list.
  if (value == history->initial_value(KeyId(static_cast<std::uint32_t>(key)))) return {};
  return {ValuePool::unreported};
}

std::optional<State> Scenario::initial_state(int key) const {
  const auto value = history->initial_value(KeyId(static_cast<std::uint32_t>(key)));
  if (!value) return std::nullopt;
  return state_of(key, *value);
}

const State& Scenario::effect(int transaction, int key) const {
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].writer == transaction && writes[i].key == key) return effects[i];
  }
  ISOSCOPE_REQUIRE(false);
  return effects[0];
}

bool Scenario::writes_key(int transaction, int key) const {
  return std::ranges::any_of(writes, [&](const Execution::Write& write) {
    return write.writer == transaction && write.key == key;
  });
}

std::vector<int> Scenario::writers(int key) const {
  std::vector<int> result;
  for (const Execution::Write& write : writes) {
    if (write.key == key) result.push_back(write.writer);
  }
  return result;
}

bool Scenario::selected(const Predicate& predicate, int key, const State& state) const {
  if (state.empty()) return false;
  // A predicate cannot look into a list, so to it all lists are alike.
  const ValueId value = holds_lists(key) ? ValuePool::empty_list : state.front();
  const ValueId name = history->key_name(KeyId(static_cast<std::uint32_t>(key)));
  return evaluate(predicate, history->values(), name, value) == Truth::yes;
}

bool Scenario::can_be_base(const Update& update, const State& state) const {
  const ValuePool& values = history->values();
  const ValueId before = state.empty() ? ValuePool::nil : state.front();
  switch (update.function) {
    case Update::Function::add: {
      const bool is_nil = before == ValuePool::nil;
      if (!is_nil && values.kind(before) != ValueKind::integer) return false;
      __int128 sum = is_nil ? 0 : values.integer_of(before);
      sum += values.integer_of(update.argument);
      return sum == values.integer_of(update.seen);
    }
    case Update::Function::compare_and_set:
      if (update.learned == Update::Learned::done) return before == update.argument;
      if (update.learned == Update::Learned::value && before != update.seen) return false;
      return before != update.argument;
    case Update::Function::swap:
      return before == update.seen;
  }
  return false;
}

bool Scenario::accepts(const Read& read, const std::optional<State>& state) const {
  switch (read.wants) {
    case Wants::value:
      return state ? *state == read.value : read.after_own_appends && read.value.empty();
    case Wants::unselected:
      return !state || !selected(*read.predicate, read.key, *state);
    case Wants::selected:
      return state && selected(*read.predicate, read.key, *state);
    case Wants::base:
      return state && can_be_base(*read.update, *state);
  }
  return false;
}

Set Scenario::accepted(const Read& read, const std::vector<int>& versions) const {
  Set result = 0;
  if (read.accepted) {
    for (const int version : versions) result |= *read.accepted & only(version);
    return result;
  }
  std::optional<State> state;
  for (const int version : versions) {
    const bool list = holds_lists(read.key);
    if (version == read.reader) {
      if (list) break;  // all later versions have the reader's own appends in them
      continue;
    }
    if (version == 0) {
      state = initial_state(read.key);
    } else if (list) {
      const State& elements = effect(version, read.key);
      if (!state) state.emplace();
      state->insert(state->end(), elements.begin(), elements.end());
    } else {
      state = effect(version, read.key);
    }
    if (accepts(read, state)) result |= only(version);
  }
  return result;
}

}  // namespace isoscope::reference
