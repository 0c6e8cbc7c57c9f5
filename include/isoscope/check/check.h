#pragma once

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

struct CheckOptions {
  /// Both may be null.
  const Limits* limits = nullptr;
  Progress* progress = nullptr;
};

/// Does the history satisfy the level?
///
/// The verdict is `violated` when a committed transaction has a read that the level forbids,
/// however the indeterminate transactions ended. `valid-reads` and `cut-isolation` say nothing
/// else, so they are decided completely; at every other level a history without such a read is
/// `unknown`. A limit that is reached makes it `unknown` too: nothing defaults to `holds`.
Verdict check(const History& history, Level level, const CheckOptions& options = {});

}  // namespace isoscope
