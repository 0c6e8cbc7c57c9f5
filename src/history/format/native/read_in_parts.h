#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/workers.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::format {

/// What a part of a text says; nothing if something is wrong there. The first part goes into an
/// ordinary builder, the others into a HistoryBuilder::part(). Called by several threads at once.
using ReadPart = std::function<std::optional<HistoryBuilder>(ByteReader& part, bool is_first)>;

/// Reads a text of JSON objects, each beginning a line, on several threads.
///
/// Each thread cuts a part off the input, before a line that starts with {, reads it into a builder
/// of its own and hands that in. The thread that hands in the part that is next appends it to the
/// whole, together with the parts that wait behind it:
///
///   thread 1   cut 0, read 0 ............., append 0 and 1, cut 3, read 3 ...
///   thread 2          cut 1, read 1 ..., cut 2, read 2 ........, append 2, cut 4, ...
///
/// So the input is read once, from front to back, whether it is a file or comes out of a
/// decompressor, and for every thread there are at most five parts of about `part_size` bytes. The
/// builder that comes out is the one that reading in one go would have made, however the parts were
/// cut: as a part must consist of complete objects, a cut inside of one is noticed.
///
/// Nothing comes out when anything at all is wrong: an error in a part, an unlucky cut, the same
/// transaction in two parts, an input that fails. Then the caller reads in one go, and that tells
/// what is wrong and where, or that nothing is. `progress` is told how far the input is appended,
/// by one thread at a time.
std::optional<HistoryBuilder> read_in_parts(ByteReader& input, std::size_t part_size,
                                            const Workers& workers, Progress& progress,
                                            const ReadPart& read_part);

}  // namespace isoscope::format
