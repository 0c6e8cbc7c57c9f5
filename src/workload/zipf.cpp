#include "workload/zipf.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace isoscope {

double inverse_power(std::uint64_t base, unsigned hundredths) {
  constexpr int digits = 40;
  double power = 1;
  for (unsigned i = 0; i < hundredths / 100; ++i) power *= static_cast<double>(base);
  double root = static_cast<double>(base);
  unsigned rest = hundredths % 100;
  for (int digit = 0; digit < digits && rest != 0; ++digit) {
    root = std::sqrt(root);
    rest *= 2;
    if (rest >= 100) {
      power *= root;
      rest -= 100;
    }
  }
  return 1 / power;
}

Zipf::Zipf(std::size_t ranks, unsigned theta_hundredths) {
  ISOSCOPE_REQUIRE(ranks > 0);
  const auto scale = static_cast<double>((std::uint64_t{1} << 62) / std::bit_ceil(ranks));
  sums_.reserve(ranks);
  std::uint64_t sum = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    // A product and nothing added to it: a fused multiply-add would round differently.
    const double weight = scale * inverse_power(rank + 1, theta_hundredths);
    sum += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(weight));
    sums_.push_back(sum);
  }
}

std::size_t Zipf::draw(Random& random) const {
  const std::uint64_t point = random.below(sums_.back());
  return static_cast<std::size_t>(std::ranges::upper_bound(sums_, point) - sums_.begin());
}

}  // namespace isoscope
