#pragma once

#include <string>
#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// What no answer about a protocol can know: whether a part of the state that could say whose
/// version of a key a transaction read does say so. `observe` looks at such a part, and so what
/// clients read is what is there. If events act on another such part, then that is what was really
/// read, and the one that clients are told of is a decoy. But the other part may as well be the
/// version before, or a timestamp. A sentence for each part that `observe` does not look at.
std::vector<std::string> unseen_records(const Model& model);

}  // namespace isoscope::protocol
