#pragma once

#include "isoscope/history/history.h"
#include "isoscope/protocol/trace.h"

namespace isoscope::protocol {

/// What the clients of a run saw, as the last state has it. There is a session for each client.
/// Each transaction has what it read and then what it wrote, both with keys in order. A version's
/// value is the number of the transaction that wrote it; before, keys hold nil.
///
/// A transaction is committed if the model observes it as committed. It is aborted if its client
/// was answered and it is not committed. Otherwise it is indeterminate. A transaction that neither
/// began nor did anything is left out. Time is counted in steps. A transaction begins where the
/// model says so, or else at the first step that names it. It ends where its client is answered; in
/// a model without answers, where it commits.
History history_of(const Model& model, const Trace& trace);

}  // namespace isoscope::protocol
