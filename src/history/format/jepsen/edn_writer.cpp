#include <algorithm>
#include <unordered_set>

#include "history/format/jepsen/edn_spelling.h"
#include "history/format/jepsen/formats.h"
#include "history/format/jepsen/invocation_order.h"
#include "history/format/jepsen/term.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/statistics.h"

namespace isoscope::format {

namespace {

enum class Line : std::uint8_t { invoke, completion };

/// Writes a history as Jepsen would have logged it: two lines for a transaction, the completions in
/// the order of the history. Two members are ours, for what Jepsen has no place for; Elle passes
/// over them. They are the transaction's name where it is not its completion's :index, and the
/// session's where it is not the process.
class EdnWriter {
 public:
  EdnWriter(const History& history, ByteSink& sink)
      : history_(history), values_(history.values()), sink_(sink) {}

  Status write();

 private:
  enum class KeyUse : std::uint8_t { unknown, list, plain };

  // What must be known of the whole history before the first line.
  Status look_at_keys();
  Status use(TransactionId t, KeyId key, KeyUse use);
  Status use_rows(TransactionId t, std::span<const RowVersion> rows);
  Status look_at_initial_state();
  Status look_at_sessions();

  void write_origin();
  Status write_initial_state();
  Status write_line(TransactionId t, Line line);
  /// An :index may leave a gap, so a name that comes in ascending order can be the :index.
  void skip_to_index(ValueId name);
  Status write_operation(TransactionId t, const Operation& operation, Line line);
  Status write_predicate(TransactionId t, const Predicate& predicate);
  Status write_predicate_read(TransactionId t, const Operation& operation, Line line);
  Status write_value(TransactionId t, ValueId value);
  void write_end_of_line() { text_ += "}\n"; }
  Status flush(std::size_t more_than);

  /// False if EDN (as we read it) has no way to write it.
  bool append_scalar(ValueId value);
  /// A session's or transaction's name: a string is never a keyword.
  void append_name(ValueId name);
  bool append_key(std::string& to, KeyId key) const;
  std::int64_t unused_process();

  Error cannot_hold(const std::string& what) const { return Error{"EDN cannot hold " + what}; }
  Error cannot_hold(TransactionId t, const std::string& what) const {
    return cannot_hold(what + " (transaction " + history_.label(t) + ")");
  }
  Error cannot_hold_string(TransactionId t, std::string_view text) const {
    return cannot_hold(
        t, "the string " + quoted_for_message(text) + ", which starts like a keyword and is none");
  }
  std::string key_for_message(KeyId key) const {
    const ValueId name = history_.key_name(key);
    if (values_.kind(name) == ValueKind::integer)
      return "key " + std::to_string(values_.integer_of(name));
    return "key " + quoted_for_message(values_.string_of(name));
  }

  const History& history_;
  const ValuePool& values_;
  ByteSink& sink_;
  std::string text_;

