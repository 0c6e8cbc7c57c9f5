#pragma once

#include <string>
#include <string_view>

#include "isoscope/base/json_reader.h"

namespace isoscope::format {

/// The array that was entered must have one more element; otherwise json has an error.
inline bool expect_element(JsonReader& json, std::string_view expected) {
  if (json.next_element()) return true;
  return json.fail_at(json.input().offset() - 1, "expected " + std::string(expected) + ", found ]");
}

/// The array must end here.
inline bool expect_no_element(JsonReader& json, std::string_view array) {
  if (!json.next_element()) return !json.failed();
  return json.fail_expected("']' at the end of " + std::string(array));
}

}  // namespace isoscope::format
