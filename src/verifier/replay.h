#pragma once

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::verifier {

/// Is the certificate's order of events an execution at the level in which the clients see the
/// history? There is a function for each shape that executions have (levels.h).
Status check_order(const History& history, const Certificate& certificate);
Status check_moments(const History& history, const Certificate& certificate);
Status check_commits(const History& history, const Certificate& certificate);
Status check_versions(const History& history, const Certificate& certificate);
Status check_single_reads(const History& history, const Certificate& certificate);
Status check_dirty_reads(const History& history, const Certificate& certificate);

}  // namespace isoscope::verifier
