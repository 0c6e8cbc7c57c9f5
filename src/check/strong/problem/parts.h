#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// Where to cut a sequence so that parts can be handled at the same time: the first member of each
/// part, and behind them the end. Every part but the last has at least the `weight`, and only its
/// last member makes it heavier. It depends on the data alone, never on how many threads there are.
template <class WeightOf>
std::vector<std::uint32_t> part_bounds(std::size_t count, std::size_t weight,
                                       const WeightOf& weight_of) {
  ISOSCOPE_REQUIRE(weight > 0);
  std::vector<std::uint32_t> result = {0};
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += weight_of(i);
    if (sum < weight && i + 1 < count) continue;
    result.push_back(static_cast<std::uint32_t>(i + 1));
    sum = 0;
  }
  ISOSCOPE_ENSURE(result.back() == count);  // nobody is left out
  return result;
}

}  // namespace isoscope::strong
