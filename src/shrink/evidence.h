#pragma once

#include <functional>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/report/explanation.h"
#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// Parts that are likely to violate the level as a larger part does, because they have all that the
/// larger one's verdict rests on, and whatever its reads need. The smallest part comes first. Each
/// part is made when it is asked for. The arguments must exist until then.
///
/// `history` is the larger part, `origin` where it comes from, `verdict` its verdict, `explanation`
/// what is told of that (null if nothing is).
std::vector<std::function<Part()>> evidence_parts(const PartMaker& maker, const History& history,
                                                  const Origin& origin, const Verdict& verdict,
                                                  const report::Explanation* explanation);

}  // namespace isoscope::shrinking
