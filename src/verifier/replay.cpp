#include "verifier/replay.h"

#include <algorithm>
#include <set>
#include <string>

#include "isoscope/base/contract.h"
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

  /// What predicates see.
  ValueId row() const { return appended.empty() ? value : ValuePool::empty_list; }
};

/// Runs the operations of the history in the order of the certificate's events.
class Replay {
 public:
  Replay(const History& history, const Certificate& certificate)
      : history_(history),
        certificate_(certificate),
        one_event_(has_one_event(certificate.level.id)),
        writers_conflict_(do_writers_conflict(certificate.level.id)),
        rows_may_be_old_(may_rows_be_old(certificate.level.id)),
        uses_(key_uses(history)),
        rows_(history) {}

  Status run() {
    ISOSCOPE_TRY_STATUS(choose_transactions());
    ISOSCOPE_TRY_STATUS(place_events());
    if (certificate_.level.session_order) ISOSCOPE_TRY_STATUS(check_sessions());
    if (entry_of(certificate_.level.id).kind == LevelKind::real_time) {
      ISOSCOPE_TRY_STATUS(check_times());
    }
    set_initial_states();
    for (const Event event : certificate_.order) {
      const TransactionId t(event.transaction - 1);
      if (one_event_ || !event.is_commit) ISOSCOPE_TRY_STATUS(execute(t));
      if (event.is_commit) ISOSCOPE_TRY_STATUS(commit(t));
    }
    return Done{};
  }

 private:
  static std::string text_of(Event event) {
    return (event.is_commit ? "c" : "b") + std::to_string(event.transaction);
  }
  static std::string text_of(TransactionId t) {
    return "transaction " + std::to_string(number_of(t));
  }

  Status choose_transactions() {
    for (const TransactionId t : history_.transactions()) {
      taken_.push_back(history_.outcome(t) == Outcome::committed);
    }
    std::uint32_t last = 0;
    for (const std::uint32_t t : certificate_.committed) {
      if (t <= last) return Error{"the transactions taken as committed are not ascending"};
      if (t > taken_.size() || history_.outcome(TransactionId(t - 1)) != Outcome::indeterminate) {
        return Error{"transaction " + std::to_string(t) + " is not indeterminate"};
      }
      taken_[t - 1] = true;
      last = t;
    }
    return Done{};
  }

  /// Every event of the chosen transactions is there once.
  Status place_events() {
    begins_.assign(taken_.size(), 0);
    commits_.assign(taken_.size(), 0);
    std::size_t place = 0;
    for (const Event event : certificate_.order) {
      if (event.transaction == 0 || event.transaction > taken_.size() ||
          !taken_[event.transaction - 1] || event.is_version() ||
          (one_event_ && !event.is_commit)) {
        return Error{"event " + text_of(event) + " does not belong to the order"};
      }
      std::size_t& its = (event.is_commit ? commits_ : begins_)[event.transaction - 1];
      if (its != 0) return Error{"event " + text_of(event) + " is there twice"};
      its = ++place;
    }
    if (one_event_) begins_ = commits_;
    for (const TransactionId t : history_.transactions()) {
      if (!taken_[t.index()]) continue;
      if (begins_[t.index()] == 0 || commits_[t.index()] == 0) {
        return Error{text_of(t) + " is missing in the order"};
      }
      if (begins_[t.index()] > commits_[t.index()]) {
        return Error{text_of(t) + " commits before it begins"};
      }
    }
    return Done{};
  }

  Status require_before(TransactionId first, TransactionId second, const char* why) const {
    ISOSCOPE_REQUIRE(commits_[first.index()] != 0 && begins_[second.index()] != 0);
    if (commits_[first.index()] < begins_[second.index()]) return Done{};
    return Error{text_of(second) + " must come after " + std::to_string(number_of(first)) + why};
  }

  Status check_sessions() const {
    for (const SessionId session : history_.sessions()) {
      std::optional<TransactionId> before;
      for (const TransactionId t : history_.session(session)) {
        if (taken_[t.index()] && before) {
          ISOSCOPE_TRY_STATUS(require_before(*before, t, " of its session"));
        }
        // Nothing is known to come after a transaction of unknown outcome.
        if (history_.outcome(t) == Outcome::committed) before = t;
        if (history_.outcome(t) == Outcome::indeterminate && certificate_.indeterminate_cuts) {
          before.reset();
        }
      }
    }
    return Done{};
  }

