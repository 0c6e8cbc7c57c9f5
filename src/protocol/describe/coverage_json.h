#pragma once

#include "isoscope/base/json_writer.h"
#include "isoscope/protocol/coverage.h"

namespace isoscope::protocol {

/// The member "coverage".
void coverage_json(const Model& model, const Coverage& coverage, JsonWriter& json);

}  // namespace isoscope::protocol
