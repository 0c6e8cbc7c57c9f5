#pragma once

#include <cstdint>
#include <optional>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

struct ShrinkOptions {
  /// Both may be null.
  const Limits* limits = nullptr;
  Progress* progress = nullptr;
  /// Real-time levels: how much the clients' clocks may differ, in ns.
  std::int64_t clock_skew = 0;
};

struct ShrinkResult {
  /// Of the history given. Unless it is `violated` there is nothing to shrink.
  Verdict verdict;
  /// The smallest history found that violates the level, and its verdict.
  std::optional<History> history;
  std::optional<Verdict> smallest;
  /// Without any one of its transactions or operations it would not violate the level, or only in
  /// another way. False when a limit was reached before that was certain.
  bool minimal = false;
  std::optional<StopReason> stopped;
  std::uint64_t checks = 0;
};

/// Makes a history that violates the level as small as possible: the least a reader has to look at.
///
///   a: T1 r(x,nil) w(y,1) r(z,3) | b: T2 r(y,nil) w(x,1) | c: T3 w(z,3)
///   at serializable:  a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)
///
/// Transactions and operations are left out, and with an append its element in the lists that were
/// read; everything else, names and times included, stays. The violation stays of its kind: where
/// no single read is to blame it does not become a read of what nobody wrote because its writer was
/// left out, and a bad read stays one of those that were found.
///
/// First only what the evidence speaks of is kept, which mostly leaves a few transactions of any
/// number; then delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
/// Input, 2002) takes away halves, quarters, ... and single sessions, transactions and operations,
/// with a check for each, until nothing can be spared. Deterministic.
ShrinkResult shrink(const History& history, Level level, const ShrinkOptions& options = {});

}  // namespace isoscope
