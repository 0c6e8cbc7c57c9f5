#include "isoscope/certificate/certificate.h"

namespace isoscope {

bool has_one_event(LevelId level) {
  return level == LevelId::serializable || level == LevelId::strict_serializable;
}

bool has_certificates(LevelId level) {
  return has_one_event(level) || level == LevelId::snapshot_isolation ||
         level == LevelId::strong_snapshot_isolation;
}

bool settles(const Certificate& certificate, Level level) {
  return certificate.holds ? implies(certificate.level, level) : implies(level, certificate.level);
}

}  // namespace isoscope
