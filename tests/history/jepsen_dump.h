#pragma once

#include <string>

#include "isoscope/history/history.h"
#include "isoscope/history/predicate_json.h"

namespace isoscope {

inline std::string dump(const ValuePool& values, ValueId value) {
  switch (values.kind(value)) {
    case ValueKind::nil:
      return "nil";
    case ValueKind::unreported:
      return "?";
    case ValueKind::integer:
      return std::to_string(values.integer_of(value));
    case ValueKind::string:
      return "'" + std::string(values.string_of(value)) + "'";
    case ValueKind::row:
      return "row";
    case ValueKind::list: {
      std::string text = "[";
      for (const ValueId element : values.list_elements(value)) {
        text += (text.size() > 1 ? " " : "") + dump(values, element);
      }
      return text + "]";
    }
  }
  return {};
}

inline std::string dump(const History& history, const Operation& operation) {
  const ValuePool& values = history.values();
  if (!operation.is_predicate()) {
    return std::string(name_of(operation.kind())) + "(" +
           dump(values, history.key_name(operation.key())) + "," + dump(values, operation.value()) +
           ")";
  }
  const PredicateAccess access = history.predicate_access(operation);
  std::string text = std::string(name_of(operation.kind())) + "(";
  append_predicate_json(text, history.predicate(access.predicate));
  if (!access.reported) return text + ",?)";
  for (const RowVersion& row : access.rows) {
    text += "," + dump(values, history.key_name(row.key)) + "=" + dump(values, row.value);
  }
  return text + ")";
}

/// All that a history says, one line a transaction, so that tests compare and show it as text:
///
///   0: T1 committed 10..25 append(7,1) list read(8,[3 4])
inline std::string dump(const History& history) {
  const ValuePool& values = history.values();
  std::string text;
  for (const KeyId key : history.keys()) {
    const std::optional<ValueId> initial = history.initial_value(key);
    if (initial == ValuePool::nil) continue;
    text += "initial " + dump(values, history.key_name(key)) + "=" +
            (initial ? dump(values, *initial) : "none") + "\n";
  }
  for (const TransactionId t : history.transactions()) {
    text += dump(values, history.session_name(history.session_of(t))) + ": " + history.label(t) +
            " " + std::string(name_of(history.outcome(t)));
    if (history.begin_time(t) || history.end_time(t)) {
      text += " " + (history.begin_time(t) ? std::to_string(*history.begin_time(t)) : "?") + ".." +
              (history.end_time(t) ? std::to_string(*history.end_time(t)) : "?");
    }
    for (const Operation& operation : history.operations(t)) text += " " + dump(history, operation);
    text += "\n";
  }
  return text;
}

}  // namespace isoscope
