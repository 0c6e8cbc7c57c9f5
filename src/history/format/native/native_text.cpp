#include "isoscope/history/native_text.h"

#include "isoscope/base/json_writer.h"

namespace isoscope {

std::string_view NativeText::start_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::list_read:
      return "[\"r\",";
    case OperationKind::write:
      return "[\"w\",";
    case OperationKind::insert:
      return "[\"insert\",";
    case OperationKind::remove:
      return "[\"delete\",";
    case OperationKind::append:
      return "[\"append\",";
    case OperationKind::predicate_read:
      return "[\"rp\",";
    case OperationKind::predicate_write:
      return "[\"wp\",";
  }
  return "";
}

void NativeText::name(ValueId name) {
  if (values_.kind(name) == ValueKind::integer) {
    append_integer(to_, values_.integer_of(name));
  } else {
    append_json_string(to_, values_.string_of(name));
  }
}

void NativeText::key(std::string_view table, ValueId name) {
  if (table.empty()) return this->name(name);
  to_ += '[';
  append_json_string(to_, table);
  to_ += ',';
  this->name(name);
  to_ += ']';
}

void NativeText::value(ValueId value) {
  switch (values_.kind(value)) {
    case ValueKind::nil:
      to_ += "null";
      break;
    case ValueKind::integer:
      append_integer(to_, values_.integer_of(value));
      break;
    case ValueKind::string:
      append_json_string(to_, values_.string_of(value));
      break;
    case ValueKind::row: {
      to_ += '{';
      bool first = true;
      for (const Column& column : values_.row_of(value)) {
        if (!first) to_ += ',';
        first = false;
        const std::string_view name = values_.string_of(column.name);
        if (name.starts_with('@')) set_problem("a column is named " + quoted_for_message(name));
        append_json_string(to_, name);
        to_ += ':';
        this->value(column.value);
      }
      to_ += '}';
      break;
    }
    case ValueKind::unreported:
      set_problem("a value that is no read's result is not known");
      break;
    case ValueKind::list:
      set_problem("a list is something else than what a read returned or a key starts with");
      break;
  }
}

void NativeText::value_or_list(ValueId value) {
  if (values_.kind(value) != ValueKind::list) return this->value(value);
  to_ += '[';
  bool first = true;
  for (const ValueId element : values_.list_elements(value)) {
    if (!first) to_ += ',';
    first = false;
    this->value(element);
  }
  to_ += ']';
}

}  // namespace isoscope
