#include <algorithm>

#include "isoscope/base/words.h"
#include "isoscope/record/open_database.h"
#include "record/database/connection_string.h"
#include "record/database/kinds.h"

namespace isoscope::record {

namespace {

constexpr DatabaseEntry table[] = {
    {"sqlite", "sqlite3", "sqlite:test.db", "a file, made if it is not there", "libsqlite3-dev"},
    {"postgresql", "postgres", "postgresql://user@host/database", "a PostgreSQL server",
     "libpq-dev"},
    {"mariadb", "mysql", "mariadb://user@host/database", "a MariaDB or MySQL server",
     "libmariadb-dev"},
    {"exec", "", "exec:COMMAND", "any other database, through a program of yours", ""},
    {"null", "", "null:", "none: answers at once and forgets all, to measure the recorder", ""},
};

Error unknown(const ConnectionString& name) {
  const std::string what = name.scheme.empty() ? name.shown : name.scheme + ":";
  std::string known = "unknown database '" + what + "'; expected the name of a store (" +
                      joined(stores(), &StoreEntry::name) + "), or";
  std::string_view separator = " ";
  for (const DatabaseEntry& entry : table) {
    known += std::string(separator) + std::string(entry.example);
    separator = ", ";
  }
  return {known, {}, {}, ErrorKind::usage};
}

Result<std::unique_ptr<Database>> open(const ConnectionString& name, const OpenOptions& options) {
  if (name.scheme.empty()) {
    const auto kind = find_store(name.rest);
    if (!kind) return unknown(name);
    return open_store(*kind, options);
  }
  const auto* entry = std::ranges::find_if(table, [&](const DatabaseEntry& row) {
    return row.scheme == name.scheme || (row.alias == name.scheme && !row.alias.empty());
  });
  if (entry == std::end(table)) return unknown(name);
  if (options.bug != Bug::none)
    return Error{"--bug is for the embedded stores", {}, {}, ErrorKind::usage};
  if (entry->scheme == "null") return open_null(options);
  if (entry->scheme == "exec") return open_child(name, options);
  return open_sql(*entry, name, options);
}

}  // namespace

std::span<const DatabaseEntry> databases() { return table; }

Result<OpenedDatabase> open_database(std::string_view text, const OpenOptions& options) {
  ISOSCOPE_TRY(name, parse_connection_string(text));
  ISOSCOPE_TRY(database, open(name, options));
  return OpenedDatabase{std::move(database), name.shown};
}

Error no_such_level(std::string_view database, std::string_view asked,
                    const std::vector<std::string_view>& offered) {
  std::string what = std::string(database) + " does not offer the isolation level '" +
                     std::string(asked) + "'; expected";
  std::string_view separator = " ";
  for (const std::string_view name : offered) {
    what += std::string(separator) + std::string(name);
    separator = ", ";
  }
  return {what, {}, {}, ErrorKind::usage};
}

std::string plain_level_name(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '_') c = '-';
  }
  return plain;
}

}  // namespace isoscope::record
