#include "history/format/shared/json_value.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/json_writer.h"

namespace isoscope::format {

namespace {

using Kind = JsonReader::Kind;

constexpr std::string_view expected_scalar = "null, an integer or a string";

std::optional<ValueId> read_integer(JsonReader& json, ValuePool& values,
                                    std::string_view expected) {
  const auto integer = json.integer(expected);
  return integer ? std::optional(values.integer(*integer)) : std::nullopt;
}

std::optional<ValueId> read_string(JsonReader& json, ValuePool& values, std::string_view expected) {
  const auto text = json.string(expected);
  return text ? std::optional(values.string(*text)) : std::nullopt;
}

/// A row of integers keeps them as its own, so they are not put among the values until something
/// else turns up.
std::optional<ValueId> read_row(JsonReader& json, ValuePool& values) {
  const std::uint64_t start = json.next_offset();
  std::vector<ValueId> names;
  std::vector<std::int64_t> integers;  // of the first columns
  std::vector<ValueId> scalars;        // of all columns, once there is something else
  json.begin_object();
  while (const auto name = json.next_member()) {
    if (name->starts_with('@')) {
      // Predicates call the key and the value of a row @key and @value.
      json.fail_found("a column name that does not start with @", *name);
      return std::nullopt;
    }
    names.push_back(values.string(*name));
    const Kind kind = json.peek();
    if (scalars.empty() && kind != Kind::string && kind != Kind::null) {
      const auto integer = json.integer(expected_scalar);
      if (!integer) return std::nullopt;
      integers.push_back(*integer);
      continue;
    }
    if (scalars.empty()) {
      for (const std::int64_t integer : integers) scalars.push_back(values.integer(integer));
    }
    const auto value = read_json_scalar(json, values);
    if (!value) return std::nullopt;
    scalars.push_back(*value);
  }
  if (json.failed()) return std::nullopt;
  // By id, not by name: only equal ones must meet.
  std::vector<ValueId> sorted = names;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    json.fail_at(start, "expected a row of distinct columns, found " +
                            quoted_for_message(values.string_of(*twice)) + " twice");
    return std::nullopt;
  }
  if (scalars.empty()) return values.row(values.row_shape(names), integers);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], scalars[i]});
  return values.row(columns);
}

}  // namespace

std::optional<ValueId> read_json_name(JsonReader& json, ValuePool& values,
                                      std::string_view expected) {
  if (json.peek() == Kind::string) return read_string(json, values, expected);
  return read_integer(json, values, expected);
}

std::string name_for_message(const ValuePool& values, ValueId name) {
  if (values.kind(name) == ValueKind::integer) return std::to_string(values.integer_of(name));
  return quoted_for_message(values.string_of(name));
}

std::optional<ValueId> read_json_transaction_name(JsonReader& json, HistoryBuilder& builder) {
  if (json.peek() != Kind::string) return read_json_name(json, builder.values());
  const auto text = json.string();
  return text ? std::optional(builder.transaction_name(*text)) : std::nullopt;
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
