#pragma once  // Part of the API: docs/api.md.

// The room of the verifier (src/verifier/): does a certificate prove what it claims?
//
// Idea: To find an order or a refutation is hard, but to look through one is not. So the verifier
// has nothing of the engine. It works out itself what each step says about the history, and follows
// how the steps lead to a contradiction.
//
//   main.cpp      the program isoscope-verify: reads both files, calls verify(), prints
//   verify.cpp    verify(): is it this history? Then one of the two:
//   replay.cpp    "holds": lets all operations happen in the order of the certificate
//   axioms.cpp    "violated": the clause that a step stands for, from the history alone
//   clauses.cpp   whether a lemma follows, and whether the clauses contradict each other
//   levels.cpp    the table of levels: what executions are, and by which hops a reader knows others
//   sessions.cpp, event_places.cpp   session order and time; places in an order
//   writes.cpp    what transactions left at each key
//   reads.cpp     what a read says: its candidates, or that it contradicts itself
//   rows.cpp      what predicates select
//
// Below snapshot isolation, "holds" is an order with sources:
//   execution.cpp            the order, each key's versions, and what each read is from
//   replay_commits.cpp       levels with an order of commits: does a read miss what is known?
//   replay_versions.cpp      session guarantees, where each key's versions have an order
//   replay_single_reads.cpp  levels that judge each read by itself
//   replay_dirty_reads.cpp   read uncommitted; dirty_writes.cpp: all that was ever written
//   reachability.cpp         whether hops lead from one transaction to another
// and "violated" has the steps of hop_axioms.cpp, too.
//
// The certificate itself is read by src/certificate/certificate_text.cpp and written by
// src/certificate/certificate_writer.cpp. A new kind of step is a ProofStep::Kind, a rule in
// docs/certificates.md with its reason, and a case in axioms.cpp.
//
// Invariants: 1. The verifier uses no library but base, history, level and certificate;
// tools/check-layers sees to that. 2. A clause of a step other than a lemma is true in every
// execution of the level in which the clients see the history, whatever else the certificate says.
// 3. A lemma is added only if unit propagation through its hints, in their order, shows it. 4. A
// certificate is confirmed only at a contradiction, or at the end of an order without a complaint.
// 5. The digest ties the certificate to the history. 6. Nothing is searched, and whatever is in
// doubt is refused.
//
// Cost: linear in history and certificate but for sorting and look-ups, with two exceptions. Where
// sources are part of an order, a read costs the newer versions of its key that it passed over, and
// a predicate operation costs the keys of its table; where hops can be followed by others, see
// reachability.h.
//
// Source: docs/certificates.md, which says why each rule is right.
// tests/verifier/soundness_test.cpp holds the verifier against the reference checker.

#include <optional>
#include <string>

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// Why a certificate proves nothing: one line.
struct Refusal {
  std::string reason;
};

/// Does the certificate prove what it claims about this history? Nothing when it does.
///
/// Works from the definition of the level and the recorded operations alone (docs/certificates.md).
/// It shares no code with the checker but what reads histories and certificates and knows the
/// names of levels; so a user who doubts a verdict has to trust only these and this. It never
/// searches: an order is replayed, a refutation followed step by step. Linear in the history and
/// the certificate but for sorting and look-ups.
///
/// Whatever is in doubt is refused. A refusal says that this certificate is no proof, not that its
/// claim is wrong.
std::optional<Refusal> verify(const History& history, const Certificate& certificate);

}  // namespace isoscope
