#include <algorithm>
#include <array>
#include <vector>

#include "history/format/native/formats.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/native_text.h"
#include "isoscope/history/predicate_json.h"

/// Writes the native format, one transaction per line; native_reader.cpp reads it back to the same
/// history. What a reader assumes anyway is left out: a committed outcome, the unnamed table.

namespace isoscope::format {

namespace {

constexpr std::size_t block_size = std::size_t{64} << 10;

/// The level that the header says for all transactions, if all have one; of several the weakest.
std::optional<LevelId> most_frequent_level(const History& history) {
  std::array<std::size_t, level_count> counts{};
  for (const TransactionId t : history.transactions()) {
    const auto level = history.recorded_level(t);
    if (!level) return std::nullopt;
    ++counts[static_cast<std::size_t>(*level)];
  }
  if (history.transaction_count() == 0) return std::nullopt;
  return static_cast<LevelId>(std::ranges::max_element(counts) - counts.begin());
}

class NativeWriter {
 public:
  NativeWriter(const History& history, ByteSink& sink)
      : history_(history),
        values_(history.values()),
        sink_(sink),
        default_level_(most_frequent_level(history)) {}

  Status write() {
    append_header();
    for (const TransactionId t : history_.transactions()) {
      ISOSCOPE_TRY_STATUS(write_transaction(t));
    }
    return flush();
  }

 private:
  Status flush() {
    if (native_.problem())
      return Error{"cannot write this history in the native format: " + *native_.problem()};
    Status status = sink_.write(text_);
    text_.clear();
    return status;
  }

  void append_header();
  void append_initial();
  bool sessions_are_implied() const;
  Status write_transaction(TransactionId t);
  void append_operation(const Operation& operation);
  void append_update(const Update& update);
  void append_predicate_operation(const Operation& operation);
  void append_key(KeyId key);
  void append_member(std::string_view name) { (((text_ += ",\"") += name) += "\":"); }

