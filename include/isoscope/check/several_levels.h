#pragma once

#include <functional>
#include <span>
#include <vector>

#include "isoscope/check/check.h"

namespace isoscope {

struct SeveralLevels {
  /// Of every check. Its statistics are not used: see `statistics`.
  CheckOptions each = {};
  /// Levels side by side, each by one thread and without progress, which takes memory for each.
  bool at_once = false;
  /// The levels, with session order, that what refutes a strong level violates besides those that
  /// imply that level: a lost update refutes serializability and much below it. May be empty.
  std::function<std::vector<LevelId>(const Verdict&)> also_violated = {};
  /// If not null: one for each level.
  std::vector<CheckStatistics>* statistics = nullptr;
};

/// A verdict for each of the levels, in their order. Before one is `unknown`, what is known of
/// other levels is made use of:
///
///   serializable holds               so does read-committed, which it implies
///   cut-isolation is violated        so is read-atomic, which implies it
///   serializable has a lost update   so does cursor-stability
///
/// Where no engine decides a level and that does not help, one attempt is made at the weakest level
/// that implies it and has an engine; it is given up when it turns out to be hard. The verdict then
/// says by `settled_by` and in a remark which level settled it; its certificate, if it has one, is
/// of that level.
std::vector<Verdict> check_levels(const History& history, std::span<const Level> levels,
                                  const SeveralLevels& options = {});

}  // namespace isoscope
