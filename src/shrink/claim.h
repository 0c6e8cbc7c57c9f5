#pragma once

#include <optional>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/report/explanation.h"

namespace isoscope::shrinking {

/// What a violation is called, and what it says besides that the level is violated.
struct Claim {
  /// The kinds of bad reads that refute the level; without any, `anomaly` is the cycle's name.
  ReadFindings bad_reads;
  std::optional<Anomaly> anomaly;
  std::vector<LevelId> levels;  ///< that it rules out, in the order of the catalogue
};

/// `explanation`: of the verdict, or null if there is none.
Claim claim_of(const Verdict& verdict, const report::Explanation* explanation);

/// Does a part's claim stand for that of the whole? It has the same name, or rules out all that the
/// other one rules out, and does not find fault with a read where there is more to tell. A bad
/// read stays of a kind that was found.
bool stands_for(const Claim& part, const Claim& whole);

}  // namespace isoscope::shrinking
