#pragma once

#include <vector>

#include "protocol/explore/system.h"

namespace isoscope::protocol {

/// By action: is it local? Where a local one is enabled it may be done at once, and everything else
/// after it: no verdict on a level or an invariant depends on when it happens.
///
/// An action a is local if
///   - it changes nothing that levels or invariants look at, and commits nothing;
///   - whatever other action interferes with it (writes what a looks at or writes, or looks at what
///     a changes) is blocked while a is enabled: both guards cannot hold at once.
/// Then from a state where a is enabled nothing that interferes can come before a: the first such
/// action would find all that a's guard looks at as it is now, for who changes that interferes,
/// too; so a would be enabled still, and the other one is not. So a commutes with all that can
/// happen before it: {a} is a persistent set (Godefroid: Partial-Order Methods for the Verification
/// of Concurrent Systems, 1996). That nothing is put off for ever the search sees to: where a leads
/// to a known state, all actions are done.
///
/// So of the states that are left out, each has the same invariants true as one that is not.
///
/// Example: a client's begin. Who else looks at the client waits for it. Counterexample: taking a
/// lock; others could take it first.
std::vector<bool> local_actions(const System& system);

}  // namespace isoscope::protocol
