#pragma once

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// The same but for the places in the text.
bool same(const Formula& a, const Formula& b);

/// The same but for its name and the places in the text: what formatting must keep.
bool same(const Model& a, const Model& b);

}  // namespace isoscope::protocol
