#pragma once

#include "check/reads/accesses.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"

/// Levels with a commit order, and session guarantees, decided with choices: of the order, of what
/// reads are from, and of which indeterminate transactions committed.
///
/// The idea. All levels with a commit order have one form: of the writers of a key that are visible
/// to a read, the last one in the commit order is the read's source, or older. They differ in which
/// ways make a transaction visible (rows.h). So an execution is guessed and replayed. A read that
/// is wrong shows a way from a newer writer to the reader, and becomes a clause: the read is from
/// another candidate, or a hop of the way is not there, or the newer writer is older. A solver
/// finds another execution that makes the clauses true, and so on, until nothing is wrong or the
/// clauses contradict each other.
///
///   rows.h            what the levels differ in
///   rows_of_readers.h the same where each transaction has its own level
///   problem.h         transactions, versions, reads with candidates
///   row_reads.h       rows that predicates did not return
///   saturation.h      what follows without any choice (known_clocks.h)
///   guess.h           the first order
///   execution.h       an order and sources, and what can be wrong in it
///   past.h            hops among the transactions that happened so far
///   replay.h          finds what is wrong (sweep.h), with ways of few choices (ways.cpp), and of
///                     rows that predicates did not return (replay_rows.cpp)
///   version_order.h   session guarantees: each key's versions have an order of their own
///   version_replay.h  finds what is wrong there (version_sweep.h, version_causes.h)
///   promises.h        what readers' levels promise, in words
///   repair.h          the loop of replays and answers of the solver
///   witness.h         an execution as a certificate
///   refutation.h      the solver's proof as a certificate; known_facts.h: what is no choice in it
///
/// Known sources (check/weak) decide most of these levels without any choice, where they can. This
/// engine is for the rest.
///
/// Cost: a replay looks at reads of which a newer version is there, and at what happened since that
/// version: as long as readers are not far behind, it is linear. There are some five rounds.
/// Some of the levels are NP-complete, so it may take long.
namespace isoscope::visible {

/// Whether there is a way to decide the level here.
bool has_checker(LevelId level);

/// Fills in the answer of the verdict, whose reads the first pass has found in order. Requires
/// has_checker; or the level is `recorded`, and every transaction that did not abort has a level
/// that can be mixed (rows_of_readers.h).
void check_visible(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
                   Verdict& verdict);

}  // namespace isoscope::visible
