#pragma once  // Part of the API: docs/api.md.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "isoscope/history/history.h"

namespace isoscope {

/// Collects a History, one transaction after the other:
///
///   HistoryBuilder builder;
///   SessionId a = builder.session(builder.values().string("a"));
///   builder.begin_transaction(a);
///   builder.write(builder.key(7), builder.values().integer(1));
///   builder.set_outcome(Outcome::aborted);
///   History history = std::move(builder).finish();
///
/// Transactions of one session must come in session order; sessions may interleave. Operations,
/// outcome and times belong to the transaction begun last. Adding an operation costs a hash look-up
/// or none.
class HistoryBuilder {
 public:
  static constexpr TableId default_table = TableId(0);

  HistoryBuilder();
  /// A builder that is later given to append() of another one, with what follows there. It does not
  /// check whether it has an integer already, because append() must check anyway. So its ids, and
  /// has_transaction(), tell nothing.
  static HistoryBuilder part();

  ValuePool& values() { return history_.values_; }
  const ValuePool& values() const { return history_.values_; }
  /// Makes room for this many operations and values, and for `text` bytes of text in the values.
  void reserve(std::size_t operations, std::size_t values, std::size_t text);

  TableId table(std::string_view name);
  KeyId key(ValueId name, TableId table = default_table);
  KeyId key(std::int64_t name, TableId table = default_table) {
    const std::uint32_t known = integer_keys_[table.index()].at(static_cast<std::uint64_t>(name));
    return known != 0 ? KeyId(known - 1) : find_integer_key(name, table);
  }
  KeyId key(std::string_view name) { return key(values().string(name)); }
  ValueId key_name(KeyId key) const { return history_.keys_[key.index()].name; }
  TableId key_table(KeyId key) const { return history_.keys_[key.index()].table; }
  std::size_t key_count() const { return history_.keys_.size(); }
  /// Equal predicates get equal ids.
  PredicateId predicate(const Predicate& predicate);
  const Predicate& predicate(PredicateId predicate) const {
    return history_.predicates_[predicate.index()];
  }

  /// The session of this name (an integer or a string), made on first use.
  SessionId session(ValueId name);
  /// A new session that finish() will name.
  SessionId add_session();

  /// A text as a transaction's name: "T12", the label of the integer 12, is that integer.
  ValueId transaction_name(std::string_view text);
  /// The integer whose label this is, if there is one.
  static std::optional<std::int64_t> number_in_label(std::string_view text);
  /// Is there a transaction of this name already? Readers ask first and complain with a position.
  bool has_transaction(ValueId name) const;
  /// Without a name, finish() gives it a number.
  TransactionId begin_transaction(SessionId session, std::optional<ValueId> name = std::nullopt);
  /// The same when the file says only later whose it is: set_session() before the next one begins.
  TransactionId begin_transaction();
  void set_session(SessionId session);
  /// A name that no other transaction has.
  void set_name(ValueId name);

  void add(OperationKind kind, KeyId key, ValueId value) {
    history_.operations_.push_back(Operation::item(kind, key, value));
  }
  void read(KeyId key, ValueId value) { add(OperationKind::read, key, value); }
  void write(KeyId key, ValueId value) { add(OperationKind::write, key, value); }
  void insert(KeyId key, ValueId value) { add(OperationKind::insert, key, value); }
  void remove(KeyId key) { add(OperationKind::remove, key, ValuePool::nil); }
  void append(KeyId key, ValueId element) { add(OperationKind::append, key, element); }
  void list_read(KeyId key, ValueId list) { add(OperationKind::list_read, key, list); }
  /// The operations that the update amounts to; where it begins is filled in. Nothing must
  /// contradict it (contradiction_in).
  void update(KeyId key, Update update);
  /// Says that the latest operations are what the update amounts to.
  void note_update(Update update);
  /// A transaction whose operations were collected before it was begun here.
  struct Collected {
    SessionId session;
    std::optional<ValueId> name;
    Outcome outcome = Outcome::committed;
    std::size_t first_operation = 0;
  };
  /// Adds transactions with the operations from its first one up to the next one's. There must be
  /// nothing before them. `operations` becomes the history's own memory.
  void add_collected(std::vector<Operation> operations, std::span<const Collected> transactions);
  /// `kind` is predicate_read or predicate_write; no rows at all (nullopt) means they were not
  /// reported.
  void add_predicate(OperationKind kind, TableId table, PredicateId predicate,
                     std::optional<std::span<const RowVersion>> rows);

