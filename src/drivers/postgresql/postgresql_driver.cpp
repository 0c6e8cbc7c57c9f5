// The driver of PostgreSQL, by its own client library:
//
//   postgresql://USER:PASSWORD@HOST:PORT/DATABASE?host=/run/postgresql&sslmode=require
//
// The string is libpq's, with all its parameters.
#include <array>

#include "drivers/postgresql/postgresql_client.h"
#include "isoscope/record/plug_in.h"

namespace isoscope::record::postgresql {

namespace {

constexpr std::array<SqlLevel, 4> offered = {
    SqlLevel{"read-uncommitted", "the same as read-committed"},
    SqlLevel{"read-committed", "each statement has a snapshot of its own"},
    SqlLevel{"repeatable-read", "snapshot isolation: the first of two writers of a row wins"},
    SqlLevel{"serializable", "snapshot isolation with detection of dangerous conflicts (SSI)"},
};
constexpr std::array<const char*, 4> in_sql = {"READ UNCOMMITTED", "READ COMMITTED",
                                               "REPEATABLE READ", "SERIALIZABLE"};

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

class Driver final : public SqlDriver {
 public:
  SqlDialect dialect() const override { return {.numbered_parameters = true}; }
  std::span<const SqlLevel> levels(const ConnectionString&) const override { return offered; }
  std::size_t usual_level(const ConnectionString&) const override { return 1; }

  std::string problem_with(const ConnectionString& database) const override {
    char* message = nullptr;
    const std::unique_ptr<PQconninfoOption, FreeOptions> options(
        PQconninfoParse(database.text.c_str(), &message));
    if (options) return {};
    std::string problem = message == nullptr ? "not a connection string" : message;
    PQfreemem(message);
    problem.erase(problem.find_last_not_of('\n') + 1);
    return problem;
  }

  Completion connect(const ConnectionString& database, std::size_t level,
                     std::unique_ptr<SqlClient>& client) override {
    auto opened = std::make_unique<Client>(in_sql[level]);
    Completion done = opened->open(database);
    if (done) client = std::move(opened);
    return done;
  }
};

Driver driver;

}  // namespace

}  // namespace isoscope::record::postgresql

extern "C" ISOSCOPE_EXPORT const isoscope::record::PlugIn isoscope_plug_in{
    isoscope::record::plug_in_version, &isoscope::record::postgresql::driver};
