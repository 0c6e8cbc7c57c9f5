#pragma once

#include "check/reads/accesses.h"
#include "isoscope/check/first_pass.h"

namespace isoscope {

/// The first pass for callers that have the accesses already, and go on to use them.
FirstPassResult first_pass(const History& history, const KeyAccesses& accesses,
                           const FirstPassOptions& options);

}  // namespace isoscope
