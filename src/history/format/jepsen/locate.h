#pragma once

#include <cstdint>

#include "isoscope/base/source.h"

namespace isoscope::format {

/// The line and column of a byte of the source's first file, found by reading it again from the
/// front.
///
/// Terms know only the offset they stand at, because counting lines for millions of terms that
/// nobody complains about costs more than reading the file once more for the one that somebody
/// does. Where the file cannot be read again, the position has only the byte.
Position locate(const Source& source, std::uint64_t offset);

/// The same error with its line and column, where it had only a byte.
Error located(const Source& source, Error error);

}  // namespace isoscope::format
