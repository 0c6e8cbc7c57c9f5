#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/id.h"
#include "isoscope/history/predicate.h"
#include "isoscope/history/update.h"
#include "isoscope/history/value.h"
#include "isoscope/level/level.h"

namespace isoscope {

struct TableTag;
struct KeyTag;
struct SessionTag;
struct TransactionTag;
using TableId = Id<TableTag>;
using KeyId = Id<KeyTag>;
using SessionId = Id<SessionTag>;
using TransactionId = Id<TransactionTag>;

/// What the client knows about a transaction's end.
enum class Outcome : std::uint8_t {
  committed,
  aborted,        ///< certainly took no effect
  indeterminate,  ///< no answer to COMMIT: it may or may not have taken effect
};

/// What begin and end times say.
enum class TimeSource : std::uint8_t {
  clocks,  ///< the clients' clocks, in ns
  lines,   ///< where begin and end stand in the file: only their order means something
};

enum class OperationKind : std::uint8_t {
  read,             ///< of a key; the value seen
  write,            ///< of a key; the value written
  insert,           ///< a write that says the row did not exist before
  remove,           ///< the row exists no longer: a write of nil
  append,           ///< one element to the list at a key
  list_read,        ///< of a key; the whole list seen
  predicate_read,   ///< the rows of a table that a predicate selected
  predicate_write,  ///< UPDATE or DELETE ... WHERE: the rows changed and what they became
};

/// A row of a table as a predicate read returned it, or as a predicate write left it (nil:
/// deleted).
struct RowVersion {
  KeyId key;
  ValueId value;

  bool operator==(const RowVersion&) const = default;
};

/// One operation of a transaction, 8 bytes: what looks at all operations mostly waits for memory.
/// Item operations carry a key and a value; predicate operations name a record of the history
/// (History::predicate_access).
class Operation {
 public:
  /// The kind takes three bits of the key's number.
  static constexpr std::size_t max_keys = std::size_t{1} << 29;

  static Operation item(OperationKind kind, KeyId key, ValueId value) {
    return Operation(kind, key.value, value.value);
  }
  static Operation on_predicate(OperationKind kind, std::size_t access) {
    return Operation(kind, 0, static_cast<std::uint32_t>(access));
  }

  OperationKind kind() const { return static_cast<OperationKind>(key_and_kind_ & 7); }
  bool is_predicate() const { return kind() >= OperationKind::predicate_read; }
  /// Changes the key's value: write, insert, remove or append.
  bool is_item_write() const {
    return kind() == OperationKind::write || kind() == OperationKind::insert ||
           kind() == OperationKind::remove || kind() == OperationKind::append;
  }
  bool is_item_read() const {
    return kind() == OperationKind::read || kind() == OperationKind::list_read;
  }

  KeyId key() const {
    ISOSCOPE_REQUIRE(!is_predicate());
    return KeyId(key_and_kind_ >> 3);
  }
  /// What was read, written or appended; nil for remove.
  ValueId value() const {
    ISOSCOPE_REQUIRE(!is_predicate());
    return ValueId(value_);
  }
  std::size_t access() const {
    ISOSCOPE_REQUIRE(is_predicate());
    return value_;
  }

 private:
  Operation(OperationKind kind, std::uint32_t key, std::uint32_t value)
      : key_and_kind_(key << 3 | static_cast<std::uint32_t>(kind)), value_(value) {}

  std::uint32_t key_and_kind_;
  std::uint32_t value_;
};

/// What a predicate operation did: `rows` are the ones returned or changed. When the client never
/// learned them (`reported` is false), the operation says nothing.
struct PredicateAccess {
  TableId table;
  PredicateId predicate;
  bool reported = true;
  std::span<const RowVersion> rows;
};

/// A recorded run of a database: sessions of transactions of operations, as the clients saw it.
///
/// Abstract content: a set of sessions, each a sequence of transactions; a transaction is a name,
/// an outcome, optionally the client's clock at its begin and end, the database's stamp of its
/// commit and the level it ran at, and a sequence of operations in program order, repeated reads
/// and all; and an initial state that every key starts from. Invariants: (1) transaction names are
/// distinct, and so are session names; (2) keys and values are interned: equal ids, equal things;
/// (3) remove has value nil, a list_read has a list, an append no list; (4) end is not before
/// begin; (5) the operations of an update stand right behind each other in one transaction.
/// Immutable, so any number of threads may read it. Made by a HistoryBuilder. 2 million operations
/// of a hundred thousand transactions take about 30 MB.
class History {
 public:
  std::size_t session_count() const { return session_names_.size(); }
  std::size_t transaction_count() const { return transactions_.size(); }
  std::size_t operation_count() const { return operations_.size(); }
  std::size_t key_count() const { return keys_.size(); }
  std::size_t table_count() const { return tables_.size(); }

  IdRange<SessionTag> sessions() const { return IdRange<SessionTag>(session_count()); }
  IdRange<TransactionTag> transactions() const {
    return IdRange<TransactionTag>(transaction_count());
  }
  IdRange<KeyTag> keys() const { return IdRange<KeyTag>(key_count()); }

  /// The session's transactions, in session order.
  std::span<const TransactionId> session(SessionId session) const {
    return std::span(by_session_)
        .subspan(session_starts_[session.index()],
                 session_starts_[session.index() + 1] - session_starts_[session.index()]);
  }
  ValueId session_name(SessionId session) const { return session_names_[session.index()]; }

