#include "verifier/replay.h"

#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"
#include "verifier/event_places.h"
#include "verifier/levels.h"
#include "verifier/rows.h"
#include "verifier/writes.h"

namespace isoscope::verifier {

namespace {

/// What a key holds. A list is kept as one that was read, and what was appended since. So comparing
/// it with the next list read costs the new elements only, since equal lists have equal ids.
struct State {
  bool exists = false;
  ValueId value;
  std::vector<ValueId> tail = {};
};

/// What a transaction wrote to a key, or appended to it.
struct OwnWrite {
  KeyId key;
  ValueId value;
  std::vector<ValueId> appended = {};
  /// The first thing that the transaction did to the key was an update of what was there.
  bool is_on_base = false;

  /// What predicates see.
  ValueId row() const { return appended.empty() ? value : ValuePool::empty_list; }
};

/// Runs the operations of the history in the order of the certificate's events.
class Replay {
 public:
  Replay(const History& history, const Certificate& certificate)
      : history_(history),
        certificate_(certificate),
        rules_(rules_of(certificate.level)),
        one_event_(has_one_event(certificate.level.id)),
        places_(history, certificate),
        uses_(key_uses(history)),
        rows_(history) {}

  Status run() {
    if (!certificate_.sources.empty()) return Error{"at this level the order says what is read"};
    ISOSCOPE_TRY_STATUS(places_.choose());
    ISOSCOPE_TRY_STATUS(places_.place());
    set_initial_states();
    for (const Event event : certificate_.order) {
      const TransactionId t(event.transaction - 1);
      if (one_event_ || !event.is_commit) ISOSCOPE_TRY_STATUS(execute(t));
      if (event.is_commit) ISOSCOPE_TRY_STATUS(commit(t));
    }
    return Done{};
  }

 private:
  void set_initial_states() {
    states_.resize(history_.key_count());
    for (const KeyId key : history_.keys()) {
      const auto initial = history_.initial_value(key);
      const bool is_list = uses_[key.index()] == KeyUse::list;
      const ValueId value = initial.value_or(ValuePool::nil);
      states_[key.index()] = {initial.has_value(),
                              is_list ? list_value(history_, key, value) : register_value(value)};
      rows_.set(key, row_of(history_, key, uses_[key.index()], initial));
    }
    listed_by_.assign(history_.key_count(), 0);
    last_commits_.assign(history_.key_count(), 0);
    own_.assign(history_.key_count(), 0);
    pending_.resize(history_.transaction_count());
  }

  /// Runs all operations of a transaction at once, on the state of this moment.
  Status execute(TransactionId t) {
    std::vector<OwnWrite>& writes = pending_[t.index()];
    ISOSCOPE_REQUIRE(writes.empty() && places_.begin(t) != 0);
    Status result = Done{};
    bool is_on_base = false;  // the operation before read what others left, for an update
    const std::span<const Operation> operations = history_.operations(t);
    for (std::size_t i = 0; i < operations.size() && result; ++i) {
      if (const char* problem = execute(operations[i], writes)) {
        result = Error{text_of(t) + ", operation " + std::to_string(i + 1) + ": " + problem};
      } else if (is_on_base) {
        writes.back().is_on_base = true;
      }
      is_on_base = history_.reads_base(t, i) && own_[operations[i].key().index()] == 0;
    }
    for (const OwnWrite& write : writes) own_[write.key.index()] = 0;
    return result;
  }

  /// Returns the reason to refuse, or null. The functions that it calls do the same.
  const char* execute(const Operation& operation, std::vector<OwnWrite>& writes) {
    if (operation.is_predicate()) return execute_predicate(operation, writes);
    if (uses_[operation.key().index()] == KeyUse::both) return both_uses;
    if (operation.is_item_write()) return write(operation.key(), operation.value(), writes);
    return read(operation.key(), operation.value(), writes);
  }

  const char* write(KeyId key, ValueId value, std::vector<OwnWrite>& writes) {
    std::uint32_t& own = own_[key.index()];
    if (own == 0) {
      writes.push_back({key, ValuePool::nil});
      own = static_cast<std::uint32_t>(writes.size());
    }
    ISOSCOPE_ENSURE(own <= writes.size() && writes[own - 1].key == key);
    OwnWrite& write = writes[own - 1];
    if (uses_[key.index()] == KeyUse::reg) {
      write.value = register_value(value);
    } else if (value == ValuePool::unreported) {
      return "what was appended is not known";
    } else {
      write.appended.push_back(value);
    }
    return nullptr;
  }

  const char* read(KeyId key, ValueId value, std::vector<OwnWrite>& writes) {
    if (value == ValuePool::unreported) return nullptr;
    const std::uint32_t own = own_[key.index()];
    OwnWrite* const write = own == 0 ? nullptr : &writes[own - 1];
    if (uses_[key.index()] == KeyUse::list) return read_list(key, value, write);
    const State& state = states_[key.index()];
    const ValueId current = write != nullptr ? write->value : state.value;
    if (current == ValuePool::unreported) return unknown_value;
    const bool exists = write != nullptr || state.exists;
    return exists && current == register_value(value) ? nullptr : other_value;
  }