  /// It is enough to compare a transaction with one of those that ended before it began: the last
  /// of them in the order.
  Status check_times() const {
    std::vector<TransactionId> ended;
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) == Outcome::committed && history_.end_time(t)) ended.push_back(t);
    }
    std::ranges::sort(ended, {}, [&](TransactionId t) { return *history_.end_time(t); });
    std::vector<TransactionId> last = ended;
    for (std::size_t i = 1; i < last.size(); ++i) {
      if (commits_[last[i].index()] < commits_[last[i - 1].index()]) last[i] = last[i - 1];
    }
    for (const TransactionId t : history_.transactions()) {
      const auto begin = history_.begin_time(t);
      if (!taken_[t.index()] || !begin) continue;
      __extension__ using Wide = __int128;
      const auto first_later = std::ranges::partition_point(ended, [&](TransactionId other) {
        return Wide{*history_.end_time(other)} + certificate_.clock_skew < Wide{*begin};
      });
      if (first_later == ended.begin()) continue;
      const TransactionId latest = last[static_cast<std::size_t>(first_later - ended.begin()) - 1];
      ISOSCOPE_TRY_STATUS(require_before(latest, t, ", which had ended when it began"));
    }
    return Done{};
  }

  void set_initial_states() {
    states_.resize(history_.key_count());
    past_rows_.resize(rows_may_be_old_ ? history_.key_count() : 0);
    for (const KeyId key : history_.keys()) {
      const auto initial = history_.initial_value(key);
      const bool is_list = uses_[key.index()] == KeyUse::list;
      const ValueId value = initial.value_or(ValuePool::nil);
      states_[key.index()] = {initial.has_value(),
                              is_list ? list_value(history_, key, value) : register_value(value)};
      rows_.set(key, row_of(history_, key, uses_[key.index()], initial));
      if (rows_may_be_old_) past_rows_[key.index()] = {rows_.at(key)};
    }
    listed_by_.assign(history_.key_count(), 0);
    last_commits_.assign(history_.key_count(), 0);
    own_.assign(history_.key_count(), 0);
    pending_.resize(history_.transaction_count());
  }

  /// Runs all operations of a transaction at once, on the state of this moment.
  Status execute(TransactionId t) {
    std::vector<OwnWrite>& writes = pending_[t.index()];
    ISOSCOPE_REQUIRE(writes.empty() && begins_[t.index()] != 0);
    Status result = Done{};
    const std::span<const Operation> operations = history_.operations(t);
    for (std::size_t i = 0; i < operations.size() && result; ++i) {
      if (const char* problem = execute(operations[i], writes)) {
        result = Error{text_of(t) + ", operation " + std::to_string(i + 1) + ": " + problem};
      }
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
      if (!is_read && could_be(key, predicate, true)) continue;
      if (row(key) == ValuePool::unreported) return unknown_value;
      if (const char* problem = is_read ? read(key, value, writes) : nullptr) return problem;
      if (!selects(history_, predicate, key, row(key)))
        return "the predicate does not select a row";
    }
    const auto is_other = [&](KeyId key) {
      return listed_by_[key.index()] < predicate_operations_;
    };
    auto more = rows_.find(access.table, predicate, [&](KeyId key) {
      return own_[key.index()] == 0 && is_other(key) && !could_be(key, predicate, false);
    });
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

  /// At repeatable read, what a predicate says of a row that it does not return need not be so at
  /// this moment: is it enough that the row, which the transaction has not written, was once like
  /// that?
  bool could_be(KeyId key, const Predicate& predicate, bool selected) const {
    if (!rows_may_be_old_ || own_[key.index()] != 0) return false;
    return std::ranges::any_of(past_rows_[key.index()], [&](ValueId row) {
      return row != ValuePool::unreported && selects(history_, predicate, key, row) == selected;
    });
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
    ISOSCOPE_REQUIRE(begins_[t.index()] != 0 && begins_[t.index()] <= commits_[t.index()]);
    for (OwnWrite& write : pending_[t.index()]) {
      const std::size_t key = write.key.index();
      if (writers_conflict_ && last_commits_[key] > begins_[t.index()]) {
        return Error{text_of(t) + " writes a key that another one wrote since it began"};
      }
      last_commits_[key] = commits_[t.index()];
      State& state = states_[key];
      state.exists = true;
      if (uses_[key] == KeyUse::reg) state.value = write.value;
      state.tail.insert(state.tail.end(), write.appended.begin(), write.appended.end());
      rows_.set(write.key, write.row());
      if (rows_may_be_old_) past_rows_[key].insert(write.row());
    }
    pending_[t.index()] = {};
    return Done{};
  }

  static constexpr const char* other_value = "something else was read than is there by this order";
  static constexpr const char* unknown_value = "what the key holds is not known";
  static constexpr const char* selects_more = "by this order the predicate selects a row more";
  static constexpr const char* both_uses =
      "the key is both appended to and written: not supported by version 1";

  const History& history_;
  const Certificate& certificate_;
  const bool one_event_;
  const bool writers_conflict_;
  const bool rows_may_be_old_;
  const std::vector<KeyUse> uses_;
  std::vector<bool> taken_;                     // by transaction
  std::vector<std::size_t> begins_;             // by transaction: places in the order, from 1
  std::vector<std::size_t> commits_;            // the same; with one event the same places
  std::vector<State> states_;                   // by key
  std::vector<std::size_t> last_commits_;       // by key: places
  std::vector<std::vector<OwnWrite>> pending_;  // by transaction, until it commits
  std::vector<std::uint32_t> own_;  // by key, while a transaction runs: its place in pending_ + 1
  Rows rows_;                       // what predicates see of states_
  std::vector<std::set<ValueId>> past_rows_;  // by key, with the present one; if rows may be old
  std::vector<std::uint64_t> listed_by_;      // by key: the last predicate operation, from 1
  std::uint64_t predicate_operations_ = 0;
};

}  // namespace

Status check_order(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(certificate.holds);
  return Replay(history, certificate).run();
}

}  // namespace isoscope::verifier
