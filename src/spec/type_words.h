#pragma once

#include <string>

#include "isoscope/spec/node.h"

namespace isoscope::spec {

/// A type for messages: "a relation between transactions", "a set of keys".
std::string in_words(const Type& type);

}  // namespace isoscope::spec
