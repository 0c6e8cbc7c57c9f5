#pragma once

#include "check/reads/accesses.h"
#include "isoscope/check/first_pass.h"

namespace isoscope {

/// The first pass for whoever has the accesses already, and goes on with them.
FirstPassResult first_pass(const History& history, const KeyAccesses& accesses,
                           const FirstPassOptions& options);

}  // namespace isoscope
