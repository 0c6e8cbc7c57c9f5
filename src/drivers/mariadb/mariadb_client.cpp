#include "drivers/mariadb/mariadb_client.h"

#include <errmsg.h>
#include <mysqld_error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace isoscope::record::mariadb {

namespace {

struct KnownError {
  unsigned code;
  Trouble trouble;
};
/// Errors with a meaning of their own. All others are refusals.
constexpr std::array known_errors = {
    KnownError{ER_CHECKREAD, Trouble::serialization},  // 1020: record has changed since last read
    KnownError{ER_LOCK_DEADLOCK, Trouble::deadlock},   // 1213
    KnownError{ER_LOCK_WAIT_TIMEOUT, Trouble::lock_timeout},  // 1205
    KnownError{ER_DUP_ENTRY, Trouble::constraint},            // 1062
    KnownError{ER_SERVER_SHUTDOWN, Trouble::disconnected},    // 1053
    KnownError{ER_CONNECTION_KILLED, Trouble::disconnected},  // 1927
};

Trouble trouble_with(unsigned code) {
  const auto* known = std::ranges::find(known_errors, code, &KnownError::code);
  if (known != known_errors.end()) return known->trouble;
  // The client library has numbers of its own, and they are about the connection.
  const bool is_client = (code >= CR_MIN_ERROR && code <= CR_MAX_ERROR) ||
                         (code >= CER_MIN_ERROR && code <= CER_MAX_ERROR);
  return is_client ? Trouble::disconnected : Trouble::refused;
}

std::string message_of(unsigned code, const char* text) {
  return std::to_string(code) + ": " + (text == nullptr ? "" : text);
}

bool is_integer(const MYSQL_FIELD& field) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
      return true;
    default:
      return false;
  }
}

/// One column of a result, as it is fetched row by row.
struct Column {
  std::int64_t number = 0;
  std::string text;
  unsigned long length = 0;
  my_bool is_null = 0;
};

void bind_column(const MYSQL_FIELD& field, Column& column, MYSQL_BIND& bind) {
  bind.is_null = &column.is_null;
  bind.length = &column.length;
  if (is_integer(field)) {
    bind.buffer_type = MYSQL_TYPE_LONGLONG;
    bind.buffer = &column.number;
    return;
  }
  column.text.resize(std::max<std::size_t>(field.max_length, 1));
  bind.buffer_type = MYSQL_TYPE_STRING;
  bind.buffer = column.text.data();
  bind.buffer_length = column.text.size();
}

/// Parameters as the server takes them. They point to the cells.
std::vector<MYSQL_BIND> bound(std::span<const SqlCell> cells) {
  std::vector<MYSQL_BIND> binds(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    MYSQL_BIND& bind = binds[i];
    bind = {};
    switch (cells[i].kind) {
      case SqlCell::Kind::null:
        bind.buffer_type = MYSQL_TYPE_NULL;
        break;
      case SqlCell::Kind::integer:
        bind.buffer_type = MYSQL_TYPE_LONGLONG;
        bind.buffer = const_cast<std::int64_t*>(&cells[i].integer);
        break;
      case SqlCell::Kind::text:
        bind.buffer_type = MYSQL_TYPE_STRING;
        bind.buffer = const_cast<char*>(cells[i].text.data());
        bind.buffer_length = cells[i].text.size();
        break;
    }
  }
  return binds;
}

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

Client::~Client() {
  for (MYSQL_STMT* statement : prepared_) {
    if (statement != nullptr) mysql_stmt_close(statement);
  }
  if (connection_ != nullptr) mysql_close(connection_);
}

Completion Client::open(const ConnectionString& database) {
  connection_ = mysql_init(nullptr);
  if (connection_ == nullptr)
    return Completion::certainly(Trouble::refused, "no memory for a connection");
  mysql_options(connection_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  const unsigned not_allowed = 0;
  mysql_options(connection_, MYSQL_OPT_LOCAL_INFILE, &not_allowed);
  unsigned port = 0;
  std::from_chars(database.port.data(), database.port.data() + database.port.size(), port);
  const std::string socket(database.parameter("socket"));
  // With this flag rows count as changed that already held what was written.
  const MYSQL* const connected = mysql_real_connect(
      connection_, or_null(database.host), or_null(database.user), or_null(database.password),
      or_null(database.path), port, or_null(socket), CLIENT_FOUND_ROWS);
  if (connected == nullptr) {
    Completion done = trouble();
    done.trouble = Trouble::disconnected;
    return done;
  }
  return run("SET SESSION TRANSACTION ISOLATION LEVEL " + isolation_);
}

Completion Client::trouble() const {
  const unsigned code = mysql_errno(connection_);
  return Completion::certainly(trouble_with(code), message_of(code, mysql_error(connection_)));
}

Completion Client::trouble_of(MYSQL_STMT* statement) const {
  const unsigned code = mysql_stmt_errno(statement);
  return Completion::certainly(trouble_with(code), message_of(code, mysql_stmt_error(statement)));
}

Completion Client::run(std::string_view sql) {
  if (mysql_real_query(connection_, sql.data(), sql.size()) != 0) return trouble();
  MYSQL_RES* const result = mysql_store_result(connection_);
  if (result != nullptr) mysql_free_result(result);
  return mysql_errno(connection_) == 0 ? Completion{} : trouble();
}

Completion Client::begin() {
  has_failed_ = false;
  return run("START TRANSACTION");
}

Completion Client::prepare(const SqlStatement& statement, MYSQL_STMT*& prepared) {
  if (statement.number >= prepared_.size()) prepared_.resize(statement.number + 1);
  MYSQL_STMT*& kept = prepared_[statement.number];
  if (kept == nullptr) {
    MYSQL_STMT* const made = mysql_stmt_init(connection_);
    if (made == nullptr) return trouble();
    const my_bool wanted = 1;
    mysql_stmt_attr_set(made, STMT_ATTR_UPDATE_MAX_LENGTH, &wanted);
    if (mysql_stmt_prepare(made, statement.text.data(), statement.text.size()) != 0) {
      Completion done = trouble_of(made);
      mysql_stmt_close(made);
      return done;
    }
    kept = made;
  }
  prepared = kept;
  return {};
}

Completion Client::execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                           SqlRows& rows) {
  MYSQL_STMT* prepared = nullptr;
  Completion done = prepare(statement, prepared);
  if (done) {
    std::vector<MYSQL_BIND> binds = bound(parameters);
    const bool is_sent = (binds.empty() || mysql_stmt_bind_param(prepared, binds.data()) == 0) &&
                         mysql_stmt_execute(prepared) == 0;
    done = is_sent ? take_rows(prepared, rows) : trouble_of(prepared);
  }
  if (!done) has_failed_ = true;
  return done;
}

