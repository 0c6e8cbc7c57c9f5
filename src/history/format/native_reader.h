#pragma once

#include <cstddef>

#include "isoscope/history/format.h"

namespace isoscope::format {

/// What one thread reads at a time: so short that all that is made of it stays in the processor's
/// cache. Parts of 128 to 512 KiB are equally fast; with 4 MiB reading takes a quarter more.
constexpr std::size_t native_part_size = std::size_t{256} << 10;

/// read_native() (format_table.h) with parts of about this many bytes; tests take small ones. A
/// file of less than two parts is read by one thread.
Result<History> read_native(const Source& source, const ReadOptions& options,
                            std::size_t part_size);

}  // namespace isoscope::format
