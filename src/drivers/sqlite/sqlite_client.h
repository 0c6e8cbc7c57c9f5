#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

#include "isoscope/record/sql_client.h"

namespace isoscope::record::sqlite {

/// One connection to a database file.
///
/// With a cache of its own a connection sees what others have committed when its transaction first
/// reads, and a transaction that writes after somebody else committed is refused
/// (SQLITE_BUSY_SNAPSHOT): serializable. With the shared cache, connections of one process have
/// the same pages in memory. There `PRAGMA read_uncommitted` lets a connection read pages that
/// another one is changing.
class Client final : public SqlClient {
 public:
  Client(const ConnectionString& database, bool reads_uncommitted);
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Completion open();

  SqlDescription describe() override;
  Completion run(std::string_view sql) override;
  Completion begin() override { return run(begin_); }
  Completion execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                     SqlRows& rows) override;
  Completion commit() override;
  Completion rollback() override;

 private:
  /// Steps on; where another connection of the shared cache has a lock, it waits and asks again.
  int step(sqlite3_stmt* statement);
  int take_rows(sqlite3_stmt* statement, SqlRows& rows);
  Completion trouble(int code) const;
  /// What a PRAGMA says now.
  std::string setting(const char* name);

  const ConnectionString database_;
  const bool reads_uncommitted_;
  const bool shares_cache_;
  std::string begin_;
  sqlite3* connection_ = nullptr;
  std::vector<sqlite3_stmt*> prepared_;  // by the number of the statement; null: not yet
};

}  // namespace isoscope::record::sqlite
