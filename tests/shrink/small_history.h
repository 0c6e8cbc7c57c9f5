#pragma once

#include <optional>
#include <vector>

#include "check/row_history.h"
#include "check/strong_random.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"

namespace isoscope::test {

/// Small enough for the reference, with everything in it that histories have.
inline History small_history(Random& random, int i) {
  switch (i % 6) {
    case 0:
      return hard_history(random, {.least_transactions = 3,
                                   .most_transactions = 4,
                                   .keys = 2,
                                   .values = 2,
                                   .operations = 4,
                                   .read_percent = 50,
                                   .sessions_percent = 60,
                                   .doubtful_percent = 20,
                                   .lists = i % 4 == 0});
    case 1:
      return RowHistory(random, {.least_transactions = 2, .most_transactions = 4}).make();
    case 2:
      return reference::random_history(random, {.predicates = false});
    case 3:
      return reference::random_history(random, {.keys = 2, .lists = false, .predicates = false});
    case 4:
      return reference::random_history(random, {.keys = 1, .predicates = i % 4 == 0});
    default:
      return reference::random_history(random, {});
  }
}

/// Whether transactions of unknown outcome cut sessions: as the history says, yes and no.
inline std::optional<bool> some_cuts(int i) {
  return i % 3 == 0 ? std::nullopt : std::optional(i % 3 == 1);
}

inline std::vector<Level> all_levels() {
  std::vector<Level> result;
  for (const LevelEntry& entry : levels()) {
    result.push_back({entry.id, true});
    result.push_back({entry.id, false});
  }
  return result;
}

/// A level of the catalogue that the part violates and the whole does not, by the reference
/// checker.
inline std::optional<Level> invented(const History& part, const History& whole,
                                     const reference::Options& options = {}) {
  static const std::vector<Level> all = all_levels();
  const std::vector<bool> of_part = reference::satisfied(part, all, options);
  std::vector<Level> violated;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!of_part[i]) violated.push_back(all[i]);
  }
  const std::vector<bool> of_whole = reference::satisfied(whole, violated, options);
  for (std::size_t i = 0; i < violated.size(); ++i) {
    if (of_whole[i]) return violated[i];
  }
  return std::nullopt;
}

}  // namespace isoscope::test
