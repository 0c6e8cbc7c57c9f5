#pragma once

#include <vector>

#include "isoscope/spec/evaluate.h"
#include "isoscope/synth/question.h"

namespace isoscope::synth {

// A search has numbers for as many keys as a history may have; one that it finds may use fewer. A
// recorded history has no other keys than those that are used.

/// The keys that somebody reads or writes, ascending.
std::vector<std::size_t> used_keys(const spec::Structure& history);

/// The history with just these keys, in this order.
spec::Structure with_keys(const spec::Structure& history, const std::vector<std::size_t>& keys);

/// An execution of the whole history as one of this part, and back: there the other keys are in no
/// set, and have no versions.
spec::Execution with_keys(const spec::Execution& execution, const spec::Definition& level,
                          const std::vector<std::size_t>& keys);
spec::Execution on_all_keys(const spec::Execution& execution, const spec::Definition& level,
                            const std::vector<std::size_t>& keys, const spec::Structure& whole);

}  // namespace isoscope::synth
