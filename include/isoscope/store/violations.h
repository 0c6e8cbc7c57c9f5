#pragma once

#include <span>
#include <vector>

#include "isoscope/store/store_kind.h"

namespace isoscope {

/// The weakest levels that runs of the store with the bug can violate: they violate these, all
/// levels that imply one of them, and no other. Only some runs do; a short one may look perfect.
///
///   violated_levels(StoreKind::snapshot_isolation, Bug::none, true)
///       repeatable-read and update-serializable, hence serializable and strict-serializable
///
/// Every row is tested on thousands of runs against the definitions (tests/store/matrix_test.cpp).
/// `bug` must be one that the store can have.
std::span<const LevelId> violated_levels(StoreKind kind, Bug bug, bool session_order);

/// Can a run of the store with the bug violate this level?
bool can_violate(StoreKind kind, Bug bug, Level level);

/// The levels (session order on or off) that no run of the store with the bug violates, without
/// those that another one of them implies.
std::vector<LevelId> kept_levels(StoreKind kind, Bug bug, bool session_order);

}  // namespace isoscope
