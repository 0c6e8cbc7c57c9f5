#include "store/latest_rows.h"

#include <algorithm>

namespace isoscope {

namespace {

std::optional<std::int64_t> integer(const Constant& constant) {
  const auto* number = std::get_if<std::int64_t>(&constant);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

std::optional<OperandRange> range_of(const Predicate& predicate) {
  using enum Predicate::Kind;
  if (predicate.kind == conjunction) {
    for (const Predicate& child : predicate.children) {
      if (auto range = range_of(child)) return range;
    }
    return std::nullopt;
  }
  OperandRange range{predicate.operand};
  const auto first = predicate.constants.empty() ? std::nullopt : integer(predicate.constants[0]);
  if (!first) return std::nullopt;
  switch (predicate.kind) {
    case equal:
      range.low = range.high = *first;
      return range;
    case less:
    case less_equal:
      range.high = *first;
      return range;
    case greater:
    case greater_equal:
      range.low = *first;
      return range;
    case between: {
      const auto last = integer(predicate.constants[1]);
      if (!last) return std::nullopt;
      range.low = *first;
      range.high = *last;
      return range;
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> LatestRows::number(const Column& column, KeyId key,
                                               ValueId value) const {
  const ValuePool& values = names_.values();
  if (value == ValuePool::nil) return std::nullopt;
  const ValueId looked_at = operand_value(column.operand, values, names_.key_name(key), value);
  if (values.kind(looked_at) != ValueKind::integer) return std::nullopt;
  return values.integer_of(looked_at);
}

LatestRows::Column& LatestRows::column(TableId table, const std::string& operand) {
  for (Column& known : columns_) {
    if (known.table == table && known.operand == operand) return known;
  }
  Column& made = columns_.emplace_back(Column{table, operand});
  for (const KeyId key : versions_.keys_of(table)) {
    if (const auto at = number(made, key, versions_.latest(key).value)) made.rows.emplace(*at, key);
  }
  return made;
}

void LatestRows::add_keys(TableId table, const OperandRange& range, std::vector<KeyId>& keys) {
  if (range.low > range.high) return;
  const auto& rows = column(table, range.operand).rows;
  for (auto row = rows.lower_bound({range.low, KeyId(0)});
       row != rows.end() && row->first <= range.high; ++row) {
    keys.push_back(row->second);
  }
}

void LatestRows::replace(KeyId key, ValueId old_value, ValueId new_value) {
  const TableId table = names_.key_table(key);
  for (Column& known : columns_) {
    if (known.table != table) continue;
    const auto before = number(known, key, old_value);
    const auto after = number(known, key, new_value);
    if (before == after) continue;
    if (before) known.rows.erase({*before, key});
    if (after) known.rows.emplace(*after, key);
  }
}

}  // namespace isoscope
