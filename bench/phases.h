#pragma once

#include <optional>
#include <string>

#include "check_cases.h"
#include "isoscope/check/check.h"

namespace isoscope {

/// How the check went, in a process of its own. Before the phases of the
/// engine stands "reading", behind them "the rest": all that is in no phase. Nothing if the history
/// cannot be read.
std::optional<CheckStatistics> measured_phases(const CheckCase& what);

}  // namespace isoscope
