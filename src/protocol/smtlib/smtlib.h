#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isoscope/protocol/model.h"
#include "protocol/claims/obligations.h"

namespace isoscope::protocol {

/// How many questions a certificate asks, by the answer that they must have.
struct SmtObligationCounts {
  std::size_t unsat = 0;
  std::size_t sat = 0;
};

/// The certificate of a proof, for solvers by others: SMT-LIB 2.6, to be read by one process.
///
/// First what there is: the sorts, the session order, the model's orders and components. Then the
/// start, in which each of the invariants (closed formulas) and each claim about the start is to be
/// true; then, with all invariants assumed, every event, after which each invariant and each claim
/// about the event is to be true. What the obligations assume before events is one more invariant.
/// A question asks for a state in which one of these is false and must be "unsat". One more for the
/// start and for each event asks for a state in which it can happen: if that were not "sat", all
/// else would say nothing. What is expected stands before each question (`set-info :status`), and
/// in a comment what it is about.
///
/// z3 reads it as it is; cvc5 needs --incremental, and --finite-model-find (faster with
/// --full-saturate-quant instead for the "unsat" ones). Both complain where an answer is another
/// than expected, and cvc5 stops there.
///
/// Example, the shape of it:
///
///     (declare-fun st@before (Key Transaction) Server@values)
///     (assert (forall ((k1 Key) (t2 Transaction)) ...))     ; an invariant
///     (push 1)                                              ; an event
///     (declare-const t@event Transaction)
///     (assert ...)                                          ; its guard
///     (define-fun st@after ((k1 Key) (t2 Transaction)) Server@values (ite ...))
///     (push 1) (assert (not ...)) (check-sat) (pop 1)       ; a line each
///     (pop 1)
///
/// Written from the model's formulas, quantifiers and all: nothing here is shared with the
/// grounding that the proof was found by. What is assumed of the session order and of the model's
/// orders is the same.
///
/// Cost: the length of invariants times that of events; for strict two-phase locking some hundred
/// thousand bytes.
std::string smtlib_text(const Model& model, const Obligations& obligations,
                        const std::vector<Invariant>& invariants, SmtObligationCounts& counts);

}  // namespace isoscope::protocol
