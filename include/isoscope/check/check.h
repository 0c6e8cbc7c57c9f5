#pragma once  // Part of the API: docs/api.md.

#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// Does the history satisfy the level?
///
/// serializable, snapshot-isolation and their real-time variants, valid-reads and cut-isolation are
/// decided, but for what docs/first-pass.md and docs/strong-levels.md say. The levels of
/// docs/weak-levels.md are decided if it is clear which transaction each read is from. At every
/// other level the verdict is `violated` when a committed transaction has a read that the level
/// forbids, however the indeterminate transactions ended. Otherwise it is `unknown` (check_levels()
/// asks other levels then). A limit that is reached makes it `unknown`, too. Nothing defaults to
/// `holds`.
Verdict check(const History& history, Level level, const CheckOptions& options = {});

}  // namespace isoscope
