#include "history/format/shared/integer_registers.h"

#include <string>

namespace isoscope::format {

namespace {

bool is_zero(const ValuePool& values, ValueId value) {
  return values.kind(value) == ValueKind::integer && values.integer_of(value) == 0;
}

/// What keeps the operation from being a read or write of an integer; empty if nothing does.
std::string obstacle(const History& history, const Operation& operation) {
  const OperationKind kind = operation.kind();
  if (kind != OperationKind::read && kind != OperationKind::write) {
    const char* article =
        kind == OperationKind::append || kind == OperationKind::insert ? "an " : "a ";
    return article + std::string(name_of(kind)) + ", and it has only reads and writes";
  }
  const ValuePool& values = history.values();
  const KeyId key = operation.key();
  if (history.key_table(key) != TableId(0))
    return "on a key of a named table, and it has no tables";
  if (values.kind(history.key_name(key)) != ValueKind::integer) {
    return "on a key that is no integer, and it has no others";
  }
  if (values.kind(operation.value()) != ValueKind::integer) {
    return "of a value that is no integer, and it has no others";
  }
  return {};
}

}  // namespace

Error cannot_write(std::string_view format, std::string_view what) {
  return Error{"cannot write " + std::string(format) + ": " + std::string(what)};
}

Status require_integer_registers(const History& history, std::string_view format) {
  const ValuePool& values = history.values();
  const bool zero_by_default =
      history.initial_default() && is_zero(values, *history.initial_default());
  if (!zero_by_default) {
    return cannot_write(format, "keys start from something else than 0 here, and from 0 there");
  }
  for (const RowVersion& row : history.initial_rows()) {
    if (!is_zero(values, row.value)) {
      return cannot_write(format, "a key starts from something else than 0 here, and from 0 there");
    }
  }
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::indeterminate) {
      return cannot_write(
          format, history.label(t) + " is indeterminate, and it has only committed and aborted");
    }
    if (history.begin_time(t) || history.end_time(t)) {
      return cannot_write(format, history.label(t) + " has times, and it has no clock");
    }
    if (history.commit_stamp(t)) {
      return cannot_write(format,
                          history.label(t) + " has a commit stamp, and it has no place for one");
    }
    const std::span<const Operation> operations = history.operations(t);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const std::string what = obstacle(history, operations[i]);
      if (what.empty()) continue;
      return cannot_write(
          format, "operation " + std::to_string(i + 1) + " of " + history.label(t) + " is " + what);
    }
  }
  return Done{};
}

}  // namespace isoscope::format
