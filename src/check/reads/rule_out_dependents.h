#pragma once

#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/presumed_outcome.h"
#include "check/reads/unreported_writes.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// Rules out indeterminate transactions, and follows the consequences: an assumed transaction that
/// has a read which only ruled-out ones explained is ruled out too, and so on. A work list, linear
/// in the accesses of the keys that assumed transactions read.
///
/// The entries of `ruled_out` from `first_new` on are findings of assumed transactions that are to
/// be ruled out. What follows is appended, each after what it rests on, and the presumed outcomes
/// are changed. A read that unreported writes or repeatedly appended elements might explain is left
/// alone, and so is what predicates say about rows that they left out or changed: the next round
/// judges it. Returns the steps taken.
std::uint64_t rule_out_dependents(const History& history, const KeyAccesses& accesses,
                                  const UnreportedWrites& unreported,
                                  std::vector<PresumedOutcome>& presumed,
                                  std::vector<BadRead>& ruled_out, std::size_t first_new);

}  // namespace isoscope
