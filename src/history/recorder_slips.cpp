#include "isoscope/history/recorder_slips.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope {

namespace {

using Kind = RecorderSlip::Kind;

std::string and_more(std::size_t count) {
  return count > 1 ? " (and " + with_commas(count - 1) + " more)" : "";
}

/// 12 for "12", but nothing for "012" or "+12": only what an integer would be written as.
std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::to_string(value) != text) return std::nullopt;
  return value;
}

void find_keys_in_two_types(const History& history, std::vector<RecorderSlip>& slips) {
  const ValuePool& values = history.values();
  const auto place = [&](KeyId key, std::int64_t number) {
    return std::pair(history.key_table(key).value, number);
  };
  std::set<std::pair<std::uint32_t, std::int64_t>> asked;
  for (const KeyId key : history.keys()) {
    if (values.kind(history.key_name(key)) != ValueKind::string) continue;
    if (const auto number = integer_in(values.string_of(history.key_name(key))))
      asked.insert(place(key, *number));
  }
  if (asked.empty()) return;
  std::set<std::pair<std::uint32_t, std::int64_t>> twice;
  RecorderSlip slip{.kind = Kind::key_in_two_types};
  for (const KeyId key : history.keys()) {
    if (values.kind(history.key_name(key)) != ValueKind::integer) continue;
    const auto here = place(key, values.integer_of(history.key_name(key)));
    if (!asked.contains(here)) continue;
    twice.insert(here);
    slip.keys.push_back(key);
  }
  if (twice.empty()) return;
  const std::string example = key_text(history, slip.keys.front());
  for (const KeyId key : history.keys()) {
    if (values.kind(history.key_name(key)) != ValueKind::string) continue;
    const auto number = integer_in(values.string_of(history.key_name(key)));
    if (number && twice.contains(place(key, *number))) slip.keys.push_back(key);
  }
  std::ranges::sort(slip.keys, {}, &KeyId::value);
  slip.text = "Key " + example + " is an integer here and a string there" + and_more(twice.size()) +
              ": these are different keys. A recorder that means one should write one type.";
  slips.push_back(std::move(slip));
}

/// Calls visit(key, value, is_write) for every version that the history speaks of.
template <class Visit>
void for_each_version(const History& history, const Visit& visit) {
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (!operation.is_predicate()) {
        visit(operation.key(), operation.value(), operation.is_item_write(), t);
        continue;
      }
      const bool writes = operation.kind() == OperationKind::predicate_write;
      for (const RowVersion& row : history.predicate_access(operation).rows)
        visit(row.key, row.value, writes, t);
    }
  }
}

void find_rows_never_written(const History& history, std::vector<RecorderSlip>& slips) {
  std::vector<bool> written(history.key_count());
  for_each_version(history, [&](KeyId key, ValueId, bool is_write, TransactionId) {
    if (is_write) written[key.index()] = true;
  });
  std::vector<bool> found(history.key_count());
  RecorderSlip slip{.kind = Kind::row_never_written};
  TransactionId reader;
  for_each_version(history, [&](KeyId key, ValueId value, bool, TransactionId t) {
    if (written[key.index()] || found[key.index()]) return;
    const ValueKind kind = history.values().kind(value);
    if (kind == ValueKind::nil || kind == ValueKind::unreported || kind == ValueKind::list) return;
    if (history.initial_value(key).value_or(ValuePool::nil) != ValuePool::nil) return;
    found[key.index()] = true;
    if (slip.keys.empty()) reader = t;
    slip.keys.push_back(key);
  });
  if (slip.keys.empty()) return;
  slip.text = history.label(reader) + " read " + key_text(history, slip.keys.front()) +
              ", which no transaction of the history wrote" + and_more(slip.keys.size()) +
              ". If it was there before, the recorder should list it as an initial value.";
  std::ranges::sort(slip.keys, {}, &KeyId::value);
  slips.push_back(std::move(slip));
}

void add_columns(const Predicate& predicate, std::set<std::string>& columns) {
  if (!predicate.operand.empty() && !predicate.operand.starts_with('@'))
    columns.insert(predicate.operand);
  for (const Predicate& child : predicate.children) add_columns(child, columns);
}

/// A table's values: are there any, and which columns do its rows have?
struct TableValues {
  bool any = false;
  std::set<std::string, std::less<>> columns;
};

class ColumnSearch {
 public:
  explicit ColumnSearch(const History& history)
      : history_(history), tables_(history.table_count()) {}

  void run(std::vector<RecorderSlip>& slips) {
    if (!collect_asked()) return;
    for_each_version(history_, [&](KeyId key, ValueId value, bool, TransactionId) {
      add(history_.key_table(key), value);
    });
    for (const RowVersion& row : history_.initial_rows())
      add(history_.key_table(row.key), row.value);
    if (const auto value = history_.initial_default()) {
      for (std::size_t i = 0; i < tables_.size(); ++i)
        add(TableId(static_cast<std::uint32_t>(i)), *value);
    }
    RecorderSlip slip{.kind = Kind::unknown_column};
    std::size_t count = 0;
    for (const auto& [table, columns] : asked_) {
      const TableValues& values = tables_[table];
      for (const std::string& column : columns) {
        if (!values.any || values.columns.contains(column)) continue;
        if (++count > 1) continue;
        const std::string name(history_.table_name(TableId(table)));
        slip.text = "A predicate asks for column " + column + ", which no row " +
                    (name.empty() ? "has" : "of table " + name + " has");
      }
    }
    if (count == 0) return;
    slip.text += and_more(count) + ": to such a predicate it is NULL everywhere.";
    slips.push_back(std::move(slip));
  }

 private:
  /// Which columns predicates ask for, table by table.
  bool collect_asked() {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const TransactionId t : history_.transactions()) {
      for (const Operation& operation : history_.operations(t)) {
        if (!operation.is_predicate()) continue;
        const PredicateAccess access = history_.predicate_access(operation);
        if (!seen.emplace(access.table.value, access.predicate.value).second) continue;
        std::set<std::string> columns;
        add_columns(history_.predicate(access.predicate), columns);
        if (!columns.empty()) asked_[access.table.value].merge(columns);
      }
    }
    return !asked_.empty();
  }

  void add(TableId table, ValueId value) {
    TableValues& values = tables_[table.index()];
    const ValueKind kind = history_.values().kind(value);
    if (kind == ValueKind::nil || kind == ValueKind::unreported) return;
    values.any = true;
    if (kind != ValueKind::row) return;
    for (const Column column : history_.values().row_of(value)) {
      const std::string_view name = history_.values().string_of(column.name);
      if (!values.columns.contains(name)) values.columns.emplace(name);
    }
  }

  const History& history_;
  std::vector<TableValues> tables_;
  std::map<std::uint32_t, std::set<std::string>> asked_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::key_in_two_types:
      return "key-in-two-types";
    case Kind::row_never_written:
      return "row-never-written";
    case Kind::unknown_column:
      return "unknown-column";
  }
  return "";
}

std::vector<RecorderSlip> recorder_slips(const History& history) {
  std::vector<RecorderSlip> slips;
  find_keys_in_two_types(history, slips);
  find_rows_never_written(history, slips);
  ColumnSearch(history).run(slips);
  return slips;
}

}  // namespace isoscope