  const History& history_;
  const ValuePool& values_;
  ByteSink& sink_;
  std::optional<LevelId> default_level_;
  std::string text_;
  NativeText native_{history_.values(), text_};
};

void NativeWriter::append_header() {
  text_ += "{\"isoscope-history\":1";
  if (!history_.origin().empty()) {
    append_member("origin");
    append_json_string(text_, history_.origin());
  }
  append_member("initial");
  append_initial();
  if (!history_.indeterminate_cuts()) {
    append_member("indeterminate-cuts");
    text_ += "\"off\"";
  }
  if (!sessions_are_implied()) {
    append_member("sessions");
    for (const SessionId session : history_.sessions()) {
      text_ += session.index() == 0 ? '[' : ',';
      native_.name(history_.session_name(session));
    }
    text_ += ']';
  }
  if (default_level_) {
    append_member("levels");
    append_json_string(text_, name_of(*default_level_));
  }
  text_ += "}\n";
}

void NativeWriter::append_initial() {
  const std::optional<ValueId> other = history_.initial_default();
  if (history_.initial_rows().empty() && (!other || *other == ValuePool::nil)) {
    text_ += other ? "\"nil\"" : "\"none\"";
    return;
  }
  text_ += '{';
  if (other) {
    text_ += "\"default\":";
    native_.value_or_list(*other);
  }
  if (!history_.initial_rows().empty()) {
    if (other) text_ += ',';
    text_ += "\"values\":[";
    std::vector<bool> written(history_.key_count());
    bool first = true;
    for (const RowVersion& row : history_.initial_rows()) {
      // If a key is listed twice, its last value counts, which is what initial_value() says.
      if (written[row.key.index()]) continue;
      written[row.key.index()] = true;
      if (!first) text_ += ',';
      first = false;
      text_ += '[';
      append_key(row.key);
      text_ += ',';
      native_.value_or_list(*history_.initial_value(row.key));
      text_ += ']';
    }
    text_ += ']';
  }
  text_ += '}';
}

/// True when the transactions name every session, in order of the sessions' ids: then a reader
/// makes the same ones.
bool NativeWriter::sessions_are_implied() const {
  std::size_t seen = 0;
  for (const TransactionId t : history_.transactions()) {
    const std::size_t session = history_.session_of(t).index();
    if (session > seen) return false;
    if (session == seen) ++seen;
  }
  return seen == history_.session_count();
}

Status NativeWriter::write_transaction(TransactionId t) {
  text_ += "{\"session\":";
  native_.name(history_.session_name(history_.session_of(t)));
  append_member("id");
  const ValueId name = history_.name(t);
  native_.name(name);
  if (values_.kind(name) == ValueKind::string &&
      HistoryBuilder::number_in_label(values_.string_of(name))) {
    native_.set_problem("a transaction's name is the string " +
                        quoted_for_message(values_.string_of(name)));
  }
  if (history_.outcome(t) != Outcome::committed) {
    append_member("outcome");
    append_json_string(text_, name_of(history_.outcome(t)));
  }
  if (const auto begin = history_.begin_time(t)) {
    append_member("begin");
    append_integer(text_, *begin);
  }
  if (const auto end = history_.end_time(t)) {
    append_member("end");
    append_integer(text_, *end);
  }
  if (const auto stamp = history_.commit_stamp(t)) {
    append_member("stamp");
    append_integer(text_, *stamp);
  }
  const auto level = history_.recorded_level(t);
  if (level && level != default_level_) {
    append_member("level");
    append_json_string(text_, name_of(*level));
  }
  append_member("ops");
  text_ += '[';
  bool first = true;
  const auto operations = history_.operations(t);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (!first) text_ += ',';
    first = false;
    if (const Update* const update = history_.update_at(t, i)) {
      append_update(*update);
      i += update->operation_count() - 1;
      if (text_.size() >= block_size) ISOSCOPE_TRY_STATUS(flush());
      continue;
    }
    text_ += NativeText::start_of(operation.kind());
    if (operation.is_predicate()) {
      append_predicate_operation(operation);
    } else {
      append_operation(operation);
    }
    text_ += ']';
    if (text_.size() >= block_size) ISOSCOPE_TRY_STATUS(flush());
  }
  text_ += "]}\n";
  return Done{};
}

void NativeWriter::append_operation(const Operation& operation) {
  append_key(operation.key());
  if (operation.kind() == OperationKind::remove) return;
  if (operation.is_item_read()) {
    if (operation.value() == ValuePool::unreported) return;
    text_ += ',';
    native_.value_or_list(operation.value());
  } else {
    text_ += ',';
    native_.value(operation.value());
  }
}

void NativeWriter::append_update(const Update& update) {
  ((text_ += "[\"") += word_of(update.function)) += "\",";
  append_key(history_.key_of(update));
  text_ += ',';
  native_.value(update.argument);
  if (update.function == Update::Function::compare_and_set) {
    text_ += ',';
    native_.value(update.replacement);
  }
  if (update.learned == Update::Learned::done) text_ += ",\"done\"";
  if (update.is_refused()) text_ += ",\"refused\"";
  if (update.learned == Update::Learned::value) {
    text_ += ',';
    native_.value(update.seen);
  }
  text_ += ']';
}

void NativeWriter::append_predicate_operation(const Operation& operation) {
  const PredicateAccess access = history_.predicate_access(operation);
  append_predicate_json(text_, history_.predicate(access.predicate));
  if (access.reported) {
    text_ += ",[";
    bool first = true;
    for (const RowVersion& row : access.rows) {
      text_ += first ? "[" : ",[";
      first = false;
      native_.name(history_.key_name(row.key));
      text_ += ',';
      native_.value(row.value);
      text_ += ']';
      if (operation.kind() == OperationKind::predicate_read && row.value == ValuePool::nil) {
        native_.set_problem("a predicate read returned a row that does not exist");
      }
    }
    text_ += ']';
  } else {
    text_ += ",null";
  }
  if (access.table != HistoryBuilder::default_table) {
    text_ += ',';
    append_json_string(text_, history_.table_name(access.table));
  }
}

void NativeWriter::append_key(KeyId key) {
  native_.key(history_.table_name(history_.key_table(key)), history_.key_name(key));
}

}  // namespace

Status write_native(const History& history, ByteSink& sink) {
  return NativeWriter(history, sink).write();
}

}  // namespace isoscope::format
