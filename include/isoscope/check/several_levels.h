#pragma once  // Part of the API: docs/api.md.

#include <functional>
#include <span>
#include <vector>

#include "isoscope/check/check.h"

namespace isoscope {

struct SeveralLevels {
  /// The options of every single check. Their `statistics` member is not used: see `statistics`
  /// below.
  CheckOptions each = {};
  /// Checks the levels side by side, each by one thread and without progress. Each of them takes
  /// memory of its own.
  bool at_once = false;
  /// Returns the levels, with session order, that the refutation of a strong level violates besides
  /// those that imply that level: a lost update refutes serializability and much below it. May be
  /// empty.
  std::function<std::vector<LevelId>(const Verdict&)> also_violated = {};
  /// If it is not null, it gets one entry for each level.
  std::vector<CheckStatistics>* statistics = nullptr;
};

/// Returns a verdict for each of the levels, in their order. Before a verdict becomes `unknown`,
/// the answers at other levels are used:
///
///   serializable holds               so does read-committed, which it implies
///   cut-isolation is violated        so is read-atomic, which implies it
///   serializable has a lost update   so does cursor-stability
///
/// Where no engine decides a level and that does not help, one attempt is made at the weakest level
/// that implies it and has an engine. The attempt is given up when it turns out to be hard. If it
/// succeeds, `settled_by` and a remark say which level settled the verdict, and the certificate, if
/// there is one, is of that level.
std::vector<Verdict> check_levels(const History& history, std::span<const Level> levels,
                                  const SeveralLevels& options = {});

}  // namespace isoscope