  // Transactions are numbered in the order the file had them.
  SessionId session_of(TransactionId t) const { return transactions_[t.index()].session; }
  Outcome outcome(TransactionId t) const { return transactions_[t.index()].outcome; }
  /// An integer or a string; unique in the history.
  ValueId name(TransactionId t) const { return transactions_[t.index()].name; }
  /// For people: "T12" for the integer 12, a string as it is.
  std::string label(TransactionId t) const;
  std::span<const Operation> operations(TransactionId t) const {
    const std::size_t first = transactions_[t.index()].first_operation;
    const std::size_t last = t.index() + 1 < transactions_.size()
                                 ? transactions_[t.index() + 1].first_operation
                                 : operations_.size();
    return std::span(operations_).subspan(first, last - first);
  }
  /// Nanoseconds of the client's clock, where known.
  std::optional<std::int64_t> begin_time(TransactionId t) const { return time_at(begin_times_, t); }
  std::optional<std::int64_t> end_time(TransactionId t) const { return time_at(end_times_, t); }
  bool has_times() const { return !begin_times_.empty() || !end_times_.empty(); }

  /// The database's own stamp of the commit, where known: a larger one is later. Only committed
  /// transactions have stamps.
  std::optional<std::int64_t> commit_stamp(TransactionId t) const { return time_at(stamps_, t); }
  bool has_commit_stamps() const { return !stamps_.empty(); }

  /// The level that the transaction's client asked for, with session order, where known.
  std::optional<LevelId> recorded_level(TransactionId t) const {
    if (t.index() >= levels_.size() || levels_[t.index()] == no_level) return std::nullopt;
    return levels_[t.index()];
  }
  bool has_recorded_levels() const { return !levels_.empty(); }

  // Some operations are what an update amounts to. Updates are sorted by their first operation.
  bool has_updates() const { return !updates_.empty(); }
  std::span<const Update> updates() const { return updates_; }
  std::span<const Update> updates(TransactionId t) const;
  /// The update whose first operation is the transaction's at this place; null if there is none.
  const Update* update_at(TransactionId t, std::size_t place) const {
    return updates_.empty() ? nullptr : find_update(t, place);
  }
  /// The place of its first operation in the transaction, which it belongs to.
  std::uint32_t place_of(const Update& update, TransactionId t) const {
    return update.first_operation - transactions_[t.index()].first_operation;
  }
  /// Whether the operation reads what an update was applied to, and the next one writes the result.
  bool reads_base(TransactionId t, std::size_t place) const {
    const Update* const update = update_at(t, place);
    return update != nullptr && update->is_pair();
  }
  KeyId key_of(const Update& update) const { return operations_[update.first_operation].key(); }

  PredicateAccess predicate_access(const Operation& operation) const;
  const Predicate& predicate(PredicateId predicate) const { return predicates_[predicate.index()]; }

  /// Table 0 is the unnamed one, where keys live unless the file says otherwise.
  std::string_view table_name(TableId table) const { return tables_[table.index()]; }
  TableId key_table(KeyId key) const { return keys_[key.index()].table; }
  /// An integer or a string.
  ValueId key_name(KeyId key) const { return keys_[key.index()].name; }

  const ValuePool& values() const { return values_; }

  /// What the key holds before any transaction: nothing at all (every read needs a writer), or a
  /// value (nil mostly).
  std::optional<ValueId> initial_value(KeyId key) const;
  std::optional<ValueId> initial_default() const { return initial_default_; }
  /// The keys whose initial value was listed; the others have the default.
  std::span<const RowVersion> initial_rows() const { return initial_rows_; }

  /// Free text: where the history comes from.
  const std::string& origin() const { return origin_; }

  TimeSource time_source() const { return time_source_; }
  /// What the recorder says about sessions: whether a transaction of unknown outcome cuts its
  /// session, since its client has reconnected, so that what came before it is not known to come
  /// before what came after it. docs/levels.md has both meanings.
  bool indeterminate_cuts() const { return indeterminate_cuts_; }

  std::size_t memory() const;

 private:
  friend class HistoryBuilder;

  struct Transaction {
    SessionId session;
    ValueId name;
    std::uint32_t first_operation = 0;
    Outcome outcome = Outcome::committed;
  };
  struct Key {
    TableId table;
    ValueId name;
  };
  struct Access {
    TableId table;
    PredicateId predicate;
    std::uint32_t first_row = 0;
    std::uint32_t row_count = 0;
    bool reported = true;
  };

  const Update* find_update(TransactionId t, std::size_t place) const;

  static constexpr std::int64_t no_time = INT64_MIN;
  static constexpr LevelId no_level{0xFF};
  static std::optional<std::int64_t> time_at(const std::vector<std::int64_t>& times,
                                             TransactionId t) {
    if (t.index() >= times.size() || times[t.index()] == no_time) return std::nullopt;
    return times[t.index()];
  }

  std::vector<Transaction> transactions_;
  std::vector<Operation> operations_;
  std::vector<Update> updates_;
  std::vector<std::int64_t> begin_times_;  // as long as the last transaction that has one
  std::vector<std::int64_t> end_times_;
  std::vector<std::int64_t> stamps_;  // of commits, likewise
  std::vector<LevelId> levels_;       // likewise
  std::vector<ValueId> session_names_;
  std::vector<std::uint32_t> session_starts_;
  std::vector<TransactionId> by_session_;
  std::vector<Key> keys_;
  std::vector<std::string> tables_;
  std::vector<Predicate> predicates_;
  std::vector<Access> accesses_;
  std::vector<RowVersion> rows_;
  ValuePool values_;
  std::optional<ValueId> initial_default_;
  std::vector<RowVersion> initial_rows_;
  std::vector<ValueId>
      initial_by_key_;  // filled when rows are listed; unreported stands for "none"
  std::string origin_;
  TimeSource time_source_ = TimeSource::clocks;
  bool indeterminate_cuts_ = true;
};

std::string_view name_of(Outcome outcome);
std::string_view name_of(OperationKind kind);

}  // namespace isoscope
