#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/record/driver.h"
#include "isoscope/record/sql_client.h"
#include "record/sql/table_sql.h"

namespace isoscope::record {

class PredicateSql;

/// A connection whose requests are asked in SQL.
class SqlConnection final : public Connection {
 public:
  SqlConnection(std::unique_ptr<SqlClient> client, const SqlDialect& dialect,
                std::span<const TableShape> tables, HistoryBuilder& names);

  Completion begin() override { return client_->begin(); }
  Completion execute(const Request& request, Reply& reply) override;
  Completion commit() override { return client_->commit(); }
  Completion rollback() override { return client_->rollback(); }

 private:
  /// A table, and its statements by key once they were asked for.
  struct Table {
    TableSql sql;
    std::optional<SqlStatement> by_key[8] = {};  // by OperationKind
  };

  const SqlStatement& by_key(Table& table, OperationKind kind);
  /// The statement of this text, which gets a number when it is new.
  const SqlStatement& statement(std::string text);
  std::uint32_t next_number() { return next_number_++; }
  Completion run(const SqlStatement& statement) {
    return client_->execute(statement, parameters_, answer_);
  }

  Completion on_key(Table& table, const Request& request, Reply& reply);
  Completion select(Table& table, const Request& request, Reply& reply);
  Completion change(Table& table, const Request& request, Reply& reply);
  Completion change_returning(Table& table, const Request& request, const Predicate& predicate);
  Completion change_what_was_read(Table& table, const Request& request, const Predicate& predicate);

  /// What an UPDATE that sets `change` makes of the row.
  ValueId updated(ValueId row, ValueId change);

  SqlCell cell(ValueId value);
  /// The columns of a row, or the one value, as parameters.
  void add_parameters(const Table& table, ValueId value);
  void add_parameters(const PredicateSql& condition);
  ValueId value_in(const SqlCell& cell);
  /// The value of a row of answer_ whose columns begin at `first`.
  ValueId row_value(const Table& table, std::size_t row, std::size_t first);
  ValueId list_in(const SqlCell& cell);
  KeyId key_in(TableId table, std::size_t row);

  const std::unique_ptr<SqlClient> client_;
  HistoryBuilder& names_;
  std::vector<std::optional<Table>> tables_;  // by id
  std::map<std::string, SqlStatement> by_text_;
  std::uint32_t next_number_ = 0;
  std::vector<SqlCell> parameters_;
  std::vector<std::string> texts_;  // of parameters
  std::vector<std::size_t> ranks_;  // of the columns that an UPDATE sets
  SqlRows answer_;
  std::vector<RowVersion> rows_;
};

}  // namespace isoscope::record
