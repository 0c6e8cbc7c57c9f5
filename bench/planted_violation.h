#pragma once

#include <string>
#include <string_view>

namespace isoscope {

/// An anomaly made of a few transactions on two keys of their own.
struct PlantedViolation {
  std::string_view name;
  bool violates_snapshot_isolation = false;
  /// A transaction for each of the first sessions, separated by ';'. "rx0" reads 0 from x, "wy2"
  /// writes 2 to y; 0 is what keys hold initially.
  std::string_view transactions;
};

inline constexpr PlantedViolation planted_violations[] = {
    {"lost-update", true, "rx0 wx1;rx0 wx2"},
    {"write-skew", false, "rx0 ry0 wx1;rx0 ry0 wy2"},
    {"long-fork", true, "wx1;wy2;rx1 ry0;rx0 ry2"},
};

/// Writes the dbcop history `from` to `to` with the violation in its middle: every session that
/// takes part has its transaction half-way. False if a file cannot be read or written.
bool plant(const PlantedViolation& violation, const std::string& from, const std::string& to);

}  // namespace isoscope
