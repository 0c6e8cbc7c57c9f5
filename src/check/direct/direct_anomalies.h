#pragma once

#include <vector>

#include "check/reads/accesses.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"

namespace isoscope::direct {

/// Adds the anomalies among two or three transactions that are plain to see to the verdict on a
/// history that violates a strong level: how many of each kind, and the simplest of them with their
/// refutations. The simplest one's refutation becomes the certificate.
void add_direct_anomalies(const History& history, const KeyAccesses& accesses,
                          const CheckOptions& options, Verdict& verdict);

/// One example for each kind of anomaly that the scans find, the simplest of its kind.
struct Anomalies {
  std::vector<DirectAnomaly> examples = {};  ///< the simplest kind first
  std::vector<AnomalyCount> counts = {};
};

/// Scans the history for all kinds that speak against the level, which is strong. What violates
/// nothing but the level's real time is among them only if the level has real time. Nothing is
/// found in a history with unreported writes. Limits end it early; what was found is then still
/// true.
Anomalies find_anomalies(const History& history, const KeyAccesses& accesses, Level level,
                         const CheckOptions& options);

}  // namespace isoscope::direct
