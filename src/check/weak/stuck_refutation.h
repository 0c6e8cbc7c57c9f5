#pragma once

#include <span>

#include "check/weak/refutation_writer.h"

namespace isoscope::weak {

/// Shows that some transactions wait for each other, whatever the sources of open reads are: none
/// of them can be the first to commit. Returns whether that could be written with bearable effort.
///
/// If they wait only because of sessions, times and reads, one step says so. Otherwise the
/// transactions are removed one after the other. For each that is left it is known that one of
/// certain others comes before it; if the removed one was among these, those before the removed one
/// take its place. In the end nothing is left that could come before the last one. (It is how
/// resolution proves that every finite order has a first element: Stålmarck, Short resolution
/// proofs for a sequence of tricky formulas, 1996.)
bool refute_stuck(const KnownSources& sources, std::span<const Txn> stuck,
                  std::span<const ForcedEdge> forced, RefutationWriter& writer);

}  // namespace isoscope::weak
