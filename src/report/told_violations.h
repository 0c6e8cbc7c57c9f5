#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/certificate/frontier.h"
#include "isoscope/report/explanation.h"

namespace isoscope::report {

/// What shows that some levels are violated, told once for all of them.
struct ToldViolation {
  std::vector<Level> levels;
  std::size_t verdict = 0;  ///< in Frontier::verdicts
  /// Nothing if single reads show it, or if there is only a sentence.
  std::optional<Explanation> explanation;
  /// "write skew (G2-item): T1 -> T2 -> T1"
  std::string headline;
};

/// For each of the weakest levels that are violated, what shows that in
/// the shortest way: a bad read, a cycle of few transactions, several cases, or only a sentence.
std::vector<ToldViolation> told_violations(const History& history, const Frontier& frontier,
                                           const Limits& limits);

}  // namespace isoscope::report
