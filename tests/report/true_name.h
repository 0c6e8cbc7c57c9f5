#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "isoscope/level/level.h"
#include "reference/reference_checker.h"

namespace isoscope::report {

/// A name is a claim: every level that forbids the anomaly is violated, except for those that do
/// not care about the order of versions.
inline void expect_true_name(const History& history, Anomaly name,
                             const std::function<std::string()>& story) {
  std::vector<LevelId> all = levels_violated_by(name);
  std::erase_if(all, [](LevelId id) { return !forbids(Level{id}, Anomaly::g1c); });
  std::vector<Level> forbidding;
  for (const LevelId id : weakest_of(all)) forbidding.push_back(Level{id});
  const std::vector<bool> satisfied = reference::satisfied(history, forbidding);
  for (std::size_t i = 0; i < forbidding.size(); ++i) {
    ASSERT_FALSE(satisfied[i]) << name_of(name) << " but " << isoscope::text_of(forbidding[i])
                               << "\n"
                               << story();
  }
}

}  // namespace isoscope::report