  void set_outcome(Outcome outcome);
  /// That of the present transaction.
  Outcome outcome() const { return history_.transactions_.back().outcome; }
  /// Each only if known; an end before the begin is a broken contract (readers check).
  void set_times(std::optional<std::int64_t> begin, std::optional<std::int64_t> end);
  /// The present transaction is committed. A stamp is not the smallest integer.
  void set_commit_stamp(std::int64_t stamp);
  /// The level that the present transaction ran at.
  void set_level(LevelId level);
  /// The level of those of the session's transactions, or of all, that come without one. That of
  /// the session counts first.
  void set_session_level(SessionId session, LevelId level);
  void set_default_level(LevelId level) { default_level_ = level; }

  /// For formats where only the whole file tells what a key holds: reads of nil from the keys that
  /// `holds_lists(KeyId)` says become list reads of the empty list.
  template <class HoldsLists>
  void nil_reads_are_list_reads(const HoldsLists& holds_lists) {
    for (Operation& operation : history_.operations_) {
      if (operation.kind() == OperationKind::read && operation.value() == ValuePool::nil &&
          holds_lists(operation.key())) {
        operation =
            Operation::item(OperationKind::list_read, operation.key(), ValuePool::empty_list);
      }
    }
  }

  /// nullopt: keys have no initial version at all. A new builder has nil.
  void set_initial_default(std::optional<ValueId> value) { history_.initial_default_ = value; }
  /// The last one wins when a key is listed twice.
  void set_initial(KeyId key, ValueId value) { history_.initial_rows_.push_back({key, value}); }
  void set_origin(std::string origin) { history_.origin_ = std::move(origin); }
  void set_time_source(TimeSource source) { history_.time_source_ = source; }
  void set_indeterminate_cuts(bool cuts) { history_.indeterminate_cuts_ = cuts; }

  /// Adds the transactions of a part after those here. Every id comes out as if they had been
  /// built here, for what the part saw first it also has first. Sessions of one name are one
  /// session, unnamed ones are new. The part's origin, initial state and levels of sessions are not
  /// looked at. False when two transactions have the same name: then only some were added.
  [[nodiscard]] bool append(const HistoryBuilder& part);

  std::size_t transaction_count() const { return history_.transactions_.size(); }
  std::size_t operation_count() const { return history_.operations_.size(); }

  History finish() &&;

 private:
  KeyId add_key(ValueId name, TableId table);
  KeyId find_integer_key(std::int64_t name, TableId table);
  void name_the_unnamed();
  void order_sessions();
  void spread_initial_rows();
  void find_bases_of_zero();
  std::optional<ValueId> own_write_before(std::uint32_t at) const;
  void fill_in_levels();

  History history_;
  std::vector<std::uint32_t> table_of_value_;  // by value id; 0, the unnamed one: not seen yet
  std::vector<std::uint32_t> default_key_of_value_;  // key + 1 by value id, for the default table
  std::unordered_map<std::uint64_t, KeyId> other_keys_;
  std::vector<SmallIntegers> integer_keys_;  // a short cut to both, by table: key + 1
  std::unordered_map<std::string, PredicateId> predicate_ids_;
  std::vector<std::uint32_t> session_of_value_;  // session + 1 by value id
  std::vector<bool> transaction_name_taken_;     // by value id
  std::optional<LevelId> default_level_;
  std::unordered_map<std::uint32_t, LevelId> session_levels_;  // by session
};

}  // namespace isoscope
