#pragma once

#include "reference/level_set.h"
#include "reference/scenario.h"

namespace isoscope::reference {

/// Those of valid-reads and cut-isolation, if asked for, that the scenario is at.
///
/// These two judge every read by itself, and know no order of versions: each read of a list may see
/// the appends of other transactions in an order of its own.
///
/// Example: T1 a(x,1) | T2 a(x,2) | T3 r(x,[1 2]) | T4 r(x,[2 1]) has valid reads.
LevelSet valid_read_levels(const Scenario& scenario, LevelSet levels);

}  // namespace isoscope::reference
