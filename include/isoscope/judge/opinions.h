#pragma once

#include <string>
#include <vector>

#include "isoscope/protocol/explore.h"

namespace isoscope {

/// What the history checkers say about each counterexample, a text each. The checker by the level's
/// text is asked, and the fast one where there is one. An Error of kind `internal` if these
/// disagree with each other or with what the exploration says.
Result<std::vector<std::string>> opinions_on(const protocol::Exploration& exploration);

}  // namespace isoscope
