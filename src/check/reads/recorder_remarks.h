#pragma once

#include <span>
#include <vector>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// What the recorder may have got wrong that would explain a violation, as remarks on it. With bad
/// reads, only what is about their keys, or about predicates that missed a row; without, all there
/// is.
std::vector<Remark> recorder_remarks(const History& history, std::span<const BadRead> findings);

}  // namespace isoscope
