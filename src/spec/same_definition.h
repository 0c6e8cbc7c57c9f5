#pragma once

#include "isoscope/spec/definition.h"

namespace isoscope::spec {

/// The same nodes, wherever they stand in their texts.
bool same(const Node& a, const Node& b);

/// Everything the same but the positions of nodes.
bool same(const Definition& a, const Definition& b);

}  // namespace isoscope::spec
