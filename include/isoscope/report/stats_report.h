#pragma once

#include <string>
#include <string_view>

#include "isoscope/history/format.h"
#include "isoscope/history/statistics.h"

namespace isoscope::report {

/// The history's figures, and what it can and cannot be checked for, for people.
/// `indeterminate_cuts`: whether transactions of unknown outcome are to cut sessions.
std::string stats_text(std::string_view name, Format format, const History& history,
                       bool indeterminate_cuts);
/// The same as one JSON object (docs/json.md).
std::string stats_json(std::string_view name, Format format, const History& history,
                       bool indeterminate_cuts);

}  // namespace isoscope::report
