#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "isoscope/record/driver.h"
#include "isoscope/store/store_kind.h"

namespace isoscope::record {

/// What a database is opened with.
struct OpenOptions {
  std::string isolation = {};  ///< as the user called it; empty: the database's default
  // What the embedded stores take:
  Bug bug = Bug::none;
  unsigned bug_percent = 50;
  std::size_t lag = 4;
  std::size_t clients = 1;
  std::uint64_t seed = 1;
};

struct OpenedDatabase {
  std::unique_ptr<Database> database;
  std::string shown;  ///< its name without passwords
};

/// The database of a connection string (connection_string.h). Errors of kind `usage`: there is no
/// such database or level, or its driver is not installed. Of kind `input`: it cannot be reached,
/// or does not let us in.
Result<OpenedDatabase> open_database(std::string_view text, const OpenOptions& options);

/// One row of the table of databases.
struct DatabaseEntry {
  std::string_view scheme;   ///< "postgresql"
  std::string_view alias;    ///< another scheme that means the same; empty: none
  std::string_view example;  ///< of a connection string, for help
  std::string_view summary;  ///< one line
  std::string_view package;  ///< the Debian package that its driver is built with; empty: none
};

std::span<const DatabaseEntry> databases();

}  // namespace isoscope::record
