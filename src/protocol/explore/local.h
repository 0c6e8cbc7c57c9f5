#pragma once

#include <vector>

#include "protocol/explore/system.h"

namespace isoscope::protocol {

/// Tells for each action whether it is local. Where a local action is enabled it may be done at
/// once, and everything else after it: no verdict on a level or an invariant depends on when it
/// happens.
///
/// An action a is local if
///   - it changes nothing that levels or invariants look at, and commits nothing;
///   - whatever other action interferes with it (writes what a looks at or writes, or looks at what
///     a changes) is blocked while a is enabled: both guards cannot hold at once.
/// Then from a state where a is enabled nothing that interferes can come before a. The first such
/// action would find all that a's guard looks at as it is now, because an action that changes any
/// of that interferes, too. So a would still be enabled, and the other action would be blocked. So
/// a commutes with all that can happen before it: {a} is a persistent set (Godefroid: Partial-Order
/// Methods for the Verification of Concurrent Systems, 1996). The search sees to it that nothing is
/// put off for ever: where a leads to a known state, it does all actions.
///
/// So for every state that is left out there is one that is not, in which the same invariants are
/// true.
///
/// Example: a client's begin. All other actions that look at the client wait for it.
/// Counterexample: taking a lock, because others could take it first.
std::vector<bool> local_actions(const System& system);

}  // namespace isoscope::protocol
