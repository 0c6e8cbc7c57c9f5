#pragma once

#include <vector>

#include "isoscope/base/random.h"
#include "shrink/part.h"

namespace isoscope::test {

/// Some transactions, operations and rows of the part.
inline std::vector<shrinking::Unit> random_units(Random& random, const shrinking::Part& part) {
  std::vector<shrinking::Unit> units;
  const int percent = 5 + static_cast<int>(random.below(40));
  for (const shrinking::KeptTransaction& kept : part) {
    if (random.chance(percent)) units.push_back({kept.id});
    for (const shrinking::KeptOperation& one : kept.operations) {
      if (random.chance(percent / 2)) units.push_back({kept.id, one.place});
      for (const KeyId key : one.looked) {
        if (random.chance(percent / 2)) {
          units.push_back({kept.id, one.place, key, random.chance(50)});
        }
      }
    }
  }
  return units;
}

}  // namespace isoscope::test
