#pragma once

#include "reference/level_set.h"
#include "reference/scenario.h"

namespace isoscope::reference {

/// The levels that say from which state of one commit order each transaction reads.
inline LevelSet replayed_levels() {
  using enum LevelId;
  return {monotonic_snapshot_read,   prefix_consistency, snapshot_isolation, serializable,
          strong_snapshot_isolation, strict_serializable};
}

/// Those of the given levels (all replayed ones) that the scenario is at: runs its transactions
/// one after the other, in every order that contains session order, and looks what each read would
/// have returned after every prefix.
///
/// Example: T1 w(x,1) | T2 r(x,nil) w(y,1) is serializable by the order T2, T1; and by the order
/// T1, T2 it is at snapshot isolation, since T2 can see the empty prefix.
///
/// Cost: the orders in which all reads so far are possible, n! at worst.
LevelSet replay(const Scenario& scenario, LevelSet levels);

}  // namespace isoscope::reference
