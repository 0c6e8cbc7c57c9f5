#pragma once

#include <vector>

#include "isoscope/synth/synthesize.h"

namespace isoscope::synth {

/// New names: transaction t is called transactions[t], key x keys[x]. The initial transaction keeps
/// its own.
struct Names {
  std::vector<std::size_t> transactions, keys;
};

/// The names that leave everything as it is called.
Names same_names(const spec::Structure& history);

/// Session after session, each in its order; sessions by their lowest old number. Without sessions
/// (Scope::any_session_order) some order that contains session order. People read a history in this
/// order, and spec::history_of needs it. The search itself numbers transactions as it suits it.
Names session_by_session(const spec::Structure& history);

spec::Structure renamed(const spec::Structure& history, const Names& names);
spec::Execution renamed(const spec::Execution& execution, const spec::Definition& level,
                        const Names& names);
/// With the executions of the question's allowing levels.
Found renamed(const Found& found, const Question& question, const Names& names);

}  // namespace isoscope::synth
