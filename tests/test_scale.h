#pragma once

#include <cstdlib>

namespace isoscope {

/// The factor by which tests multiply their number of cases: 1 in ./test, 10 in ./test --full. A
/// test that tries many cases multiplies its number of cases by it, and fixes its seed.
inline int test_scale() {
  const char* const text = std::getenv("ISOSCOPE_TEST_SCALE");
  const int scale = text == nullptr ? 1 : std::atoi(text);
  return scale < 1 ? 1 : scale;
}

}  // namespace isoscope
