#include "shrink/claim.h"

#include <algorithm>

namespace isoscope::shrinking {

Claim claim_of(const Verdict& verdict, const report::Explanation* explanation) {
  Claim claim;
  for (const BadRead& bad : verdict.evidence) claim.bad_reads.add(bad.kind);
  if (explanation != nullptr) {
    claim.anomaly = explanation->whole.anomaly;
    claim.levels = explanation->levels_ruled_out;
    // Which cases are told, and what they have in common, depends on how the level was refuted: a
    // part may have others, so they do not bind it.
    if (!explanation->whole.cases.empty()) {
      std::erase_if(claim.levels, [&](LevelId id) { return !implies(Level{id}, verdict.level); });
    }
  }
  return claim;
}

bool stands_for(const Claim& part, const Claim& whole) {
  if (part.bad_reads.empty() != whole.bad_reads.empty()) return false;
  if (!part.bad_reads.empty()) return whole.bad_reads.has_all(part.bad_reads);
  return part.anomaly == whole.anomaly || std::ranges::includes(part.levels, whole.levels);
}

}  // namespace isoscope::shrinking