  std::vector<std::string> keys_;  // as they are written
  std::vector<KeyUse> uses_;
  std::vector<RowVersion> initial_;  // what :init lists
  bool lists_seen_ = false;
  struct Session {
    std::int64_t process = 0;
    bool is_process = true;  // the session's name is the process, and needs no mention
  };
  std::vector<Session> sessions_;
  std::unordered_set<std::int64_t> processes_;
  std::int64_t next_process_ = 0;
  std::int64_t next_index_ = 0;
};

Status EdnWriter::use(TransactionId t, KeyId key, KeyUse use) {
  if (history_.key_table(key) != HistoryBuilder::default_table) {
    return cannot_hold(
        t, "tables, such as " + std::string(history_.table_name(history_.key_table(key))));
  }
  std::string& text = keys_[key.index()];
  if (text.empty() && !append_key(text, key)) {
    return cannot_hold(
        t, key_for_message(key) + ", which starts like a keyword or a collection and is none");
  }
  KeyUse& known = uses_[key.index()];
  if (known == KeyUse::unknown) known = use;
  if (use == KeyUse::list) lists_seen_ = true;
  if (use != KeyUse::unknown && known != use) {
    return cannot_hold(t, "both lists and plain values at " + key_for_message(key));
  }
  return Done{};
}

Status EdnWriter::use_rows(TransactionId t, std::span<const RowVersion> rows) {
  std::vector<KeyId> keys;
  for (const RowVersion& row : rows) {
    ISOSCOPE_TRY_STATUS(use(t, row.key, KeyUse::plain));
    keys.push_back(row.key);
  }
  std::ranges::sort(keys);
  if (std::ranges::adjacent_find(keys) == keys.end()) return Done{};
  return cannot_hold(t, "a predicate read that returned a row twice");
}

Status EdnWriter::look_at_keys() {
  keys_.resize(history_.key_count());
  uses_.resize(history_.key_count(), KeyUse::unknown);
  for (const TransactionId t : history_.transactions()) {
    for (const Operation& operation : history_.operations(t)) {
      if (operation.kind() == OperationKind::predicate_write)
        return cannot_hold(t, "predicate writes");
      if (operation.kind() == OperationKind::predicate_read) {
        const PredicateAccess access = history_.predicate_access(operation);
        if (access.table != HistoryBuilder::default_table) {
          return cannot_hold(t,
                             "tables, such as " + std::string(history_.table_name(access.table)));
        }
        ISOSCOPE_TRY_STATUS(use_rows(t, access.rows));
        continue;
      }
      const bool list =
          operation.kind() == OperationKind::append || operation.kind() == OperationKind::list_read;
      const bool nothing =
          operation.kind() == OperationKind::read &&
          (operation.value() == ValuePool::nil || operation.value() == ValuePool::unreported);
      ISOSCOPE_TRY_STATUS(use(t, operation.key(),
                              nothing ? KeyUse::unknown
                              : list  ? KeyUse::list
                                      : KeyUse::plain));
    }
  }
  return Done{};
}

Status EdnWriter::look_at_initial_state() {
  if (!history_.initial_default()) return cannot_hold("a history without an initial state");
  const bool every_key = *history_.initial_default() != ValuePool::nil;
  std::vector<bool> listed(history_.key_count(), every_key);
  for (const RowVersion& row : history_.initial_rows()) listed[row.key.index()] = true;
  for (const KeyId key : history_.keys()) {
    if (!listed[key.index()]) continue;
    const ValueId value = *history_.initial_value(key);
    if (uses_[key.index()] == KeyUse::list && value == ValuePool::nil) continue;
    if (uses_[key.index()] == KeyUse::list || !values_.is_scalar(value)) {
      return cannot_hold("the initial value of " + key_for_message(key) +
                         ", which is a list or a row");
    }
    if (history_.key_table(key) != HistoryBuilder::default_table) return cannot_hold("tables");
    std::string& text = keys_[key.index()];
    if (text.empty() && !append_key(text, key)) {
      return cannot_hold(key_for_message(key) +
                         ", which starts like a keyword or a collection and is none");
    }
    uses_[key.index()] = KeyUse::plain;
    initial_.push_back({key, value});
  }
  return Done{};
}

Status EdnWriter::look_at_sessions() {
  for (const SessionId session : history_.sessions()) {
    const ValueId name = history_.session_name(session);
    if (values_.kind(name) == ValueKind::integer) processes_.insert(values_.integer_of(name));
  }
  for (const SessionId session : history_.sessions()) {
    if (history_.session(session).empty()) {
      return cannot_hold("session " + std::to_string(session.index() + 1) +
                         ", which has no transactions");
    }
    const ValueId name = history_.session_name(session);
    if (values_.kind(name) == ValueKind::integer) {
      sessions_.push_back({values_.integer_of(name), true});
    } else {
      sessions_.push_back({unused_process(), false});
    }
  }
  return Done{};
}

std::int64_t EdnWriter::unused_process() {
  while (!processes_.insert(next_process_).second) ++next_process_;
  return next_process_;
}

Status EdnWriter::write() {
  ISOSCOPE_TRY_STATUS(look_at_keys());
  ISOSCOPE_TRY_STATUS(look_at_initial_state());
  ISOSCOPE_TRY_STATUS(look_at_sessions());
  if (!history_.indeterminate_cuts() && cut_neighbours(history_) != 0) {
    return cannot_hold("sessions that go on across transactions of unknown outcome");
  }
  for (const TransactionId t : history_.transactions()) {
    if (history_.commit_stamp(t)) return cannot_hold(t, "stamps of commits");
  }
  write_origin();
  if (history_.transaction_count() == 0) {
    if (!initial_.empty()) return cannot_hold("an initial state without transactions");
    text_ += "()\n";
    return flush(0);
  }
  ISOSCOPE_TRY_STATUS(write_initial_state());
  const std::vector<Invocation> invoked = order_invocations(history_);
  auto next = invoked.begin();
  for (const TransactionId t : history_.transactions()) {
    for (; next != invoked.end() && next->before == t.index(); ++next) {
      ISOSCOPE_TRY_STATUS(write_line(next->transaction, Line::invoke));
    }
    ISOSCOPE_TRY_STATUS(write_line(t, Line::completion));
    ISOSCOPE_TRY_STATUS(flush(65536));
    if (history_.outcome(t) == Outcome::indeterminate) {
      // A process that never got its answer is not used again: the session goes on under another
      // number.
      sessions_[history_.session_of(t).index()] = {unused_process(), false};
    }
  }
  return flush(0);
}

Status EdnWriter::flush(std::size_t more_than) {
  if (text_.size() <= more_than) return Done{};
  ISOSCOPE_TRY_STATUS(sink_.write(text_));
  text_.clear();
  return Done{};
}

void EdnWriter::write_origin() {
  if (history_.origin().empty()) return;
  text_ += "; ";
  for (const char c : history_.origin()) {
    if (c == '\n') {
      text_ += "\n; ";
    } else {
      text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  text_ += '\n';
}

Status EdnWriter::write_initial_state() {
  if (initial_.empty()) return Done{};
  std::string map = "{";
  map.swap(text_);
  for (const RowVersion& row : initial_) {
    if (text_.size() > 1) text_ += ", ";
    (text_ += keys_[row.key.index()]) += ' ';
    if (!append_scalar(row.value))
      return cannot_hold("the initial value of " + key_for_message(row.key));
  }
  map.swap(text_);
  map += '}';
  const std::int64_t process = sessions_.empty() ? 0 : sessions_.front().process;
  for (const std::string_view type : {"invoke", "ok"}) {
    ((text_ += "{:type :") += type) += ", :f :init, :value ";
    (text_ += map) += ", :process ";
    append_integer(text_, process);
    text_ += ", :index ";
    append_integer(text_, next_index_++);
    write_end_of_line();
  }
  return Done{};
}

Status EdnWriter::write_line(TransactionId t, Line line) {
  const Outcome outcome = history_.outcome(t);
  const bool invoke = line == Line::invoke;
  text_ += "{:type :";
  text_ += invoke                          ? "invoke"
           : outcome == Outcome::committed ? "ok"
           : outcome == Outcome::aborted   ? "fail"
                                           : "info";
  text_ += ", :f :txn, :value [";
  bool first = true;
  for (const Operation& operation : history_.operations(t)) {
    if (!first) text_ += ' ';
    first = false;
    ISOSCOPE_TRY_STATUS(write_operation(t, operation, line));
  }
  text_ += "], :process ";
  const Session& session = sessions_[history_.session_of(t).index()];
  append_integer(text_, session.process);
  if (const std::optional<std::int64_t> time =
          invoke ? history_.begin_time(t) : history_.end_time(t)) {
    if (*time == -1) return cannot_hold(t, "the time -1, which stands for no time");
    if (!invoke && outcome == Outcome::indeterminate)
      return cannot_hold(t, "the end time of an indeterminate transaction");
    text_ += ", :time ";
    append_integer(text_, *time);
  }
  text_ += ", :index ";
  const ValueId name = history_.name(t);
  if (!invoke) skip_to_index(name);
  append_integer(text_, next_index_);
  if (!session.is_process) {
    text_ += ", :isoscope/session ";
    append_name(history_.session_name(history_.session_of(t)));
  }
  const bool is_named =
      values_.kind(name) == ValueKind::integer && values_.integer_of(name) == next_index_;
  if (!invoke && !is_named) {
    text_ += ", :isoscope/name ";
    append_name(name);
  }
  ++next_index_;
  write_end_of_line();
  return Done{};
}

void EdnWriter::skip_to_index(ValueId name) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  if (values_.kind(name) != ValueKind::integer || values_.integer_of(name) > largest) return;
  next_index_ = std::max(next_index_, values_.integer_of(name));
}

Status EdnWriter::write_operation(TransactionId t, const Operation& operation, Line line) {
  if (operation.is_predicate()) return write_predicate_read(t, operation, line);
  const std::string& key = keys_[operation.key().index()];
  const bool committed = history_.outcome(t) == Outcome::committed;
  switch (operation.kind()) {
    case OperationKind::append:
      text_ += "[:append ";
      break;
    case OperationKind::write:
      text_ += "[:w ";
      break;
    case OperationKind::insert:
      text_ += "[:insert ";
      break;
    case OperationKind::remove:
      ((text_ += "[:delete ") += key) += ']';
      return Done{};
    default:
      text_ += "[:r ";
      break;
  }
  (text_ += key) += ' ';
  if (!operation.is_item_read()) {
    ISOSCOPE_TRY_STATUS(write_value(t, operation.value()));
  } else if (line == Line::invoke) {
    text_ += "nil";
  } else if (operation.value() == ValuePool::unreported) {
    if (committed) return cannot_hold(t, "a read without a result in a committed transaction");
    text_ += "nil";
  } else if (operation.value() == ValuePool::nil) {
    if (!committed) return cannot_hold(t, "a read of nil in a transaction that is not committed");
    const KeyUse use = uses_[operation.key().index()];
    if (use == KeyUse::list || (use == KeyUse::unknown && lists_seen_)) {
      return cannot_hold(t, "a read of nil where there are lists (it would be the empty list)");
    }
    text_ += "nil";
  } else if (operation.kind() == OperationKind::list_read) {
    text_ += '[';
    bool first = true;
    for (const ValueId element : values_.list_elements(operation.value())) {
      if (!first) text_ += ' ';
      first = false;
      ISOSCOPE_TRY_STATUS(write_value(t, element));
    }
    text_ += ']';
  } else {
    ISOSCOPE_TRY_STATUS(write_value(t, operation.value()));
  }
  text_ += ']';
  return Done{};
}

Status EdnWriter::write_predicate(TransactionId t, const Predicate& predicate) {
  if (predicate.kind == Predicate::Kind::always) {
    text_ += ":true";
    return Done{};
  }
  const bool on_value = predicate.operand == Predicate::value_operand;
  if (predicate.kind == Predicate::Kind::equal && on_value) {
    text_ += "[:= ";
    const Constant& constant = predicate.constants[0];
    if (const auto* number = std::get_if<std::int64_t>(&constant)) {
      append_integer(text_, *number);
    } else if (const auto* string = std::get_if<std::string>(&constant)) {
      if (!append_edn_value(text_, *string)) return cannot_hold_string(t, *string);
    } else {
      text_ += "nil";
    }
    text_ += ']';
    return Done{};
  }
  if (predicate.kind == Predicate::Kind::modulo && on_value) {
    const auto* modulus = std::get_if<std::int64_t>(&predicate.constants[0]);
    const auto* rest = std::get_if<std::int64_t>(&predicate.constants[1]);
    if (modulus != nullptr && *modulus != 0 && rest != nullptr) {
      text_ += "[:mod ";
      append_integer(text_, *modulus);
      text_ += ' ';
      append_integer(text_, *rest);
      text_ += ']';
      return Done{};
    }
  }
  return cannot_hold(t, "predicates other than true, = and mod on the value");
}

Status EdnWriter::write_predicate_read(TransactionId t, const Operation& operation, Line line) {
  const PredicateAccess access = history_.predicate_access(operation);
  text_ += "[:rp ";
  ISOSCOPE_TRY_STATUS(write_predicate(t, history_.predicate(access.predicate)));
  if (line == Line::invoke || !access.reported) {
    if (line == Line::completion && history_.outcome(t) == Outcome::committed) {
      return cannot_hold(t, "a read without a result in a committed transaction");
    }
    text_ += " nil]";
    return Done{};
  }
  text_ += " {";
  bool first = true;
  for (const RowVersion& row : access.rows) {
    if (!first) text_ += ", ";
    first = false;
    (text_ += keys_[row.key.index()]) += ' ';
    if (row.value == ValuePool::nil) {
      return cannot_hold(t, "a predicate read of a row that does not exist");
    }
    ISOSCOPE_TRY_STATUS(write_value(t, row.value));
  }
  text_ += "}]";
  return Done{};
}

Status EdnWriter::write_value(TransactionId t, ValueId value) {
  if (append_scalar(value)) return Done{};
  if (values_.kind(value) == ValueKind::string) {
    return cannot_hold_string(t, values_.string_of(value));
  }
  return cannot_hold(t, "a row or a list as a value");
}

bool EdnWriter::append_scalar(ValueId value) {
  switch (values_.kind(value)) {
    case ValueKind::nil:
      text_ += "nil";
      return true;
    case ValueKind::integer:
      append_integer(text_, values_.integer_of(value));
      return true;
    case ValueKind::string:
      return append_edn_value(text_, values_.string_of(value));
    default:
      return false;
  }
}

void EdnWriter::append_name(ValueId name) {
  if (values_.kind(name) == ValueKind::integer) {
    append_integer(text_, values_.integer_of(name));
  } else {
    append_edn_string(text_, values_.string_of(name));
  }
}

bool EdnWriter::append_key(std::string& to, KeyId key) const {
  const ValueId name = history_.key_name(key);
  if (values_.kind(name) == ValueKind::string) return append_edn_key(to, values_.string_of(name));
  append_integer(to, values_.integer_of(name));
  return true;
}

}  // namespace

Status write_edn(const History& history, ByteSink& sink) {
  return EdnWriter(history, sink).write();
}

}  // namespace isoscope::format
