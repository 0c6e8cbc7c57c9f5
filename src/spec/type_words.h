#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/spec/node.h"

namespace isoscope::spec {

/// A type for messages: "a relation between transactions", "a set of keys".
std::string in_words(const Type& type);

/// "; did you mean NAME?" for the name one would take `wrong` for a misspelling of, or "".
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace isoscope::spec
