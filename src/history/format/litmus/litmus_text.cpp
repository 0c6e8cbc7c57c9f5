#include "isoscope/history/litmus_text.h"

#include "history/format/litmus/litmus_lexer.h"
#include "history/format/litmus/litmus_predicate.h"
#include "history/format/litmus/litmus_text.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {

namespace format {

void LitmusText::transaction(std::string& to, TransactionId t) {
  const ValueId id = history_.name(t);
  if (values().kind(id) == ValueKind::integer) {
    to += history_.label(t);
  } else {
    if (HistoryBuilder::number_in_label(values().string_of(id)))
      refuse("a name is the label of another");
    name(to, id);
  }
  if (history_.outcome(t) == Outcome::aborted) to.push_back('!');
  if (history_.outcome(t) == Outcome::indeterminate) to.push_back('?');
  if (const auto level = history_.recorded_level(t)) (to += '@') += name_of(*level);
  const auto begin = history_.begin_time(t);
  const auto end = history_.end_time(t);
  if (begin || end) {
    to.push_back('@');
    if (begin) append_integer(to, *begin);
    to += "..";
    if (end) append_integer(to, *end);
  }
  if (const auto stamp = history_.commit_stamp(t)) {
    to.push_back('^');
    append_integer(to, *stamp);
  }
  const auto operations = history_.operations(t);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    to.push_back(' ');
    if (const Update* const update = history_.update_at(t, i)) {
      this->update(to, *update);
      i += update->operation_count() - 1;
    } else {
      operation(to, operations[i]);
    }
  }
}

void LitmusText::update(std::string& to, const Update& update) {
  (to += word_of(update.function)) += '(';
  key(to, history_.key_of(update));
  to.push_back(',');
  value(to, update.argument);
  if (update.function == Update::Function::compare_and_set) {
    to.push_back(',');
    value(to, update.replacement);
  }
  if (update.learned == Update::Learned::done) to += ",done";
  if (update.is_refused()) to += ",refused";
  if (update.learned == Update::Learned::value) {
    to.push_back(',');
    value(to, update.seen);
  }
  to.push_back(')');
}

void LitmusText::name(std::string& to, ValueId id) {
  if (values().kind(id) == ValueKind::integer) {
    append_integer(to, values().integer_of(id));
  } else {
    append_litmus_string(to, values().string_of(id));
  }
}

void LitmusText::operation(std::string& to, const Operation& operation) {
  switch (operation.kind()) {
    case OperationKind::read:
      return item(to, "r(", operation);
    case OperationKind::list_read:
      return item(to, "r(", operation);
    case OperationKind::write:
      return item(to, "w(", operation);
    case OperationKind::insert:
      return item(to, "i(", operation);
    case OperationKind::append:
      return item(to, "a(", operation);
    case OperationKind::remove:
      to += "d(";
      key(to, operation.key());
      to.push_back(')');
      return;
    case OperationKind::predicate_read:
      return on_predicate(to, "rp(", operation);
    case OperationKind::predicate_write:
      return on_predicate(to, "wp(", operation);
  }
}

void LitmusText::item(std::string& to, std::string_view word, const Operation& operation) {
  to += word;
  key(to, operation.key());
  to.push_back(',');
  if (operation.kind() == OperationKind::read && operation.value() == ValuePool::unreported) {
    to += "?)";
    return;
  }
  const bool list = values().kind(operation.value()) == ValueKind::list;
  if (list && operation.kind() != OperationKind::list_read) refuse("a register holds a list");
  value(to, operation.value());
  to.push_back(')');
}

void LitmusText::on_predicate(std::string& to, std::string_view word, const Operation& operation) {
  const PredicateAccess access = history_.predicate_access(operation);
  to += word;
  if (access.table != TableId(0)) {
    append_litmus_string(to, history_.table_name(access.table));
    to += ": ";
  }
  append_litmus_predicate(to, history_.predicate(access.predicate));
  to += ", ";
  if (!access.reported) {
    to += "?)";
    return;
  }
  to.push_back('{');
  for (std::size_t i = 0; i < access.rows.size(); ++i) {
    if (i != 0) to.push_back(' ');
    if (history_.key_table(access.rows[i].key) != access.table) refuse("a row is of another table");
    name(to, history_.key_name(access.rows[i].key));
    to.push_back(':');
    value(to, access.rows[i].value);
  }
  to += "})";
}

void LitmusText::key(std::string& to, KeyId key) {
  const TableId table = history_.key_table(key);
  if (table != TableId(0)) {
    append_litmus_string(to, history_.table_name(table));
    to.push_back('.');
  }
  name(to, history_.key_name(key));
}

void LitmusText::value(std::string& to, ValueId id) {
  switch (values().kind(id)) {
    case ValueKind::nil:
      to += "nil";
      return;
    case ValueKind::integer:
      append_integer(to, values().integer_of(id));
      return;
    case ValueKind::string:
      append_litmus_string(to, values().string_of(id));
      return;
    case ValueKind::row:
      return row(to, values().row_of(id));
    case ValueKind::list:
      return list(to, values().list_elements(id));
    case ValueKind::unreported:
      to.push_back('?');
      refuse("a value is unknown and not the result of a read");
  }
}

void LitmusText::row(std::string& to, const RowColumns& columns) {
  to.push_back('{');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) to.push_back(' ');
    append_litmus_string(to, values().string_of(columns[i].name));
    to.push_back(':');
    value(to, columns[i].value);
  }
  to.push_back('}');
}

void LitmusText::list(std::string& to, const std::vector<ValueId>& elements) {
  to.push_back('[');
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i != 0) to.push_back(' ');
    value(to, elements[i]);
  }
  to.push_back(']');
}

}  // namespace format

std::string key_text(const History& history, KeyId key) {
  std::string text;
  format::LitmusText(history).key(text, key);
  return text;
}

std::string value_text(const History& history, ValueId value) {
  std::string text;
  format::LitmusText(history).value(text, value);
  return text;
}

std::string operation_text(const History& history, const Operation& operation) {
  std::string text;
  format::LitmusText(history).operation(text, operation);
  return text;
}

std::string update_text(const History& history, const Update& update) {
  std::string text;
  format::LitmusText(history).update(text, update);
  return text;
}

std::string predicate_text(const Predicate& predicate) {
  std::string text;
  format::append_litmus_predicate(text, predicate);
  return text;
}

std::string transaction_text(const History& history, TransactionId transaction) {
  std::string text;
  format::LitmusText(history).transaction(text, transaction);
  return text;
}

}  // namespace isoscope
