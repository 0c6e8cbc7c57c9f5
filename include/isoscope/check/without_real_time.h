#pragma once

#include <optional>

#include "isoscope/check/check.h"

namespace isoscope {

/// Where a level with real time is violated, it may be the clocks that are wrong. For callers that
/// only trusted them (as `isoscope check --time trust` does): the verdict on the same level without
/// real time, which is violated only if that is so whatever the clocks say. Nothing if the verdict
/// is not `violated`, or not about real time.
std::optional<Verdict> check_without_real_time(const History& history, const Verdict& verdict,
                                               const CheckOptions& options = {});

}  // namespace isoscope
