#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace isoscope {

/// Compares an output with the golden file of that path (in the source tree). With
/// ISOSCOPE_PROMOTE=1 in the environment it writes the file instead: then the change of meaning is
/// a diff to review.
inline void expect_golden(const std::string& path, const std::string& actual) {
  const std::string full = std::string(ISOSCOPE_SOURCE_DIR) + "/" + path;
  if (const char* promote = std::getenv("ISOSCOPE_PROMOTE");
      promote != nullptr && promote[0] == '1') {
    std::ofstream(full, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(full, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; ISOSCOPE_PROMOTE=1 writes it";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(expected.str(), actual)
      << path << " differs; if that is meant, ISOSCOPE_PROMOTE=1 rewrites it";
}

}  // namespace isoscope
