#pragma once

#include <string>
#include <string_view>

#include "isoscope/history/format.h"
#include "isoscope/level/level.h"

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

/// The same for weak levels. Each violates its level, and none of those before it in the list.
struct PlantedWeakViolation {
  LevelId level = LevelId::causal;
  std::string_view transactions;
};

inline constexpr PlantedWeakViolation planted_weak_violations[] = {
    {LevelId::read_committed, "wx1;rx1 wx2 wy2;ry2 rx1"},
    {LevelId::read_atomic, "wx1;rx1 wx2 wy2;rx1 ry2"},
    {LevelId::causal, "wx1;rx1 wx2;rx2 wy2;ry2 rx1"},
};

/// Writes the dbcop history `from` to `to` with these transactions in its middle: every session
/// that takes part has its transaction half-way. False if a file cannot be read or written.
bool plant(std::string_view transactions, const std::string& from, const std::string& to,
           Format format);
/// The same in a process of its own, with a message if that fails.
bool plant_history(std::string_view transactions, const std::string& from, const std::string& to,
                   Format format = Format::dbcop_bincode);

}  // namespace isoscope
