#pragma once

#include <cstdint>

#include "isoscope/base/contract.h"

namespace isoscope {

/// Pseudo-random numbers that are the same on every machine: the standard library's generators are,
/// but not its distributions. The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, OOPSLA 2014); any seed is a good seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  /// Uniform in 0 .. bound-1; the bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    ISOSCOPE_REQUIRE(bound > 0);
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  /// True in `percent` of a hundred cases.
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace isoscope
