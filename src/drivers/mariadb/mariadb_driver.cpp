// The driver of MariaDB and MySQL, by the client library of MariaDB:
//
//   mariadb://USER:PASSWORD@HOST:PORT/DATABASE?socket=/run/mysqld/mysqld.sock
//
// Without host and port it is the socket of the machine's own server.
#include <array>
#include <mutex>

#include "drivers/mariadb/mariadb_client.h"
#include "isoscope/record/plug_in.h"

namespace isoscope::record::mariadb {

namespace {

constexpr std::array<SqlLevel, 4> offered = {
    SqlLevel{"read-uncommitted", "reads what others have not committed"},
    SqlLevel{"read-committed", "each statement has a snapshot of its own"},
    SqlLevel{"repeatable-read",
             "a snapshot for reads; with innodb_snapshot_isolation=ON for writes, too"},
    SqlLevel{"serializable", "reads lock what they read"},
};
constexpr std::array<const char*, 4> in_sql = {"READ UNCOMMITTED", "READ COMMITTED",
                                               "REPEATABLE READ", "SERIALIZABLE"};

/// The library's first call is not thread-safe.
bool prepare_library() {
  static std::once_flag once;
  static bool is_ready = false;
  std::call_once(once, [] { is_ready = mysql_server_init(0, nullptr, nullptr) == 0; });
  return is_ready;
}

class Driver final : public SqlDriver {
 public:
  SqlDialect dialect() const override {
    return {.quote = '`',
            .list = "LONGTEXT",
            .table_options = " ENGINE=InnoDB",
            .upsert = SqlDialect::Upsert::on_duplicate_key,
            .returning = false,
            .concatenates_by_bars = false};
  }
  std::span<const SqlLevel> levels(const ConnectionString&) const override { return offered; }
  std::size_t usual_level(const ConnectionString&) const override { return 2; }

  std::string problem_with(const ConnectionString& database) const override {
    for (const auto& [name, value] : database.parameters) {
      if (name != "socket")
        return "MariaDB's driver has no parameter '" + name + "' (it has: socket)";
    }
    return {};
  }

  Completion connect(const ConnectionString& database, std::size_t level,
                     std::unique_ptr<SqlClient>& client) override {
    if (!prepare_library())
      return Completion::certainly(Trouble::refused, "the client library cannot be used");
    auto opened = std::make_unique<Client>(in_sql[level]);
    Completion done = opened->open(database);
    if (done) client = std::move(opened);
    return done;
  }
};

Driver driver;

}  // namespace

}  // namespace isoscope::record::mariadb

extern "C" ISOSCOPE_EXPORT const isoscope::record::PlugIn isoscope_plug_in{
    isoscope::record::plug_in_version, &isoscope::record::mariadb::driver};
