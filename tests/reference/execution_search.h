#pragma once

#include <functional>

#include "reference/level_set.h"
#include "reference/scenario.h"

namespace isoscope::reference {

/// Says which of the given levels an execution, or the part of it that is known, is at. It must be
/// a definition that forbids something, so that adding reads and versions to an execution never
/// makes it true again.
using Judge = std::function<LevelSet(const Execution&, LevelSet)>;

/// Which of the levels is some execution of the scenario at?
///
/// Tries every order of the versions of each key, and for each read every version that it accepts;
/// and drops a level as soon as the part that is chosen violates it. To get there soon, each key is
/// first looked at alone, and then reads that accept few versions come first.
///
/// Cost: the product of all choices at worst, and mostly a few of them.
LevelSet search_executions(const Scenario& scenario, LevelSet levels, const Judge& judge);

}  // namespace isoscope::reference
