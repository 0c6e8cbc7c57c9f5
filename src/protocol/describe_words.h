#pragma once

#include <string>
#include <vector>

namespace isoscope::protocol {

/// "a, b, c"
inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace isoscope::protocol
