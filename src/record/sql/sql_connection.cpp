#include "record/sql/sql_connection.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "isoscope/base/contract.h"
#include "record/sql/predicate_sql.h"

namespace isoscope::record {

SqlConnection::SqlConnection(std::unique_ptr<SqlClient> client, const SqlDialect& dialect,
                             std::span<const TableShape> tables, HistoryBuilder& names)
    : client_(std::move(client)), names_(names) {
  for (const TableShape& shape : tables) {
    if (shape.table.index() >= tables_.size()) tables_.resize(shape.table.index() + 1);
    tables_[shape.table.index()].emplace(Table{TableSql(shape, names, dialect)});
  }
}

const SqlStatement& SqlConnection::statement(std::string text) {
  const auto known = by_text_.find(text);
  if (known != by_text_.end()) return known->second;
  SqlStatement made{next_number(), text};
  return by_text_.emplace(std::move(text), std::move(made)).first->second;
}

const SqlStatement& SqlConnection::by_key(Table& table, OperationKind kind) {
  auto& statement = table.by_key[static_cast<std::size_t>(kind)];
  if (statement) return *statement;
  std::string text;
  switch (kind) {
    case OperationKind::write:
      text = table.sql.write();
      break;
    case OperationKind::insert:
      text = table.sql.insert();
      break;
    case OperationKind::remove:
      text = table.sql.remove();
      break;
    case OperationKind::append:
      text = table.sql.append();
      break;
    default:
      text = table.sql.read();
  }
  return statement.emplace(SqlStatement{next_number(), std::move(text)});
}

Completion SqlConnection::execute(const Request& request, Reply& reply) {
  parameters_.clear();
  texts_.clear();
  rows_.clear();
  switch (request.kind) {
    case OperationKind::predicate_read:
      return select(*tables_[request.table.index()], request, reply);
    case OperationKind::predicate_write:
      return change(*tables_[request.table.index()], request, reply);
    default:
      return on_key(*tables_[names_.key_table(request.key).index()], request, reply);
  }
}

SqlCell SqlConnection::cell(ValueId value) {
  const ValuePool& values = names_.values();
  switch (values.kind(value)) {
    case ValueKind::integer:
      return SqlCell::of(values.integer_of(value));
    case ValueKind::string:
      return SqlCell::of(values.string_of(value));
    default:
      return {};
  }
}

void SqlConnection::add_parameters(const Table& table, ValueId value) {
  const ValuePool& values = names_.values();
  if (table.sql.holds() == TableShape::Holds::lists) {
    // The longest text that is kept is that of one element.
    texts_.push_back(std::to_string(values.integer_of(value)));
    parameters_.push_back(SqlCell::of(texts_.back()));
    return;
  }
  if (values.kind(value) != ValueKind::row) {
    parameters_.push_back(cell(value));
    return;
  }
  for (const ValueId name : table.sql.column_names()) {
    SqlCell found;
    for (const Column& column : values.row_of(value)) {
      if (column.name == name) found = cell(column.value);
    }
    parameters_.push_back(found);
  }
}

void SqlConnection::add_parameters(const PredicateSql& condition) {
  parameters_.insert(parameters_.end(), condition.parameters().begin(),
                     condition.parameters().end());
}

Completion SqlConnection::on_key(Table& table, const Request& request, Reply& reply) {
  parameters_.push_back(cell(names_.key_name(request.key)));
  const bool writes = request.kind == OperationKind::write ||
                      request.kind == OperationKind::insert ||
                      request.kind == OperationKind::append;
  if (writes) add_parameters(table, request.value);
  Completion done = run(by_key(table, request.kind));
  const bool reads =
      request.kind == OperationKind::read || request.kind == OperationKind::list_read;
  if (!done || !reads) return done;
  reply.value = answer_.size() == 0 ? ValuePool::nil : row_value(table, 0, 0);
  return done;
}

ValueId SqlConnection::value_in(const SqlCell& cell) {
  switch (cell.kind) {
    case SqlCell::Kind::integer:
      return names_.values().integer(cell.integer);
    case SqlCell::Kind::text:
      return names_.values().string(cell.text);
    case SqlCell::Kind::null:
      break;
  }
  return ValuePool::nil;
}

ValueId SqlConnection::list_in(const SqlCell& cell) {
  ValueId list = ValuePool::empty_list;
  if (cell.kind == SqlCell::Kind::integer)  // some databases make one of the text of one element
    return names_.values().list_with(list, names_.values().integer(cell.integer));
  const char* at = cell.text.data();
  const char* const end = at + cell.text.size();
  while (at != end) {
    std::int64_t element = 0;
    const auto [next, problem] = std::from_chars(at, end, element);
    // A text that nobody can have written: it is kept as what it is, and no level allows it.
    if (problem != std::errc())
      return names_.values().list_with(list, names_.values().string(cell.text));
    list = names_.values().list_with(list, names_.values().integer(element));
    at = next == end ? end : next + 1;
  }
  return list;
}

ValueId SqlConnection::row_value(const Table& table, std::size_t row, std::size_t first) {
  if (table.sql.holds() == TableShape::Holds::lists) return list_in(answer_.at(row, first));
  if (table.sql.holds() == TableShape::Holds::values) return value_in(answer_.at(row, first));
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.sql.column_count(); ++i)
    columns.push_back({table.sql.column_names()[i], value_in(answer_.at(row, first + i))});
  return names_.values().row(columns);
}

