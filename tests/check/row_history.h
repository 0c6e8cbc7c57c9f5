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

/// What histories of tables have in them.
struct RowFeatures {
  int least_transactions = 3;
  int most_transactions = 6;
  int operations = 3;            ///< at most, of a transaction
  int predicate_percent = 50;    ///< of the operations
  int read_percent = 50;         ///< of each kind
  int changed_percent = 20;      ///< rows that are seen as they are at another time
  int distinct = 3;              ///< what a column may hold
  int doubtful_percent = 10;     ///< transactions that are indeterminate or aborted
  int lag = 3;                   ///< a snapshot is behind by fewer commits
  int jitter = 30;               ///< of times; commits are 10 apart
  int grain = 5;                 ///< times are multiples of it, so ties are common
  bool extreme_times = false;    ///< the ends of what clocks can show instead
  int own_session_percent = 40;  ///< histories that have a session for each transaction
  bool lists = false;            ///< the last key is a list, whatever it is at first
};

/// Runs of a store of one or two tables with three to five rows of the columns a and b, which are
/// integers, strings or NULL, or not there; some rows are no rows but single values. Predicates of
/// every kind read and write them, beside reads, writes, inserts and deletes of one row.
///
/// The transactions are written first, without answers. They run one after the other, each on a
/// snapshot that may be old; this tells which versions there are. Then they run again, and see some
/// rows in any of these versions: the answers are those of a store that mixes snapshots up, and
/// still fit each other inside a transaction, or they would be too easy to refute.
class RowHistory {
 public:
  RowHistory(Random& random, const RowFeatures& features) : random_(random), f_(features) {}

  History make() && {
    choose_tables();
    choose_initial();
    const int count =
        f_.least_transactions + number(f_.most_transactions - f_.least_transactions + 1);
    for (int i = 0; i < count; ++i) scripts_.push_back(script(i));
    run_on_snapshots();
    record();
    return std::move(builder_).finish();
  }

 private:
  using Rows = std::vector<ValueId>;  // by key; nil: there is none
  struct Request {
    OperationKind kind;
    std::size_t key = 0;
    TableId table = HistoryBuilder::default_table;
    std::optional<Predicate> predicate = {};
    Rows becomes = {};  // by key: what a write makes of it
  };
  struct Script {
    std::vector<Request> requests;
    Outcome outcome = Outcome::committed;
    Rows view = {};
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool chance(int percent) { return random_.chance(static_cast<unsigned>(percent)); }
  std::size_t any_key() { return random_.below(keys_.size()); }
  bool is_list(std::size_t key) const { return f_.lists && key + 1 == keys_.size(); }

  void choose_tables() {
    tables_ = {HistoryBuilder::default_table};
    if (chance(40)) tables_.push_back(builder_.table("t"));
    const bool named = chance(30);
    const int count = 3 + number(3);
    for (int i = 0; i < count; ++i) {
      const TableId table = tables_[random_.below(tables_.size())];
      keys_.push_back(named ? builder_.key(builder_.values().string(text(i)), table)
                            : builder_.key(i, table));
    }
  }

  static std::string text(int which) {
    constexpr const char* texts[] = {"a", "ab", "abc", "b", "", "z"};
    return texts[which % 6];
  }
  std::int64_t any_integer() { return number(f_.distinct + 1) - 1; }
  Constant constant() {
    if (chance(3)) return {};
    if (chance(25)) return text(number(f_.distinct));
    return any_integer();
  }

  ValueId scalar() {
    ValuePool& values = builder_.values();
    if (chance(25)) return values.string(text(number(f_.distinct)));
    return values.integer(any_integer());
  }
  ValueId row() {
    ValuePool& values = builder_.values();
    if (chance(5)) return scalar();
    std::vector<Column> columns;
    for (const char* name : {"a", "b"}) {
      if (chance(5)) continue;
      columns.push_back({values.string(name), chance(10) ? ValuePool::nil : scalar()});
    }
    return values.row(columns);
  }
  ValueId row_or_none(int none_percent) { return chance(none_percent) ? ValuePool::nil : row(); }

  void choose_initial() {
    const int kind = number(10);
    std::optional<ValueId> all = ValuePool::nil;
    if (kind < 2) all = std::nullopt;
    if (kind == 2) all = row();
    builder_.set_initial_default(all);
    initial_.assign(keys_.size(), all.value_or(ValuePool::nil));
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      if (!chance(50)) continue;
      initial_[key] = row();
      builder_.set_initial(keys_[key], initial_[key]);
    }
    if (f_.lists) initial_.back() = ValuePool::nil;  // the empty list
  }

