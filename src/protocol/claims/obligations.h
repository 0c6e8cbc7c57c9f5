#pragma once

#include <vector>

#include "isoscope/protocol/abstract_model.h"
#include "protocol/claims/claim.h"

namespace isoscope::protocol {

/// What must be true of every event so that the model has a level: `start` for the start, where the
/// claims are about the state as it is.
struct Obligations {
  std::vector<Claim> start;
  std::vector<std::vector<Claim>> events;  ///< by number
  /// What is to be true of every state: assumed before each event, and among the claims after it.
  std::vector<std::vector<Claim>> assumed;
};

/// From the model's refinement: the abstract store changes only at commits, and there as the
/// abstract commit says, with a view that the level allows.
Obligations refinement_obligations(const Model& model, AbstractLevel level);

/// From the model's witness: its order of committed transactions, and its relation of which
/// transaction sees which, keep the level's axioms in every state. Not for SSER.
Obligations witness_obligations(const Model& model, AbstractLevel level);

/// From what the model says about the one that it refines: every step is a step of that one or
/// changes nothing there, and clients see the same. An Error if the obligations would be too large.
Result<Obligations> refines_obligations(const Model& model);

}  // namespace isoscope::protocol
