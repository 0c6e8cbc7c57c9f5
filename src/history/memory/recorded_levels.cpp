#include "isoscope/history/recorded_levels.h"

namespace isoscope {

std::vector<LevelId> RecordedLevels::levels() const {
  std::vector<LevelId> result;
  for (const LevelEntry& entry : isoscope::levels()) {
    if (count(entry.id) != 0) result.push_back(entry.id);
  }
  return result;
}

RecordedLevels recorded_levels_of(const History& history) {
  RecordedLevels recorded;
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) continue;
    ++recorded.transactions;
    if (const auto level = history.recorded_level(t)) {
      ++recorded.counts[static_cast<std::size_t>(*level)];
    } else if (++recorded.without == 1) {
      recorded.first_without = t;
    }
  }
  return recorded;
}

}  // namespace isoscope