  Predicate condition(int depth) {
    using Kind = Predicate::Kind;
    Predicate p;
    if (depth > 0 && chance(35)) {
      p.kind = chance(33) ? Kind::negation : chance(50) ? Kind::conjunction : Kind::disjunction;
      const int parts = p.kind == Kind::negation ? 1 : number(10) == 0 ? 0 : 1 + number(3);
      for (int i = 0; i < parts; ++i) p.children.push_back(condition(depth - 1));
      return p;
    }
    p.kind = static_cast<Kind>(number(static_cast<int>(Kind::modulo) + 1));
    if (p.kind == Kind::always) return p;
    constexpr const char* operands[] = {"a", "b", "a", "b", "a", "b", "@key", "@value", "c"};
    p.operand = operands[number(9)];
    switch (p.kind) {
      case Kind::is_null:
        break;
      case Kind::between:
        p.constants = {constant(), constant()};
        break;
      case Kind::in:
        for (int left = number(4); left > 0; --left) p.constants.push_back(constant());
        break;
      case Kind::prefix:
        p.constants = {text(number(f_.distinct))};
        break;
      case Kind::modulo:
        p.constants = {std::int64_t{2 + number(2)}, std::int64_t{number(2)}};
        break;
      default:
        p.constants = {constant()};
    }
    return p;
  }

