#pragma once

// The room of the strong levels: serializability and snapshot isolation, with real time or without,
// prefix consistency and repeatable read.
//
// Idea: A level holds if there is an order of all begins and commits that keeps its rules. Nearly
// all of that order follows from the history or can be guessed. So it is first found out what
// follows, then a whole order is guessed, and only what is wrong in the guess is searched.
//
//   problem/     the history as a question. order_problem.h: versions, reads, candidates.
//                rules.h: in what the levels differ. likely_times.h: what probably came first.
//                chain_cover.cpp makes chains of sessions.
//   saturation/  what follows without any choice: saturation.cpp adds edges to known_graph.h and
//                drops candidates. clocks.h says what is known to come before what.
//   search/      attempts.cpp lets attempts take turns. attempt.cpp is one of them, from the
//                problem to the answer: guess.cpp guesses an order, replay.cpp finds its misfits,
//                repair.cpp makes choices of these and asks the solver (src/solver/), and
//                beginnings.cpp looks for a contradiction among the first transactions.
//   frontier/    with real time, in turns with repair: all configurations at a time (search.cpp).
//   proof/       steps of certificates. proof_writer.cpp writes them, derivation.cpp says why an
//                edge is known, ruled_out.cpp why a read refutes by itself.
//                search/repair_refutation.cpp turns the solver's proof into steps.
//
// What decides the order of versions: saturation/saturation.cpp finds what must be so. What is left
// open, and was wrong in an order, is a choice of search/repair.cpp. sort_versions() in
// problem/order_problem.cpp sorts versions by likely times, which only says where to look first.
//
// Invariants: 1. Transactions have numbers that ascend along each chain, and 0 is the initial
// state. 2. Every edge of the known graph follows from the history and from the edges before it, so
// its reason can be searched when a certificate asks for it. 3. Candidates that were dropped are
// kept behind the others, for the same reason. 4. An open transaction comes before nothing, and its
// reads say nothing, until it is known that it committed. 5. The answer is "holds" only for an
// order that was replayed without a misfit. 6. The answer is "violated" only with steps, and these
// refute the level that was asked, of the whole history or of a piece of it. An attempt at a
// stronger question that turns out to be impossible is dropped. 7. All else is "unknown", with what
// was established.
//
// Cost: the problem and each sweep of saturation are about linear in reads and edges. The search is
// exponential at worst, because the question is NP-complete. docs/strong-levels.md has figures.
//
// Source: that the question is NP-complete: Papadimitriou, The serializability of concurrent
// database updates, 1979; Biswas and Enea, On the complexity of checking transactional consistency,
// 2019. Taking turns: see search/attempts.h.

#include "check/reads/accesses.h"
#include "check/strong/problem/rules.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"

namespace isoscope::strong {

/// Decides a strong level for a history whose reads the first pass found in order; `verdict` comes
/// with what that pass said about indeterminate transactions.
void check_strong(const History& history, const KeyAccesses& accesses, const Rules& rules,
                  const CheckOptions& options, Verdict& verdict, std::uint64_t most_conflicts = 0);

}  // namespace isoscope::strong
