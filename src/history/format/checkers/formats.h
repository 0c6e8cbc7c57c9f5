#pragma once

// The formats of the other checkers, for format_table.cpp.

#include "history/format/shared/reading.h"

namespace isoscope::format {

bool looks_like_cobra(const Head& head);
Result<History> read_cobra(const Source& source, const ReadOptions& options);

bool looks_like_plume(const Head& head);
Result<History> read_plume(const Source& source, const ReadOptions& options);
Status write_plume(const History& history, ByteSink& sink);

bool looks_like_awdit(const Head& head);
Result<History> read_awdit(const Source& source, const ReadOptions& options);

bool looks_like_viper(const Head& head);
Result<History> read_viper(const Source& source, const ReadOptions& options);

bool looks_like_chronos(const Head& head);
Result<History> read_chronos(const Source& source, const ReadOptions& options);

}  // namespace isoscope::format
