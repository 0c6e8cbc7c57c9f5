#pragma once

#include <span>
#include <vector>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// Remarks on a violation: what the recorder may have got wrong that would explain it. If there are
/// bad reads, only remarks about their keys, or about predicates that missed a row, are made.
/// Otherwise all remarks are made.
std::vector<Remark> recorder_remarks(const History& history, std::span<const BadRead> findings);

}  // namespace isoscope
