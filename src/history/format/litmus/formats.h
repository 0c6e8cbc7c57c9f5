#pragma once

// The litmus notation, for format_table.cpp.

#include "history/format/shared/reading.h"

namespace isoscope::format {

bool looks_like_litmus(const Head& head);
Result<History> read_litmus(const Source& source, const ReadOptions& options);
Status write_litmus(const History& history, ByteSink& sink);

}  // namespace isoscope::format
