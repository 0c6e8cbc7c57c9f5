#pragma once  // Part of the API: docs/api.md.

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "isoscope/certificate/frontier.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

struct EveryLevel {
  /// The options of every single check. `anomalies` and `statistics` are not used.
  CheckOptions each = {};
  /// Whether the levels are taken with session order.
  bool session_order = true;
  /// Whether levels about real time are asked, too, if the history has times.
  bool real_time = true;
  /// A level that was promised: it is answered whatever the others are.
  std::optional<Level> expected = {};
  /// As in SeveralLevels.
  std::function<std::vector<LevelId>(const Verdict&)> also_violated = {};
  /// If it is not null, it gets the statistics of each level that was asked, in that order.
  std::vector<std::pair<Level, CheckStatistics>>* statistics = nullptr;
};

/// Answers the question: what does the database give its clients? All levels are answered, by as
/// few checks as possible. Each answer settles the levels that it implies or that imply it, and
/// reading, accesses and first pass are shared.
///
/// The order of questions: single reads; causal, which is cheap and settles 16 weaker levels; the
/// strongest level; then downwards what is still open. A question that turns out to be hard is put
/// off until the others are answered. When a limit is reached, what is known stays, and the rest is
/// unknown with the reason.
Frontier check_every_level(const History& history, const EveryLevel& options = {});

}  // namespace isoscope