  /// The predicate must select the rows that are listed, and no other ones.
  const char* execute_predicate(const Operation& operation, std::vector<OwnWrite>& writes) {
    const PredicateAccess access = history_.predicate_access(operation);
    if (!access.reported) return nullptr;
    const bool is_read = operation.kind() == OperationKind::predicate_read;
    const Predicate& predicate = history_.predicate(access.predicate);
    const auto row = [&](KeyId key) {
      const std::uint32_t own = own_[key.index()];
      return own == 0 ? rows_.at(key) : writes[own - 1].row();
    };
    ++predicate_operations_;
    for (const auto& [key, value] : access.rows) {
      listed_by_[key.index()] = predicate_operations_;
      if (is_read && value == ValuePool::unreported) continue;
      if (row(key) == ValuePool::unreported) return unknown_value;
      if (const char* problem = is_read ? read(key, value, writes) : nullptr) return problem;
      if (!selects(history_, predicate, key, row(key)))
        return "the predicate does not select a row";
    }
    const auto is_other = [&](KeyId key) {
      return listed_by_[key.index()] < predicate_operations_;
    };
    auto more = rows_.find(access.table, predicate,
                           [&](KeyId key) { return own_[key.index()] == 0 && is_other(key); });
    for (const OwnWrite& own : writes) {
      if (history_.key_table(own.key) != access.table || !is_other(own.key)) continue;
      const bool unknown = own.row() == ValuePool::unreported;
      if (unknown || selects(history_, predicate, own.key, own.row())) more = own.key;
    }
    if (more) return row(*more) == ValuePool::unreported ? unknown_value : selects_more;
    if (is_read) return nullptr;
    for (const auto& [key, value] : access.rows) write(key, value, writes);
    return nullptr;
  }

  const char* read_list(KeyId key, ValueId read, OwnWrite* own) {
    const ValuePool& values = history_.values();
    State& state = states_[key.index()];
    ValueId rest = list_value(history_, key, read);
    if (values.kind(rest) != ValueKind::list || (own == nullptr && !state.exists)) {
      return other_value;
    }
    if (own != nullptr && !take_end(values, rest, own->appended)) return other_value;
    const ValueId below = rest;
    if (!take_end(values, rest, state.tail) || rest != state.value) return other_value;
    state.value = below;
    state.tail.clear();
    return nullptr;
  }

  Status commit(TransactionId t) {
    ISOSCOPE_REQUIRE(places_.begin(t) != 0 && places_.begin(t) <= places_.commit(t));
    for (OwnWrite& write : pending_[t.index()]) {
      const std::size_t key = write.key.index();
      const bool is_alone = rules_.one_writer || write.is_on_base;
      if (is_alone && last_commits_[key] > places_.begin(t)) {
        return Error{text_of(t) + " writes a key that another one wrote since it began"};
      }
      last_commits_[key] = places_.commit(t);
      State& state = states_[key];
      state.exists = true;
      if (uses_[key] == KeyUse::reg) state.value = write.value;
      state.tail.insert(state.tail.end(), write.appended.begin(), write.appended.end());
      rows_.set(write.key, write.row());
    }
    pending_[t.index()] = {};
    return Done{};
  }

  static constexpr const char* other_value = "something else was read than is there by this order";
  static constexpr const char* unknown_value = "what the key holds is not known";
  static constexpr const char* selects_more = "by this order the predicate selects a row more";
  static constexpr const char* both_uses = "the key is both appended to and written: not supported";

  const History& history_;
  const Certificate& certificate_;
  const Rules& rules_;
  const bool one_event_;
  EventPlaces places_;
  const std::vector<KeyUse> uses_;
  std::vector<State> states_;                   // by key
  std::vector<std::size_t> last_commits_;       // by key: places
  std::vector<std::vector<OwnWrite>> pending_;  // by transaction, until it commits
  std::vector<std::uint32_t> own_;  // by key, while a transaction runs: its place in pending_ + 1
  Rows rows_;                       // what predicates see of states_
  std::vector<std::uint64_t> listed_by_;  // by key: the last predicate operation, from 1
  std::uint64_t predicate_operations_ = 0;
};

}  // namespace

Status check_moments(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(rules_of(certificate.level).shape == Shape::moments);
  return Replay(history, certificate).run();
}

Status check_order(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(certificate.holds);
  switch (rules_of(certificate.level).shape) {
    case Shape::moments:
      return check_moments(history, certificate);
    case Shape::commits:
      return check_commits(history, certificate);
    case Shape::versions:
      return check_versions(history, certificate);
    case Shape::single_reads:
      return check_single_reads(history, certificate);
    case Shape::dirty:
      return check_dirty_reads(history, certificate);
  }
  return Error{"there is no such level"};
}

}  // namespace isoscope::verifier
