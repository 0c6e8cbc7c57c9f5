#pragma once

#include <vector>

#include "check/history_part.h"
#include "isoscope/certificate/verdict.h"

namespace isoscope {

/// Parts of a history that are likely to violate the level as the whole does, because all that
/// the verdict's evidence speaks of is in them; the smallest first.
std::vector<PartOfHistory> evidence_parts(const History& history, const Verdict& verdict);

}  // namespace isoscope
