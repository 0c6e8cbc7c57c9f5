#include "isoscope/certificate/certificate.h"

#include <algorithm>

#include "isoscope/history/recorded_levels.h"

namespace isoscope {

OrderEvents events_of(Level level) {
  if (is_vacuous(level)) return OrderEvents::none;
  switch (level.id) {
    case LevelId::valid_reads:
    case LevelId::cut_isolation:
      return OrderEvents::none;
    case LevelId::prefix_consistency:
    case LevelId::snapshot_isolation:
    case LevelId::strong_snapshot_isolation:
      return OrderEvents::begins_and_commits;
    case LevelId::read_your_writes:
    case LevelId::monotonic_reads:
    case LevelId::monotonic_writes_per_key:
    case LevelId::writes_follow_reads_per_key:
    case LevelId::monotonic_writes:
    case LevelId::writes_follow_reads:
    case LevelId::pram:
      return OrderEvents::versions;
    default:
      return OrderEvents::commits;
  }
}

bool has_one_event(LevelId level) {
  return events_of({level, true}) != OrderEvents::begins_and_commits;
}

bool needs_version_3(LevelId level) {
  switch (level) {
    case LevelId::serializable:
    case LevelId::strict_serializable:
    case LevelId::snapshot_isolation:
    case LevelId::strong_snapshot_isolation:
      return false;
    default:
      return true;
  }
}

bool do_writers_conflict(LevelId level) {
  return level == LevelId::snapshot_isolation || level == LevelId::strong_snapshot_isolation;
}

bool settles(const Certificate& certificate, Level level) {
  return certificate.holds ? implies(certificate.level, level) : implies(level, certificate.level);
}

bool settles(const Certificate& certificate, Level level, const History& history) {
  if (level.id != LevelId::recorded || certificate.level.id == LevelId::recorded) {
    return settles(certificate, level);
  }
  const RecordedLevels recorded = recorded_levels_of(history);
  return recorded.without == 0 && std::ranges::all_of(recorded.levels(), [&](LevelId id) {
           return settles(certificate, Level{id, level.session_order});
         });
}

}  // namespace isoscope
