#pragma once

#include <cstddef>

#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// All of the history but for reads that may be of more than so many transactions. What is wrong
/// with the others takes the fewest transactions to show.
///
/// Nothing is left if every read stays.
std::optional<Part> plain_reads(const PartMaker& maker, const Part& whole,
                                std::size_t most_sources);

}  // namespace isoscope::shrinking