KeyId SqlConnection::key_in(TableId table, std::size_t row) {
  return names_.key(value_in(answer_.at(row, 0)), table);
}

Completion SqlConnection::select(Table& table, const Request& request, Reply& reply) {
  const PredicateSql condition(names_.predicate(request.predicate), table.sql, names_, 1);
  add_parameters(condition);
  Completion done = run(statement(table.sql.select(condition.text(), false)));
  if (!done) return done;
  for (std::size_t row = 0; row < answer_.size(); ++row)
    rows_.push_back({key_in(request.table, row), row_value(table, row, 1)});
  reply.rows = rows_;
  return done;
}

Completion SqlConnection::change(Table& table, const Request& request, Reply& reply) {
  ranks_.clear();
  const ValuePool& values = names_.values();
  if (values.kind(request.value) == ValueKind::row) {
    // Only the columns that it names are set.
    for (const Column& column : values.row_of(request.value)) {
      const auto names = table.sql.column_names();
      const auto rank = std::ranges::find(names, column.name) - names.begin();
      ISOSCOPE_ENSURE(static_cast<std::size_t>(rank) < names.size());
      ranks_.push_back(static_cast<std::size_t>(rank));
      parameters_.push_back(cell(column.value));
    }
  } else if (request.value != ValuePool::nil) {
    ranks_.push_back(0);
    parameters_.push_back(cell(request.value));
  }
  const Predicate& predicate = names_.predicate(request.predicate);
  Completion done = table.sql.dialect().returning ? change_returning(table, request, predicate)
                                                  : change_what_was_read(table, request, predicate);
  reply.rows = rows_;
  return done;
}

Completion SqlConnection::change_returning(Table& table, const Request& request,
                                           const Predicate& predicate) {
  const bool removes = request.value == ValuePool::nil;
  const PredicateSql condition(predicate, table.sql, names_, ranks_.size() + 1);
  add_parameters(condition);
  Completion done = run(statement(removes ? table.sql.remove_where(condition.text(), true)
                                          : table.sql.update(ranks_, condition.text(), true)));
  if (!done) return done;
  for (std::size_t row = 0; row < answer_.size(); ++row) {
    rows_.push_back(
        {key_in(request.table, row), removes ? ValuePool::nil : row_value(table, row, 1)});
  }
  return done;
}

ValueId SqlConnection::updated(ValueId row, ValueId change) {
  ValuePool& values = names_.values();
  if (values.kind(change) != ValueKind::row) return change;
  std::vector<Column> columns;
  for (Column column : values.row_of(row)) {
    for (const Column& changed : values.row_of(change)) {
      if (changed.name == column.name) column.value = changed.value;
    }
    columns.push_back(column);
  }
  return values.row(columns);
}

Completion SqlConnection::change_what_was_read(Table& table, const Request& request,
                                               const Predicate& predicate) {
  const bool removes = request.value == ValuePool::nil;
  const std::vector<SqlCell> set = std::exchange(parameters_, {});
  const PredicateSql chosen(predicate, table.sql, names_, 1);
  add_parameters(chosen);
  Completion done = run(statement(table.sql.select(chosen.text(), true)));
  if (!done || answer_.size() == 0) return done;
  std::vector<SqlCell> keys;
  for (std::size_t row = 0; row < answer_.size(); ++row) {
    keys.push_back(answer_.at(row, 0));
    rows_.push_back({key_in(request.table, row),
                     removes ? ValuePool::nil : updated(row_value(table, row, 1), request.value)});
  }
  // Few numbers of places, so that few statements are prepared: the last key comes again.
  keys.resize(std::bit_ceil(keys.size()), keys.back());
  parameters_ = set;
  const PredicateSql condition(predicate, table.sql, names_, set.size() + 1);
  add_parameters(condition);
  std::string text = "(" + condition.text() + ") AND " + table.sql.key_column() + " IN (";
  for (std::size_t i = 0; i < keys.size(); ++i)
    text += (i == 0 ? "" : ", ") + table.sql.place(parameters_.size() + i + 1);
  text += ")";
  parameters_.insert(parameters_.end(), keys.begin(), keys.end());
  return run(statement(removes ? table.sql.remove_where(text, false)
                               : table.sql.update(ranks_, text, false)));
}

}  // namespace isoscope::record
