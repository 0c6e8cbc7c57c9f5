#pragma once

#include <cstddef>
#include <string>

#include "isoscope/report/explanation.h"

namespace isoscope::report {

/// A sentence without its references to other facts: "T1 comes before T2, by (3) and (4)." becomes
/// "T1 comes before T2.".
std::string without_references(std::string text);

/// The same as explanation_text in at most `most_lines` lines: the facts of the cycle, without what
/// they rest on, and the operations of its transactions as far as there is room. The last line says
/// what was left out. Cases are only named.
std::string brief_explanation(const History& history, const Explanation& explanation,
                              std::size_t most_lines);

}  // namespace isoscope::report