Completion Client::take_rows(MYSQL_STMT* statement, SqlRows& rows) {
  const std::size_t count = mysql_stmt_field_count(statement);
  rows.start(count);
  rows.matched = mysql_stmt_affected_rows(statement);
  if (count == 0) return {};
  // The whole result comes now, and with it errors that come after rows.
  if (mysql_stmt_store_result(statement) != 0) return trouble_of(statement);
  MYSQL_RES* const description = mysql_stmt_result_metadata(statement);
  if (description == nullptr) return trouble_of(statement);
  const MYSQL_FIELD* const fields = mysql_fetch_fields(description);
  std::vector<Column> columns(count);
  std::vector<MYSQL_BIND> binds(count);
  for (std::size_t i = 0; i < count; ++i) {
    binds[i] = {};
    bind_column(fields[i], columns[i], binds[i]);
  }
  int fetched = mysql_stmt_bind_result(statement, binds.data()) == 0 ? 0 : 1;
  while (fetched == 0 && (fetched = mysql_stmt_fetch(statement)) == 0) {
    for (std::size_t i = 0; i < count; ++i) {
      if (columns[i].is_null != 0) {
        rows.add_null();
      } else if (is_integer(fields[i])) {
        rows.add_integer(columns[i].number);
      } else {
        rows.add_text({columns[i].text.data(), columns[i].length});
      }
    }
  }
  mysql_free_result(description);
  Completion done = fetched == MYSQL_NO_DATA ? Completion{} : trouble_of(statement);
  mysql_stmt_free_result(statement);
  return done;
}

Completion Client::commit() {
  if (has_failed_) {
    Completion ended = rollback();
    if (!ended) return ended;
    return Completion::certainly(Trouble::refused, "a statement of the transaction has failed");
  }
  Completion done = run("COMMIT");
  // A conflict that is found only now, as Galera does, rolls the transaction back. What else may
  // come is not documented to.
  if (!done)
    done.is_certain = done.trouble == Trouble::deadlock || done.trouble == Trouble::serialization;
  return done;
}

Completion Client::rollback() {
  Completion done = run("ROLLBACK");
  if (!done) done.trouble = Trouble::disconnected;
  has_failed_ = false;
  return done;
}

std::vector<std::pair<std::string, std::string>> Client::settings() {
  std::vector<std::pair<std::string, std::string>> settings;
  // MySQL calls the first one transaction_isolation.
  if (mysql_query(connection_,
                  "SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_isolation', "
                  "'transaction_isolation', 'innodb_snapshot_isolation', "
                  "'innodb_flush_log_at_trx_commit', 'innodb_lock_wait_timeout', "
                  "'innodb_rollback_on_timeout', 'innodb_deadlock_detect', 'sync_binlog', "
                  "'wsrep_on')") != 0)
    return settings;
  MYSQL_RES* const result = mysql_store_result(connection_);
  if (result == nullptr) return settings;
  while (const MYSQL_ROW row = mysql_fetch_row(result)) {
    if (row[0] != nullptr && row[1] != nullptr) settings.emplace_back(row[0], row[1]);
  }
  mysql_free_result(result);
  return settings;
}

SqlDescription Client::describe() {
  SqlDescription description;
  const std::string version = mysql_get_server_info(connection_);
  description.server =
      (version.find("MariaDB") == std::string::npos ? "MySQL " : "MariaDB ") + version;
  description.driver = std::string("libmariadb ") + mysql_get_client_info();
  description.settings = settings();
  const bool has_snapshots = std::ranges::any_of(description.settings, [](const auto& setting) {
    return setting.first == "innodb_snapshot_isolation" && setting.second == "ON";
  });
  description.promise = isolation_ == "SERIALIZABLE"       ? "serializable"
                        : isolation_ == "READ COMMITTED"   ? "read-committed"
                        : isolation_ == "READ UNCOMMITTED" ? "read-uncommitted"
                        : has_snapshots                    ? "snapshot-isolation"
                                                           : "repeatable-read";
  return description;
}

}  // namespace isoscope::record::mariadb
