#include "drivers/sqlite/sqlite_client.h"

#include <chrono>

namespace isoscope::record::sqlite {

namespace {

constexpr std::string_view default_patience = "5000";  // ms to wait for a lock

std::chrono::milliseconds patience(const ConnectionString& database) {
  // problem_with() has looked at it.
  return std::chrono::milliseconds(
      std::stol(std::string(database.parameter("busy_timeout", default_patience))));
}

int bind(sqlite3_stmt* statement, int place, const SqlCell& cell) {
  switch (cell.kind) {
    case SqlCell::Kind::integer:
      return sqlite3_bind_int64(statement, place, cell.integer);
    case SqlCell::Kind::text:
      return sqlite3_bind_text(statement, place, cell.text.data(),
                               static_cast<int>(cell.text.size()), SQLITE_STATIC);
    case SqlCell::Kind::null:
      break;
  }
  return sqlite3_bind_null(statement, place);
}

void take_row(sqlite3_stmt* statement, int columns, SqlRows& rows) {
  for (int column = 0; column < columns; ++column) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_NULL:
        rows.add_null();
        break;
      case SQLITE_INTEGER:
        rows.add_integer(sqlite3_column_int64(statement, column));
        break;
      default: {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
        rows.add_text({text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))});
      }
    }
  }
}

}  // namespace

Client::Client(const ConnectionString& database, bool reads_uncommitted)
    : database_(database),
      reads_uncommitted_(reads_uncommitted),
      shares_cache_(reads_uncommitted || database.parameter("cache") == "shared"),
      begin_("BEGIN " + std::string(database.parameter("begin", "deferred"))) {}

Client::~Client() {
  for (sqlite3_stmt* statement : prepared_) sqlite3_finalize(statement);
  sqlite3_close(connection_);
}

Completion Client::open() {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                    (shares_cache_ ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE);
  const int code = sqlite3_open_v2(database_.rest.c_str(), &connection_, flags, nullptr);
  if (code != SQLITE_OK) return trouble(code);
  sqlite3_extended_result_codes(connection_, 1);
  sqlite3_busy_timeout(connection_, static_cast<int>(patience(database_).count()));
  std::string settings =
      "PRAGMA journal_mode=" + std::string(database_.parameter("journal", "wal"));
  if (const auto synchronous = database_.parameter("synchronous"); !synchronous.empty())
    settings += "; PRAGMA synchronous=" + std::string(synchronous);
  if (reads_uncommitted_) settings += "; PRAGMA read_uncommitted=1";
  return run(settings);
}

int Client::step(sqlite3_stmt* statement) {
  int code = sqlite3_step(statement);
  if (!shares_cache_ || (code & 0xff) != SQLITE_LOCKED) return code;
  // The time that SQLite waits by itself does not count for locks inside the shared cache.
  const auto end = std::chrono::steady_clock::now() + patience(database_);
  while ((code & 0xff) == SQLITE_LOCKED && std::chrono::steady_clock::now() < end) {
    sqlite3_reset(statement);
    sqlite3_sleep(1);
    code = sqlite3_step(statement);
  }
  return code;
}

Completion Client::trouble(int code) const {
  const std::string message =
      std::to_string(code) + ": " +
      (connection_ != nullptr ? sqlite3_errmsg(connection_) : sqlite3_errstr(code));
  switch (code) {
    case SQLITE_BUSY_SNAPSHOT:
      return Completion::certainly(Trouble::serialization, message);
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
      return Completion::certainly(Trouble::constraint, message);
    default:
      break;
  }
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Completion::certainly(Trouble::lock_timeout, message);
    default:
      return Completion::certainly(Trouble::refused, message);
  }
}

Completion Client::run(std::string_view sql) {
  while (!sql.empty()) {
    sqlite3_stmt* statement = nullptr;
    const char* rest = nullptr;
    int code = sqlite3_prepare_v2(connection_, sql.data(), static_cast<int>(sql.size()), &statement,
                                  &rest);
    if (code != SQLITE_OK) return trouble(code);
    sql.remove_prefix(static_cast<std::size_t>(rest - sql.data()));
    if (statement == nullptr) continue;  // white space
    do {
      code = step(statement);
    } while (code == SQLITE_ROW);
    const Completion done = code == SQLITE_DONE ? Completion{} : trouble(code);
    sqlite3_finalize(statement);
    if (!done) return done;
  }
  return {};
}

Completion Client::execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                           SqlRows& rows) {
  if (statement.number >= prepared_.size()) prepared_.resize(statement.number + 1);
  sqlite3_stmt*& prepared = prepared_[statement.number];
  if (prepared == nullptr) {
    const int code = sqlite3_prepare_v3(connection_, statement.text.data(),
                                        static_cast<int>(statement.text.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) return trouble(code);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const int code = bind(prepared, static_cast<int>(i) + 1, parameters[i]);
    if (code != SQLITE_OK) return trouble(code);
  }
  const int code = take_rows(prepared, rows);
  const Completion done = code == SQLITE_DONE ? Completion{} : trouble(code);
  sqlite3_reset(prepared);
  return done;
}

int Client::take_rows(sqlite3_stmt* statement, SqlRows& rows) {
  const int columns = sqlite3_column_count(statement);
  rows.start(static_cast<std::size_t>(columns));
  int code = step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) take_row(statement, columns, rows);
  rows.matched = static_cast<std::uint64_t>(sqlite3_changes64(connection_));
  return code;
}

Completion Client::commit() {
  Completion done = run("COMMIT");
  // A transaction that is still open can be rolled back for certain. Otherwise an error of the disk
  // may have come before or after what makes the commit.
  if (!done && sqlite3_get_autocommit(connection_) != 0) done.is_certain = false;
  return done;
}

Completion Client::rollback() {
  if (sqlite3_get_autocommit(connection_) != 0) return {};  // SQLite has done so already
  Completion done = run("ROLLBACK");
  if (!done) done.trouble = Trouble::disconnected;
  return done;
}

std::string Client::setting(const char* name) {
  const std::string sql = "PRAGMA " + std::string(name);
  sqlite3_stmt* statement = nullptr;
  std::string value;
  if (sqlite3_prepare_v2(connection_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    if (const auto* text = sqlite3_column_text(statement, 0))
      value = reinterpret_cast<const char*>(text);
  }
  sqlite3_finalize(statement);
  return value;
}

SqlDescription Client::describe() {
  SqlDescription description;
  description.server = std::string("SQLite ") + sqlite3_libversion();
  description.driver = description.server;
  description.promise = reads_uncommitted_ ? "read-uncommitted" : "serializable";
  description.settings = {{"cache", shares_cache_ ? "shared" : "private"},
                          {"begin", begin_.substr(begin_.find(' ') + 1)}};
  for (const char* name : {"journal_mode", "synchronous", "read_uncommitted", "busy_timeout"})
    description.settings.emplace_back(name, setting(name));
  return description;
}

}  // namespace isoscope::record::sqlite
