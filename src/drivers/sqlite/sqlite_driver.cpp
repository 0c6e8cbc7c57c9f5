// The driver of SQLite, which is a library: the database is a file.
//
//   sqlite:FILE?cache=shared&journal=delete&synchronous=off&begin=immediate&busy_timeout=100
//
// Each parameter may be left out. The journal is WAL then, and the other things are as SQLite has
// them, but that it waits 5 seconds for a lock.
#include <algorithm>
#include <array>

#include "drivers/sqlite/sqlite_client.h"
#include "isoscope/record/plug_in.h"

namespace isoscope::record::sqlite {

namespace {

constexpr std::array<SqlLevel, 2> offered = {
    SqlLevel{"read-uncommitted",
             "shared cache with PRAGMA read_uncommitted: sees what others have not committed"},
    SqlLevel{"serializable", "one writer at a time, readers see a snapshot"},
};

struct Parameter {
  std::string_view name;
  std::string_view values;  ///< with spaces around each; empty: a number
};
constexpr std::array<Parameter, 5> known = {
    Parameter{"cache", " shared private "},
    Parameter{"journal", " wal delete truncate persist memory off "},
    Parameter{"synchronous", " off normal full extra "},
    Parameter{"begin", " deferred immediate exclusive "},
    Parameter{"busy_timeout", ""},
};

bool is_value_of(const Parameter& parameter, std::string_view value) {
  if (!parameter.values.empty())
    return parameter.values.find(" " + std::string(value) + " ") != std::string_view::npos;
  return !value.empty() && value.size() < 7 &&
         std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

class Driver final : public SqlDriver {
 public:
  SqlDialect dialect() const override { return {.integer = "INTEGER"}; }
  std::span<const SqlLevel> levels(const ConnectionString&) const override { return offered; }
  std::size_t usual_level(const ConnectionString&) const override { return 1; }

  std::string problem_with(const ConnectionString& database) const override {
    if (database.rest.empty() || database.rest == ":memory:")
      return "expected a file, as in sqlite:test.db: it is what the clients have in common";
    for (const auto& [name, value] : database.parameters) {
      const auto* parameter = std::ranges::find(known, name, &Parameter::name);
      if (parameter == known.end()) return "SQLite's driver has no parameter '" + name + "'";
      if (is_value_of(*parameter, value)) continue;
      return "expected " + name + " to be " +
             (parameter->values.empty() ? std::string("a number of milliseconds")
                                        : "one of" + std::string(parameter->values)) +
             ", found '" + value + "'";
    }
    return {};
  }

  Completion connect(const ConnectionString& database, std::size_t level,
                     std::unique_ptr<SqlClient>& client) override {
    auto opened = std::make_unique<Client>(database, level == 0);
    Completion done = opened->open();
    if (done) client = std::move(opened);
    return done;
  }
};

Driver driver;

}  // namespace

}  // namespace isoscope::record::sqlite

extern "C" ISOSCOPE_EXPORT const isoscope::record::PlugIn isoscope_plug_in{
    isoscope::record::plug_in_version, &isoscope::record::sqlite::driver};
