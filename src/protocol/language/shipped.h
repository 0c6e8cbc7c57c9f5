#pragma once

#include <vector>

#include "isoscope/protocol/model_text.h"

namespace isoscope::protocol {

/// Every file of protocols/, by name. Its source is written by cmake/embed_texts.cmake.
std::vector<ShippedModel> embedded_models();

}  // namespace isoscope::protocol
