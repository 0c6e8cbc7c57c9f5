#pragma once

#include "check/reads/accesses.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"

namespace isoscope::direct {

/// Adds the anomalies among two or three transactions that are plain to see to the verdict on a
/// history that violates a strong level: how many of each kind, and the simplest of them with their
/// refutations. The simplest one's refutation becomes the certificate.
void add_direct_anomalies(const History& history, const KeyAccesses& accesses,
                          const CheckOptions& options, Verdict& verdict);

}  // namespace isoscope::direct
