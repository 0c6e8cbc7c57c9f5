#pragma once

#include <vector>

#include "protocol/prove/houdini.h"

namespace isoscope::protocol {

/// The claim that an invariant is true after the event, or (null) at the start. The variables of
/// its first "for all"s are the claim's variables, and the rest is its body.
Claim claim_of(const Invariant& invariant, const Event* event);

/// Does it say "exists" below "for all"? Such a formula is shown for the state after an event, but
/// not assumed for the state before. So the invariant may count as not kept although it is
/// (ground.h).
bool has_exists_below_for_all(const Invariant& invariant);

/// The invariants that the model states but that were dropped, each with an event (or the start)
/// that breaks it although all that the model states is true before, and a picture if wanted. False
/// if a limit was reached.
bool find_unkept(const Model& model, Houdini& houdini, const Limits& limits, bool with_pictures,
                 Progress& progress, std::vector<UnkeptInvariant>& found);

}  // namespace isoscope::protocol
