#include "drivers/postgresql/postgresql_client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace isoscope::record::postgresql {

namespace {

constexpr Oid oid_of_int8 = 20;
constexpr Oid oid_of_int2 = 21;
constexpr Oid oid_of_int4 = 23;

/// The server's messages have several lines.
std::string in_one_line(const char* text) {
  std::string line(text == nullptr ? "" : text);
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  for (std::size_t end = line.find('\n'); end != std::string::npos; end = line.find('\n', end))
    line.replace(end, 1, "; ");
  std::erase(line, '\t');
  return line;
}

std::string_view field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? "" : text;
}

struct KnownState {
  std::string_view state;
  Trouble trouble;
};
/// Errors with a meaning of their own (PostgreSQL's manual, appendix A). All others are refusals.
constexpr std::array known_states = {
    KnownState{"40001", Trouble::serialization},  // serialization_failure
    KnownState{"40P01", Trouble::deadlock},       // deadlock_detected
    KnownState{"55P03", Trouble::lock_timeout},   // lock_not_available
    KnownState{"23505", Trouble::constraint},     // unique_violation
    KnownState{"57P01", Trouble::disconnected},   // admin_shutdown
    KnownState{"57P02", Trouble::disconnected},   // crash_shutdown
    KnownState{"57P03", Trouble::disconnected},   // cannot_connect_now
    KnownState{"57P05", Trouble::disconnected},   // idle_session_timeout
    KnownState{"25P03", Trouble::disconnected},   // idle_in_transaction_session_timeout
};

Trouble trouble_of(std::string_view state) {
  const auto* known = std::ranges::find(known_states, state, &KnownState::state);
  if (known != known_states.end()) return known->trouble;
  return state.starts_with("08") ? Trouble::disconnected : Trouble::refused;
}

/// A severity of FATAL or PANIC says that the server gave up on the connection, but not how far it
/// had come. With ERROR it has rolled the transaction back, also at COMMIT: what it writes to the
/// log as committed, it does not answer with an error.
bool is_rolled_back(const PGresult* result) {
  return field(result, PG_DIAG_SEVERITY_NONLOCALIZED) == "ERROR" &&
         field(result, PG_DIAG_SQLSTATE) != "40003";  // statement_completion_unknown
}

void take_cell(const PGresult* result, int row, int column, SqlRows& rows) {
  if (PQgetisnull(result, row, column) != 0) return rows.add_null();
  const char* text = PQgetvalue(result, row, column);
  const std::string_view value(text, static_cast<std::size_t>(PQgetlength(result, row, column)));
  const Oid type = PQftype(result, column);
  std::int64_t number = 0;
  if ((type == oid_of_int8 || type == oid_of_int4 || type == oid_of_int2) &&
      std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc())
    return rows.add_integer(number);
  rows.add_text(value);
}

void take_rows(const PGresult* result, SqlRows& rows) {
  const int columns = PQnfields(result);
  rows.start(static_cast<std::size_t>(columns));
  const int count = PQntuples(result);
  for (int row = 0; row < count; ++row) {
    for (int column = 0; column < columns; ++column) take_cell(result, row, column, rows);
  }
  // "" of what changes nothing, and of SELECT the rows returned.
  rows.matched = std::strtoull(PQcmdTuples(const_cast<PGresult*>(result)), nullptr, 10);
}

/// Parameters as texts with an end, as the server takes them.
struct Parameters {
  explicit Parameters(std::span<const SqlCell> cells) {
    texts.reserve(cells.size());
    for (const SqlCell& cell : cells) {
      texts.push_back(cell.kind == SqlCell::Kind::integer ? std::to_string(cell.integer)
                                                          : std::string(cell.text));
      pointers.push_back(cell.kind == SqlCell::Kind::null ? nullptr : texts.back().c_str());
    }
  }
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
};

void ignore_notice(void*, const PGresult*) {}

}  // namespace

