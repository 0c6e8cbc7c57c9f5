#pragma once

#include <optional>

#include "isoscope/check/check.h"

namespace isoscope {

/// Where a level with real time is violated, it may be the clocks that are wrong. Callers that only
/// trusted the clocks (as `isoscope check --time trust` does) get the verdict on the same level
/// without real time, which is violated only if that is so whatever the clocks say. They get
/// nothing if the verdict is not `violated`, or not about real time.
std::optional<Verdict> check_without_real_time(const History& history, const Verdict& verdict,
                                               const CheckOptions& options = {});

}  // namespace isoscope
