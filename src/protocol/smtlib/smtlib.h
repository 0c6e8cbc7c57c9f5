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
/// The text first declares what there is: the sorts, the session order, the model's orders and
/// components. Then comes the start, in which each of the invariants (closed formulas) and each
/// claim about the start must be true. Then comes every event, with all invariants assumed, after
/// which each invariant and each claim about the event must be true. What the obligations assume
/// before events is one more invariant. A question asks for a state in which one of these is false,
/// and its answer must be "unsat". One more question for the start and for each event asks for a
/// state in which it can happen: if its answer were not "sat", all else would say nothing. Before
/// each question stands the expected answer (`set-info :status`), and a comment that says what it
/// is about.
///
/// z3 reads it as it is. cvc5 needs --incremental and --finite-model-find (for the "unsat"
/// questions --full-saturate-quant instead is faster). Both complain where an answer is not the
/// expected one, and cvc5 stops there.
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
/// The text is written from the model's formulas, quantifiers and all. It shares nothing with the
/// grounding by which the proof was found, but it assumes the same about the session order and the
/// model's orders.
///
/// Cost: the length of invariants times that of events; for strict two-phase locking some hundred
/// thousand bytes.
std::string smtlib_text(const Model& model, const Obligations& obligations,
                        const std::vector<Invariant>& invariants, SmtObligationCounts& counts);

}  // namespace isoscope::protocol
