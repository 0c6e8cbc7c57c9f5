#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/record/open_database.h"

// What stands behind the schemes, for database_table.cpp.

namespace isoscope::record {

using OpenedKind = Result<std::unique_ptr<Database>>;

OpenedKind open_store(StoreKind kind, const OpenOptions& options);
OpenedKind open_null(const OpenOptions& options);
OpenedKind open_child(const ConnectionString& name, const OpenOptions& options);
OpenedKind open_sql(const DatabaseEntry& entry, const ConnectionString& name,
                    const OpenOptions& options);

/// The complaint about a level that is not among those.
Error no_such_level(std::string_view database, std::string_view asked,
                    const std::vector<std::string_view>& offered);

/// "REPEATABLE READ" and "repeatable_read" are repeatable-read.
std::string plain_level_name(std::string_view text);

}  // namespace isoscope::record
