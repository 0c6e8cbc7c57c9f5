#pragma once

// The notations of Jepsen and Elle, for format_table.cpp.

#include <string_view>

#include "history/format/shared/reading.h"
#include "isoscope/history/operation_log.h"

namespace isoscope::format {

bool looks_like_edn(const Head& head);
Result<History> read_edn(const Source& source, const ReadOptions& options);
Result<OperationLog> read_edn_log(const Source& source, const ReadOptions& options);
Status write_edn(const History& history, ByteSink& sink);

bool looks_like_elle_json(const Head& head);
Result<History> read_elle_json(const Source& source, const ReadOptions& options);
Result<OperationLog> read_elle_json_log(const Source& source, const ReadOptions& options);

/// `[]` or `()`, what Jepsen's notations have for a history without operations. Operations that are
/// no transactions, such as a nemesis', do not say that there are none.
bool are_empty_brackets(std::string_view text);

}  // namespace isoscope::format
