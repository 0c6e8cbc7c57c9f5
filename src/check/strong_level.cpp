#include "check/strong_level.h"

#include <vector>

#include "check/strong/problem/rules.h"
#include "isoscope/base/contract.h"

namespace isoscope {

std::optional<Level> weakest_strong_level(Level level) {
  std::vector<LevelId> stronger;
  for (const strong::Rules& rules : strong::all_rules) {
    if (implies(Level{rules.level, level.session_order}, level)) stronger.push_back(rules.level);
  }
  const std::vector<LevelId> weakest = weakest_of(stronger);
  if (weakest.empty()) return std::nullopt;
  const Level result{weakest.front(), level.session_order};
  ISOSCOPE_ENSURE(implies(result, level));
  return result;
}

}  // namespace isoscope
