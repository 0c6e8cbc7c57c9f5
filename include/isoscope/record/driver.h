#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/level/level.h"
#include "isoscope/record/completion.h"
#include "isoscope/record/connection_string.h"
#include "isoscope/workload/workload.h"

/// Door sign of `record`: real clients run a workload on a database, and what they saw becomes a
/// history as it happens.
///
/// Idea. The recorder (recorder.h) has a native thread for each session. The thread takes scripts
/// from a workload of its own, sends their requests through a Connection, and writes one line for
/// each transaction (history_file.h). Threads share nothing but the file: each has its own names,
/// so an id means something only together with the HistoryBuilder it comes from.
///
/// Which database that is, is behind the two classes below. There are these kinds:
///
///   stores   the embedded stores behind a lock: src/record/drivers/store_database.cpp
///   null     answers at once and remembers nothing, to measure the recorder
///   exec:    a child process that speaks one JSON line a request: docs/recording.md
///   SQL      a driver of an SQL database sees SQL only, and nothing of Isoscope (sql_client.h).
///            src/record/sql/ makes SQL of requests. sqlite is in drivers/sqlite/; a new database
///            is a folder there and a row in src/record/drivers/database_table.cpp
///
/// Invariants. (1) Outcomes are honest: see Completion. (2) A session that lost its connection, or
/// does not know how its transaction ended, goes on under a new name. (3) A password is in no
/// history, log or error: only ConnectionString::shown is ever printed.
///
/// Cost: a thread and a connection for each session; at most 10 microseconds of processor time for
/// a transaction of 8 operations on the null driver (bench/run record).
namespace isoscope::record {

/// What a database must hold before the run.
struct SetUp {
  std::vector<TableShape> tables;
  std::vector<RowVersion> rows;
};

/// One client's connection, used by one thread.
class Connection {
 public:
  virtual ~Connection() = default;

  virtual Completion begin() = 0;
  /// The reply's ids are of the names that the connection was made with; its rows are good until
  /// the next call. After trouble the transaction is rolled back.
  virtual Completion execute(const Request& request, Reply& reply) = 0;
  virtual Completion commit() = 0;
  /// Ends a transaction that was begun, whatever became of it. Trouble: the connection is gone.
  virtual Completion rollback() = 0;
};

/// What the header of a history says of the database.
struct DatabaseDescription {
  std::string server;
  std::string driver;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// A database at one isolation level. Threads connect at the same time.
class Database {
 public:
  virtual ~Database() = default;

  /// The level's name as the database calls it.
  virtual std::string_view isolation() const = 0;
  /// What it promises; nothing where nobody says.
  virtual std::optional<Level> promise() const = 0;
  virtual DatabaseDescription description() const = 0;
  /// Makes the tables anew, with these rows and no others. Ids are those of `names`.
  virtual Status set_up(const SetUp& wanted, HistoryBuilder& names) = 0;
  /// A connection for this session (a number below that of sessions), whose ids are those of
  /// `names`, which must outlive it.
  virtual Result<std::unique_ptr<Connection>> connect(std::size_t session,
                                                      HistoryBuilder& names) = 0;
};

}  // namespace isoscope::record
