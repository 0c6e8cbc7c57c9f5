#include "report/told_violations.h"

#include <algorithm>

#include "report/stories.h"

namespace isoscope::report {

std::vector<ToldViolation> told_violations(const History& history, const Frontier& frontier,
                                           const Limits& limits) {
  std::vector<const LevelAnswer*> answers;
  const std::vector<LevelId> weakest = frontier.weakest_violated();
  for (const LevelAnswer& answer : frontier.levels) {
    if (std::ranges::count(weakest, answer.level.id) != 0) answers.push_back(&answer);
  }
  Stories stories(history, frontier, limits);
  std::vector<ToldViolation> told;
  for (const LevelAnswer* const answer : answers) {
    std::size_t best = *answer->verdict;
    for (const std::size_t i : answer->shown_by) {
      if (stories.length(i) < stories.length(best)) best = i;
    }
    const auto same = std::ranges::find(told, best, &ToldViolation::verdict);
    if (same != told.end()) {
      same->levels.push_back(answer->level);
    } else {
      told.push_back({{answer->level}, best, stories.of(best), stories.headline(best)});
    }
  }
  return told;
}

}  // namespace isoscope::report