  Request request() {
    const bool reads = chance(f_.read_percent);
    Request r{reads ? OperationKind::read : OperationKind::write};
    r.key = any_key();
    if (chance(f_.predicate_percent)) {
      r.kind = reads ? OperationKind::predicate_read : OperationKind::predicate_write;
      r.table = tables_[random_.below(tables_.size())];
      r.predicate = condition(2);
      // A transaction that writes a list makes it undefined.
      if (!reads && f_.lists) r.predicate = without_list(*std::move(r.predicate));
    } else if (is_list(r.key)) {
      r.kind = reads ? OperationKind::list_read : OperationKind::append;
    } else if (!reads && chance(35)) {
      r.kind = chance(50) ? OperationKind::insert : OperationKind::remove;
    }
    if (reads) return r;
    const int deleted_percent = !r.predicate ? 5 : chance(30) ? 100 : 10;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      r.becomes.push_back(row_or_none(r.kind == OperationKind::remove ? 100 : deleted_percent));
    }
    return r;
  }

  Predicate without_list(Predicate condition) {
    using Kind = Predicate::Kind;
    const ValuePool& values = builder_.values();
    const ValueId name = builder_.key_name(keys_.back());
    const Constant constant = values.kind(name) == ValueKind::integer
                                  ? Constant(values.integer_of(name))
                                  : Constant(std::string(values.string_of(name)));
    Predicate other{Kind::not_equal, Predicate::key_operand, {constant}, {}};
    return {Kind::conjunction, {}, {}, {std::move(other), std::move(condition)}};
  }

  Script script(int place) {
    Script s;
    for (int left = 1 + number(f_.operations); left > 0; --left) s.requests.push_back(request());
    if (chance(f_.doubtful_percent)) {
      s.outcome = chance(50) ? Outcome::aborted : Outcome::indeterminate;
    }
    const auto near = [&] { return (10 * place + number(f_.jitter)) / f_.grain * f_.grain; };
    s.begin = near();
    s.end = std::max<std::int64_t>(s.begin, near());
    return s;
  }

  bool selects(const Request& r, std::size_t key, ValueId value) {
    return builder_.key_table(keys_[key]) == r.table &&
           evaluate(*r.predicate, builder_.values(), builder_.key_name(keys_[key]), value) ==
               Truth::yes;
  }

  /// What a write makes of the row.
  ValueId after(const Request& r, std::size_t key, ValueId row) {
    if (r.kind != OperationKind::append) return r.becomes[key];
    return builder_.values().list_with(row == ValuePool::nil ? ValuePool::empty_list : row,
                                       r.becomes[key]);
  }

  /// What the request does to the rows, and which it saw or changed.
  std::vector<RowVersion> perform(const Request& r, Rows& rows) {
    std::vector<RowVersion> listed;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      const bool is_its = r.predicate ? selects(r, key, rows[key]) : key == r.key;
      if (!is_its) continue;
      if (!r.becomes.empty()) rows[key] = after(r, key, rows[key]);
      listed.push_back({keys_[key], rows[key]});
    }
    return listed;
  }

  void run_on_snapshots() {
    std::vector<Rows> states = {initial_};
    versions_.assign(keys_.size(), {});
    for (std::size_t key = 0; key < keys_.size(); ++key) versions_[key] = {initial_[key]};
    const int lag = 1 + number(f_.lag);
    for (Script& s : scripts_) {
      const auto behind = static_cast<std::size_t>(number(lag));
      s.view = states[states.size() - 1 - std::min(behind, states.size() - 1)];
      Rows seen = s.view;
      Rows latest = states.back();
      for (const Request& r : s.requests) {
        for (const RowVersion& its : perform(r, seen)) {
          if (r.becomes.empty()) continue;
          const auto key = static_cast<std::size_t>(its.key.index());
          latest[key] = r.kind == OperationKind::append ? after(r, key, latest[key]) : its.value;
          versions_[key].push_back(latest[key]);
        }
      }
      if (s.outcome == Outcome::committed || chance(50)) states.push_back(latest);
    }
  }

  void record() {
    const std::size_t count = scripts_.size();
    const bool own_sessions = chance(f_.own_session_percent);
    const std::size_t session_count = own_sessions ? count : 1 + random_.below(count);
    std::vector<SessionId> sessions;
    for (std::size_t i = 0; i < session_count; ++i) sessions.push_back(builder_.add_session());
    std::vector<std::size_t> listed(count);
    std::iota(listed.begin(), listed.end(), std::size_t{0});
    for (std::size_t i = count; own_sessions && i > 1; --i) {
      std::swap(listed[i - 1], listed[random_.below(i)]);
    }
    const bool timed = chance(90);
    for (const std::size_t i : listed) {
      builder_.begin_transaction(sessions[own_sessions ? i : random_.below(session_count)]);
      const Script& s = scripts_[i];
      builder_.set_outcome(s.outcome);
      builder_.set_times(time(timed, s.begin), time(timed, s.end));
      record(s);
    }
  }

  std::optional<std::int64_t> time(bool timed, std::int64_t at) {
    if (!timed || chance(10)) return std::nullopt;
    constexpr std::int64_t extremes[] = {-INT64_MAX, -INT64_MAX + 1, -INT64_MAX / 2, -1,       0,
                                         1,          INT64_MAX / 2,  INT64_MAX - 1,  INT64_MAX};
    return f_.extreme_times ? extremes[std::min<std::int64_t>(at / 8, 8)] : at;
  }

  void record(const Script& s) {
    Rows seen = s.view;
    std::vector<bool> own(keys_.size());
    const auto change = [&](int percent) {
      for (std::size_t key = 0; key < keys_.size(); ++key) {
        if (own[key] || !chance(percent)) continue;
        seen[key] = versions_[key][random_.below(versions_[key].size())];
      }
    };
    change(f_.changed_percent);
    for (const Request& r : s.requests) {
      change(1);
      const std::vector<RowVersion> rows = perform(r, seen);
      if (r.predicate) {
        builder_.add_predicate(r.kind, r.table, builder_.predicate(*r.predicate), rows);
      } else if (r.kind == OperationKind::append) {
        builder_.append(rows[0].key, r.becomes[r.key]);
      } else if (r.kind == OperationKind::list_read) {
        const bool is_empty = rows[0].value == ValuePool::nil;
        builder_.list_read(rows[0].key, is_empty ? ValuePool::empty_list : rows[0].value);
      } else {
        // A write of nil is a delete.
        const bool deletes = !r.becomes.empty() && rows[0].value == ValuePool::nil;
        builder_.add(deletes ? OperationKind::remove : r.kind, rows[0].key, rows[0].value);
      }
      if (r.becomes.empty()) continue;
      for (const RowVersion& row : rows) own[row.key.index()] = true;
    }
  }

  Random& random_;
  const RowFeatures& f_;
  HistoryBuilder builder_;
  std::vector<TableId> tables_;
  std::vector<KeyId> keys_;
  Rows initial_;
  std::vector<Script> scripts_;  // by commit
  std::vector<Rows> versions_;   // by key: everything it ever held
};

inline History row_history(Random& random, const RowFeatures& features) {
  return RowHistory(random, features).make();
}

}  // namespace isoscope::test
