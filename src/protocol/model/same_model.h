#pragma once

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// The same except for the places in the text.
bool same(const Formula& a, const Formula& b);

/// The same except for its name and the places in the text. Formatting must keep this.
bool same(const Model& a, const Model& b);

}  // namespace isoscope::protocol
