#pragma once

// The notations of dbcop, for format_table.cpp.

#include "history/format/shared/reading.h"

namespace isoscope::format {

bool looks_like_dbcop_bincode(const Head& head);
Result<History> read_dbcop_bincode(const Source& source, const ReadOptions& options);
Status write_dbcop_bincode(const History& history, ByteSink& sink);

bool looks_like_dbcop_json(const Head& head);
Result<History> read_dbcop_json(const Source& source, const ReadOptions& options);

bool looks_like_dbcop_hist(const Head& head);
Result<History> read_dbcop_hist(const Source& source, const ReadOptions& options);

}  // namespace isoscope::format
