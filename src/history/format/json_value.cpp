#include "history/format/json_value.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

using Kind = JsonReader::Kind;

std::optional<ValueId> read_integer(JsonReader& json, ValuePool& values,
                                    std::string_view expected) {
  const auto integer = json.integer(expected);
  return integer ? std::optional(values.integer(*integer)) : std::nullopt;
}

std::optional<ValueId> read_string(JsonReader& json, ValuePool& values, std::string_view expected) {
  const auto text = json.string(expected);
  return text ? std::optional(values.string(*text)) : std::nullopt;
}

std::optional<ValueId> read_row(JsonReader& json, ValuePool& values) {
  const std::uint64_t start = json.next_offset();
  std::vector<Column> columns;
  json.begin_object();
  while (const auto name = json.next_member()) {
    if (name->starts_with('@')) {
      // Predicates call the key and the value of a row @key and @value.
      json.fail_found("a column name that does not start with @", *name);
      return std::nullopt;
    }
    const ValueId name_id = values.string(*name);
    const auto value = read_json_scalar(json, values);
    if (!value) return std::nullopt;
    columns.push_back({name_id, *value});
  }
  if (json.failed()) return std::nullopt;
  // By id, not by name: only equal ones must meet.
  std::ranges::sort(columns, {}, &Column::name);
  const auto twice = std::ranges::adjacent_find(columns, {}, &Column::name);
  if (twice != columns.end()) {
    json.fail_at(start, "expected a row of distinct columns, found " +
                            quoted_for_message(values.string_of(twice->name)) + " twice");
    return std::nullopt;
  }
  return values.row(columns);
}

}  // namespace

std::optional<ValueId> read_json_name(JsonReader& json, ValuePool& values,
                                      std::string_view expected) {
  if (json.peek() == Kind::string) return read_string(json, values, expected);
  return read_integer(json, values, expected);
}

std::optional<ValueId> read_json_scalar(JsonReader& json, ValuePool& values,
                                        std::string_view expected) {
  switch (json.peek()) {
    case Kind::string:
      return read_string(json, values, expected);
    case Kind::null:
      return json.null(expected) ? std::optional(ValuePool::nil) : std::nullopt;
    default:
      return read_integer(json, values, expected);
  }
}

std::optional<ValueId> read_json_value(JsonReader& json, ValuePool& values,
                                       std::string_view expected) {
  if (json.peek() == Kind::object) return read_row(json, values);
  return read_json_scalar(json, values, expected);
}

std::optional<ValueId> read_json_list(JsonReader& json, ValuePool& values,
                                      std::string_view expected) {
  if (!json.begin_array(expected)) return std::nullopt;
  ValueId list = ValuePool::empty_list;
  while (json.next_element()) {
    const auto element = read_json_value(json, values);
    if (!element) return std::nullopt;
    list = values.list_with(list, *element);
  }
  return json.failed() ? std::nullopt : std::optional(list);
}

std::optional<ValueId> read_json_value_or_list(JsonReader& json, ValuePool& values,
                                               std::string_view expected) {
  if (json.peek() == Kind::array) return read_json_list(json, values);
  return read_json_value(json, values, expected);
}

}  // namespace isoscope::format
