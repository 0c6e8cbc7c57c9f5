#pragma once

// The native format, JSON Lines, for format_table.cpp.

#include <cstddef>

#include "history/format/shared/reading.h"

namespace isoscope::format {

bool looks_like_native(const Head& head);
Result<History> read_native(const Source& source, const ReadOptions& options);
Status write_native(const History& history, ByteSink& sink);

/// What one thread reads at a time: so short that all that is made of it stays in the processor's
/// cache. Parts of 128 to 512 KiB are equally fast; with 4 MiB reading takes a quarter more.
constexpr std::size_t native_part_size = std::size_t{256} << 10;

/// read_native() with parts of about this many bytes; tests take small ones. A
/// file of less than two parts is read by one thread.
Result<History> read_native(const Source& source, const ReadOptions& options,
                            std::size_t part_size);

}  // namespace isoscope::format
