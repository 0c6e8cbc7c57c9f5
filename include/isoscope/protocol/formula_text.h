#pragma once

#include <string>
#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// A formula in the language's notation; `variables` names its first ones.
std::string text_of(const Formula& formula, const Model& model,
                    const std::vector<std::string>& variables);
std::string text_of(const Term& term, const Model& model,
                    const std::vector<std::string>& variables);

}  // namespace isoscope::protocol
