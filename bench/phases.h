#pragma once

#include <optional>
#include <string>

#include "check_cases.h"
#include "isoscope/check/check.h"

namespace isoscope {

/// How the check went, in a process of its own. The phases of the engine stand between "reading"
/// and "the rest", which is all that is in no phase. Nothing if the history cannot be read.
std::optional<CheckStatistics> measured_phases(const CheckCase& what);

}  // namespace isoscope
