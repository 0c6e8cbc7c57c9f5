#pragma once

#include <string>

#include "isoscope/level/level.h"

namespace isoscope::report {

/// The catalogue as a table for people, 100 columns wide: names, what implies what, what is
/// forbidden.
std::string levels_text();
/// The same, and all anomalies, as one JSON object (docs/levels.md).
std::string levels_json();
/// What implies what, as a picture: stronger levels above weaker ones.
std::string levels_svg();

/// One level: its definition, where it comes from, its place in the order, all it forbids.
std::string level_text(Level level);
std::string level_json(Level level);

/// One anomaly: what it is, a smallest history that has it, and which levels forbid it.
std::string anomaly_text(Anomaly anomaly);
std::string anomaly_json(Anomaly anomaly);

}  // namespace isoscope::report
