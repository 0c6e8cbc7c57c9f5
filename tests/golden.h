#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace isoscope {

/// Compares an output with the golden file of that path (in the source tree). With
/// ISOSCOPE_PROMOTE=1 in the environment a file that differs is rewritten, so that the change of
/// meaning is a diff to review. The test fails then, too: it has compared nothing.
inline void expect_golden(const std::string& path, const std::string& actual) {
  const std::string full = std::string(ISOSCOPE_SOURCE_DIR) + "/" + path;
  std::ifstream file(full, std::ios::binary);
  std::ostringstream expected;
  if (file) expected << file.rdbuf();
  if (file && expected.str() == actual) return;
  const char* promote = std::getenv("ISOSCOPE_PROMOTE");
  if (promote != nullptr && promote[0] == '1') {
    std::ofstream(full, std::ios::binary) << actual;
    ADD_FAILURE() << path << " promoted";
    return;
  }
  ASSERT_TRUE(file) << path << " is missing; ISOSCOPE_PROMOTE=1 writes it";
  EXPECT_EQ(expected.str(), actual)
      << path << " differs; if that is meant, ISOSCOPE_PROMOTE=1 rewrites it";
}

}  // namespace isoscope
