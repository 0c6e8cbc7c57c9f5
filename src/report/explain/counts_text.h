#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/certificate/verdict.h"

namespace isoscope::report {

/// How many bad reads there are of each anomaly.
std::vector<AnomalyCount> counts_of(std::span<const BadRead> findings);
std::uint64_t count_of(std::span<const AnomalyCount> counts);

/// "  15 lost updates, 196 fractured reads; one shown (--anomalies all).", a line.
std::string counts_text(std::span<const AnomalyCount> counts, std::size_t shown);
/// The member `anomalies`, of an object that is open.
void counts_json(JsonWriter& json, std::span<const AnomalyCount> counts);

}  // namespace isoscope::report
