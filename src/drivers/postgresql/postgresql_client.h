#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <vector>

#include "isoscope/record/sql_client.h"

namespace isoscope::record::postgresql {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using AnyResult = std::unique_ptr<PGresult, ClearResult>;

/// One connection to a server.
class Client final : public SqlClient {
 public:
  /// `isolation` as in SQL: "REPEATABLE READ".
  explicit Client(std::string isolation) : isolation_(std::move(isolation)) {}
  ~Client() override { PQfinish(connection_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Completion open(const ConnectionString& database);

  SqlDescription describe() override;
  Completion run(std::string_view sql) override;
  Completion begin() override { return run("BEGIN"); }
  Completion execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                     SqlRows& rows) override;
  Completion commit() override;
  Completion rollback() override;

 private:
  Completion prepare(const SqlStatement& statement);
  /// What became of a statement; `at_commit`: of COMMIT.
  Completion completion_of(const PGresult* result, bool at_commit = false) const;
  std::string setting(const char* name);

  const std::string isolation_;
  PGconn* connection_ = nullptr;
  std::vector<bool> is_prepared_;  // by the number of the statement
};

}  // namespace isoscope::record::postgresql
