#pragma once

#include "isoscope/protocol/explore.h"

namespace isoscope {

/// Judges by the shipped level text of each level. A transaction that has no outcome yet counts as
/// committed if a committed one read from it, else it does not count.
protocol::Judge judge_by_texts();

}  // namespace isoscope
