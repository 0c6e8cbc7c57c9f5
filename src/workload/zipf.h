#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/random.h"

namespace isoscope {

/// 1 / base^(hundredths/100), the same double on every machine.
///
/// pow() may round as it likes, so only operations that IEEE 754 rounds exactly are used:
/// multiplication, division and square root. base^0.75 is sqrt(base) * sqrt(sqrt(base)), and so on
/// along the binary digits of the exponent, 40 of them.
double inverse_power(std::uint64_t base, unsigned hundredths);

/// Zipf's distribution over the ranks 0 .. n-1: rank r comes up in proportion to 1 / (r+1)^theta.
/// theta 0 is uniform, 0.99 is YCSB's, and the larger it is the more the first ranks get.
///
/// The weights are integers (rank 0 has about 2^62 / n, and every rank at least 1) and their sums
/// are kept, so a draw is one random number and a binary search: O(log n) time, 8n bytes. Source:
/// Gray et al., Quickly generating billion-record synthetic databases, SIGMOD 1994; their closed
/// formula needs pow().
class Zipf {
 public:
  Zipf(std::size_t ranks, unsigned theta_hundredths);

  std::size_t draw(Random& random) const;
  /// Entry r: the weights of the ranks 0 .. r together.
  std::span<const std::uint64_t> sums() const { return sums_; }

 private:
  std::vector<std::uint64_t> sums_;
};

}  // namespace isoscope
