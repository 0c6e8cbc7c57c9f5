#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "isoscope/record/sql_client.h"
#include "isoscope/workload/workload.h"

/// Door sign of `record/sql`: what requests are in SQL, in one place for all databases.
///
///   a table of values   isoscope(k, v)              a row that is not there reads as nil
///   a table of rows     isoscope_users(k, a, b)     one column for each of the workload's
///   a table of lists    isoscope(k, v)              v is a text, the elements with commas: 1,2,3
///
///   read, list_read     SELECT v FROM isoscope WHERE k = 7
///   write               INSERT INTO isoscope (k, v) VALUES (7, 1)
///                         ON CONFLICT (k) DO UPDATE SET v = excluded.v
///   insert              INSERT INTO isoscope (k, v) VALUES (7, 1)
///   remove              DELETE FROM isoscope WHERE k = 7
///   append              INSERT ... ON CONFLICT (k) DO UPDATE SET v = isoscope.v || ',' ||
///   excluded.v predicate_read      SELECT k, a, b FROM isoscope_users WHERE ... predicate_write
///   UPDATE isoscope_users SET a = 1 WHERE ... RETURNING k, a, b
///                         or DELETE FROM isoscope_users WHERE ... RETURNING k
///
/// Where a database cannot say which rows an UPDATE chose, they are read before it in the same
/// transaction, and locked: SELECT ... FOR UPDATE. Then these rows are changed by key, and by the
/// condition once more.
///
/// Files: table_sql the texts, predicate_sql conditions, sql_connection requests and answers,
/// sql_database set-up and levels, plug_in_loader the drivers.
namespace isoscope::record {

/// The texts of statements about one table.
class TableSql {
 public:
  TableSql(const TableShape& shape, const HistoryBuilder& names, const SqlDialect& dialect);

  TableShape::Holds holds() const { return holds_; }
  /// The columns besides the key.
  std::size_t column_count() const { return columns_.size(); }
  /// Their names; none in tables of values and lists.
  std::span<const ValueId> column_names() const { return names_of_columns_; }
  const SqlDialect& dialect() const { return dialect_; }
  std::string quoted(std::string_view name) const;

  // For the set-up.
  std::string drop() const;
  std::string create() const;
  /// INSERT INTO t (k, a, b) VALUES, without any row.
  std::string insert_into() const;

  // By key. Parameters: the key, then the columns.
  std::string read() const;
  std::string insert() const;
  std::string write() const;
  std::string remove() const;
  std::string append() const;

  // By condition, whose parameters come last.
  std::string select(std::string_view condition, bool locks) const;
  /// Sets the columns with these ranks, whose values are the first parameters.
  std::string update(std::span<const std::size_t> ranks, std::string_view condition,
                     bool returns) const;
  std::string remove_where(std::string_view condition, bool returns) const;

  /// The parameter of this number, from 1 on.
  std::string place(std::size_t number) const;
  std::string key_column() const { return quoted("k"); }

 private:
  std::string columns_after_key() const;  // , "a", "b"

  const SqlDialect& dialect_;
  TableShape::Holds holds_;
  std::string table_;                 // quoted
  std::vector<std::string> columns_;  // quoted
  std::vector<ValueId> names_of_columns_;
};

}  // namespace isoscope::record
