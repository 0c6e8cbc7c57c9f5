#pragma once

#include <map>
#include <string>

#include "isoscope/base/json_writer.h"
#include "isoscope/history/history.h"
#include "isoscope/history/predicate_json.h"

namespace isoscope::test {

/// What of a history to compare: a format that cannot hold a thing switches it off.
struct CompareOptions {
  /// Transactions in the order of the file; otherwise session by session, as formats list them that
  /// know no order across sessions.
  bool file_order = true;
  bool transaction_names = true;
  bool session_names = true;
  bool times = true;
  bool origin = true;
  bool initial = true;
};

inline void append_value(std::string& to, const ValuePool& values, ValueId value) {
  switch (values.kind(value)) {
    case ValueKind::nil:
      to += "nil";
      return;
    case ValueKind::unreported:
      to += "?";
      return;
    case ValueKind::integer:
      append_integer(to, values.integer_of(value));
      return;
    case ValueKind::string:
      append_json_string(to, values.string_of(value));
      return;
    case ValueKind::row:
      to += "{";
      for (const Column& column : values.row_of(value)) {
        append_value(to, values, column.name);
        to += ":";
        append_value(to, values, column.value);
        to += " ";
      }
      to += "}";
      return;
    case ValueKind::list:
      to += "[";
      for (const ValueId element : values.list_elements(value)) {
        append_value(to, values, element);
        to += " ";
      }
      to += "]";
      return;
  }
}

inline std::string value_text(const History& history, ValueId value) {
  std::string text;
  append_value(text, history.values(), value);
  return text;
}

inline std::string key_text(const History& history, KeyId key) {
  std::string text;
  append_json_string(text, history.table_name(history.key_table(key)));
  return text + "." + value_text(history, history.key_name(key));
}

inline std::string operation_text(const History& history, const Operation& operation) {
  std::string text(name_of(operation.kind()));
  if (!operation.is_predicate()) {
    return text + " " + key_text(history, operation.key()) + " " +
           value_text(history, operation.value());
  }
  const PredicateAccess access = history.predicate_access(operation);
  text += " ";
  append_json_string(text, history.table_name(access.table));
  text += " ";
  append_predicate_json(text, history.predicate(access.predicate));
  if (!access.reported) return text + " unreported";
  for (const RowVersion& row : access.rows) {
    text += " " + key_text(history, row.key) + "=" + value_text(history, row.value);
  }
  return text;
}

inline std::string transaction_text(const History& history, TransactionId t,
                                    const CompareOptions& options) {
  std::string text = "transaction";
  if (options.transaction_names) text += " " + value_text(history, history.name(t));
  text += " " + std::string(name_of(history.outcome(t)));
  if (options.times) {
    const auto time = [](std::optional<std::int64_t> at) {
      return at ? std::to_string(*at) : std::string("-");
    };
    text += " " + time(history.begin_time(t)) + ".." + time(history.end_time(t));
  }
  if (const auto stamp = history.commit_stamp(t)) text += " stamp " + std::to_string(*stamp);
  if (const auto level = history.recorded_level(t)) text += " at " + std::string(name_of(*level));
  text += "\n";
  for (std::size_t i = 0; i < history.operations(t).size(); ++i) {
    text += "    " + operation_text(history, history.operations(t)[i]);
    if (const Update* const update = history.update_at(t, i)) {
      text += " " + std::string(word_of(update->function)) +
              std::to_string(static_cast<int>(update->learned));
      for (const ValueId value : {update->argument, update->replacement, update->seen}) {
        text += " " + value_text(history, value);
      }
    }
    text += "\n";
  }
  return text;
}

/// Everything a history says, one thing per line: two histories are the same when these texts are.
/// Numbers of keys, values and predicates do not show, nor keys and tables that nothing uses.
inline std::string history_text(const History& history, const CompareOptions& options = {}) {
  std::string text;
  if (options.origin) {
    text += "origin ";
    append_json_string(text, history.origin());
    text += "\n";
  }
  if (!history.indeterminate_cuts()) text += "cuts off\n";
  if (options.initial) {
    const auto initial = history.initial_default();
    text += "initial " + (initial ? value_text(history, *initial) : std::string("none")) + "\n";
    std::map<std::string, std::string> listed;
    for (const RowVersion& row : history.initial_rows()) {
      const auto value = history.initial_value(row.key);
      listed[key_text(history, row.key)] = value ? value_text(history, *value) : "none";
    }
    for (const auto& [key, value] : listed) text += "  " + key + "=" + value + "\n";
  }
  const auto session_text = [&](SessionId s) {
    return options.session_names ? value_text(history, history.session_name(s))
                                 : std::to_string(s.index());
  };
  for (const SessionId s : history.sessions()) {
    text += "session " + session_text(s) + "\n";
    if (options.file_order) continue;
    for (const TransactionId t : history.session(s))
      text += "  " + transaction_text(history, t, options);
  }
  if (options.file_order) {
    for (const TransactionId t : history.transactions()) {
      text += session_text(history.session_of(t)) + ": " + transaction_text(history, t, options);
    }
  }
  return text;
}

}  // namespace isoscope::test
