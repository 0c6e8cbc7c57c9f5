#pragma once

#include <cstdlib>

namespace isoscope {

/// How many times their plain counts the tests shall try: 1 in ./test, 10 in ./test --full.
/// A test that tries many cases multiplies its number of cases with it, and fixes its seed.
inline int test_scale() {
  const char* const text = std::getenv("ISOSCOPE_TEST_SCALE");
  const int scale = text == nullptr ? 1 : std::atoi(text);
  return scale < 1 ? 1 : scale;
}

}  // namespace isoscope
