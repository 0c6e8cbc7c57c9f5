#pragma once

#include <cstddef>

#include "check/visible/repair.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::visible {

/// Fills in an execution in which nothing is wrong: who committed, the order of events, and what
/// reads with several candidates are from. The execution fits `row`, which may demand more than the
/// certificate's level does. False if there are more than `most_rows` rows of which predicates say
/// something, or if a limit was reached.
bool tell_execution(const Problem& problem, const Row& row, Repair& repair, std::size_t most_rows,
                    Certificate& certificate);

}  // namespace isoscope::visible
