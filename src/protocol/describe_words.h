#pragma once

#include <string>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/protocol/coverage.h"

namespace isoscope::protocol {

/// "a, b, c"
inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The member "coverage".
void coverage_json(const Model& model, const Coverage& coverage, JsonWriter& json);

}  // namespace isoscope::protocol
