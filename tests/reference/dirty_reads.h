#pragma once

#include "reference/level_set.h"
#include "reference/scenario.h"

namespace isoscope::reference {

/// Those of read-uncommitted and strong-read-uncommitted, if asked for, that the scenario is at.
///
/// There, reads need not return versions. A read of a register returns what anybody else wrote at
/// any time, or the initial value. A list read, without some elements that were appended by
/// transactions which did not commit, is: the initial list, then all the appends of some committed
/// transactions in version order, then perhaps the first few appends of the next one.
///
/// Example: T1 a(x,1) a(x,2) | T2! a(x,3) | T3 r(x,[1 3]): 3 is taken out, and 1 is a beginning of
/// what T1 appends.
///
/// The version orders lie in one order with session order (acyclic(so | ww)), which is tried in
/// every way.
LevelSet dirty_read_levels(const Scenario& scenario, LevelSet levels);

}  // namespace isoscope::reference