Completion Client::open(const ConnectionString& database) {
  // libpq takes the string apart by itself, and knows all its parameters.
  const char* const names[] = {"dbname", "fallback_application_name", nullptr};
  const char* const values[] = {database.text.c_str(), "isoscope", nullptr};
  connection_ = PQconnectdbParams(names, values, 1);
  if (PQstatus(connection_) != CONNECTION_OK)
    return Completion::certainly(Trouble::disconnected, in_one_line(PQerrorMessage(connection_)));
  PQsetNoticeReceiver(connection_, ignore_notice, nullptr);
  return run("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + isolation_);
}

Completion Client::completion_of(const PGresult* result, bool at_commit) const {
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
    if (!at_commit || std::strcmp(PQcmdStatus(const_cast<PGresult*>(result)), "COMMIT") == 0)
      return {};
    return Completion::certainly(Trouble::refused, std::string("COMMIT was answered with ") +
                                                       PQcmdStatus(const_cast<PGresult*>(result)));
  }
  const std::string state(field(result, PG_DIAG_SQLSTATE));
  if (state.empty()) {
    // The message is libpq's own: there was no answer.
    return {Trouble::disconnected, !at_commit, in_one_line(PQerrorMessage(connection_))};
  }
  const bool is_lost = PQstatus(connection_) != CONNECTION_OK;
  const std::string message =
      state + ": " + in_one_line(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
  return {is_lost ? Trouble::disconnected : trouble_of(state), !at_commit || is_rolled_back(result),
          message};
}

Completion Client::run(std::string_view sql) {
  const AnyResult result(PQexec(connection_, std::string(sql).c_str()));
  return completion_of(result.get());
}

Completion Client::prepare(const SqlStatement& statement) {
  if (statement.number >= is_prepared_.size()) is_prepared_.resize(statement.number + 1);
  if (is_prepared_[statement.number]) return {};
  const std::string name = std::to_string(statement.number);
  const AnyResult result(PQprepare(connection_, name.c_str(), statement.text.c_str(), 0, nullptr));
  Completion done = completion_of(result.get());
  if (done) is_prepared_[statement.number] = true;
  return done;
}

Completion Client::execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                           SqlRows& rows) {
  if (Completion prepared = prepare(statement); !prepared) return prepared;
  const Parameters given(parameters);
  const std::string name = std::to_string(statement.number);
  const AnyResult result(PQexecPrepared(connection_, name.c_str(),
                                        static_cast<int>(given.pointers.size()),
                                        given.pointers.data(), nullptr, nullptr, 0));
  Completion done = completion_of(result.get());
  if (done) take_rows(result.get(), rows);
  return done;
}

Completion Client::commit() {
  const AnyResult result(PQexec(connection_, "COMMIT"));
  return completion_of(result.get(), true);
}

Completion Client::rollback() {
  if (PQstatus(connection_) == CONNECTION_OK && PQtransactionStatus(connection_) == PQTRANS_IDLE)
    return {};  // the server has ended it already
  Completion done = run("ROLLBACK");
  if (!done) done.trouble = Trouble::disconnected;
  return done;
}

std::string Client::setting(const char* name) {
  const std::string sql = "SHOW " + std::string(name);
  const AnyResult result(PQexec(connection_, sql.c_str()));
  return PQntuples(result.get()) == 1 ? PQgetvalue(result.get(), 0, 0) : "";
}

SqlDescription Client::describe() {
  SqlDescription description;
  description.server = "PostgreSQL " + setting("server_version");
  const int version = PQlibVersion();
  description.driver =
      "libpq " + std::to_string(version / 10000) + "." + std::to_string(version % 10000);
  description.promise = isolation_ == "SERIALIZABLE"      ? "serializable"
                        : isolation_ == "REPEATABLE READ" ? "snapshot-isolation"
                                                          : "read-committed";
  for (const char* name : {"transaction_isolation", "synchronous_commit", "fsync",
                           "full_page_writes", "deadlock_timeout", "in_hot_standby"})
    description.settings.emplace_back(name, setting(name));
  return description;
}

}  // namespace isoscope::record::postgresql
