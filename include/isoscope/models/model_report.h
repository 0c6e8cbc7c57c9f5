#pragma once

#include <string>
#include <string_view>

#include "isoscope/models/check_model.h"

namespace isoscope::models {

/// What the check of a model found out, as JSON on one line: `valid?` as Elle has it, the model's
/// counts, and `errors`, each with the :index of its operations.
std::string model_json(std::string_view file, const OperationLog& log, const ModelVerdict& verdict);

/// The errors and remarks, a line for each.
std::string model_text(const ModelVerdict& verdict);

}  // namespace isoscope::models
