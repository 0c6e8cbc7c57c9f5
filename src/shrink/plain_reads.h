#pragma once

#include <cstddef>

#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// All of the history but for reads that may be from more than `most_sources` transactions. What is
/// wrong with the other reads takes the fewest transactions to show.
///
/// The result is nothing if every read stays, or if there are too many queries to narrow each of
/// them.
std::optional<Part> plain_reads(const PartMaker& maker, const Part& whole,
                                std::size_t most_sources);

}  // namespace isoscope::shrinking
