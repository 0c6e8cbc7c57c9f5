#pragma once

#include <optional>

#include "clasp_encoding.h"

namespace isoscope {

/// Is the formula satisfiable? As our solver sees it.
bool solve(const AcyclicFormula& formula);

}  // namespace isoscope
