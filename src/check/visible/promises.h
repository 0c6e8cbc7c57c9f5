#pragma once

#include <string>
#include <string_view>

#include "check/visible/repair.h"
#include "check/visible/rows_of_readers.h"

namespace isoscope::visible {

/// What a level promises to a reader, in words that complete "T1 at LEVEL, which ...".
std::string_view promise_of(const Row& row);

/// Why the clauses of the repair contradict each other, as a sentence for people: which readers
/// they are about, and what each reader's level promises. Requires that there is no execution.
///
///   no order of commits gives all of them what their levels promise: T1 at serializable, which
///   sees all that committed before it, read x from the initial state, although T2 wrote it; ...
std::string broken_promises(const Problem& problem, const RowOf& row_of, const Repair& repair);

}  // namespace isoscope::visible
