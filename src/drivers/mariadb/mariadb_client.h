#pragma once

#include <mysql.h>

#include <string>
#include <vector>

#include "isoscope/record/sql_client.h"

namespace isoscope::record::mariadb {

/// One connection to a server of MariaDB or MySQL.
class Client final : public SqlClient {
 public:
  /// `isolation` as in SQL: "REPEATABLE READ".
  explicit Client(std::string isolation) : isolation_(std::move(isolation)) {}
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Completion open(const ConnectionString& database);

  SqlDescription describe() override;
  Completion run(std::string_view sql) override;
  Completion begin() override;
  Completion execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                     SqlRows& rows) override;
  Completion commit() override;
  Completion rollback() override;

 private:
  Completion prepare(const SqlStatement& statement, MYSQL_STMT*& prepared);
  Completion take_rows(MYSQL_STMT* statement, SqlRows& rows);
  /// The trouble that the connection, or a statement, is in.
  Completion trouble() const;
  Completion trouble_of(MYSQL_STMT* statement) const;
  std::vector<std::pair<std::string, std::string>> settings();

  const std::string isolation_;
  MYSQL* connection_ = nullptr;
  std::vector<MYSQL_STMT*> prepared_;  // by the number of the statement; null: not yet
  /// A statement of the transaction failed. After some errors the server has rolled the transaction
  /// back and would still say yes to COMMIT, so that is not asked then.
  bool has_failed_ = false;
};

}  // namespace isoscope::record::mariadb
