#include "isoscope/certificate/frontier.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

std::vector<LevelId> Frontier::with(Answer answer) const {
  std::vector<LevelId> some;
  for (const LevelAnswer& one : levels) {
    if (one.answer == answer) some.push_back(one.level.id);
  }
  return some;
}

std::vector<LevelId> Frontier::strongest_that_hold() const {
  const std::vector<LevelId> holding = with(Answer::holds);
  std::vector<LevelId> strongest;
  for (const LevelId id : holding) {
    const auto follows = [&](LevelId other) { return other != id && implies(other, id); };
    if (std::ranges::none_of(holding, follows)) strongest.push_back(id);
  }
  ISOSCOPE_ENSURE(strongest.empty() == holding.empty());  // no level is stronger than itself
  return strongest;
}

std::vector<LevelId> Frontier::weakest_violated() const {
  return weakest_of(with(Answer::violated));
}

bool Frontier::is_decided() const {
  return std::ranges::none_of(levels,
                              [](const LevelAnswer& one) { return one.answer == Answer::unknown; });
}

}  // namespace isoscope
