#include "isoscope/verifier/verify.h"

#include "verifier/axioms.h"
#include "verifier/clauses.h"
#include "verifier/replay.h"

namespace isoscope {

namespace {

/// Predicates of transactions that count; one that only read and did not report says nothing.
bool uses_predicates(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) continue;
    for (const Operation& operation : history.operations(t)) {
      if (operation.is_predicate() && (operation.kind() == OperationKind::predicate_write ||
                                       history.predicate_access(operation).reported)) {
        return true;
      }
    }
  }
  return false;
}

Status check_steps(const History& history, const Certificate& certificate) {
  verifier::Axioms axioms(history, certificate.level, certificate.clock_skew);
  verifier::Clauses clauses;
  const auto add = [&](const ProofStep& step) -> Status {
    ISOSCOPE_TRY(clause, axioms.clause(step));
    const bool is_lemma = step.kind == ProofStep::Kind::lemma;
    return is_lemma ? clauses.add_lemma(clause, step.hints) : clauses.add(clause);
  };
  // What follows a contradiction proves nothing more.
  for (std::size_t i = 0; i < certificate.steps.size() && !clauses.contradictory(); ++i) {
    const Status status = add(certificate.steps[i]);
    if (!status) return Error{"step " + std::to_string(i + 1) + ": " + status.error().what};
  }
  if (!clauses.contradictory()) return Error{"the steps lead to no contradiction"};
  return Done{};
}

Status check(const History& history, const Certificate& certificate) {
  if (!has_certificates(certificate.level.id)) {
    return Error{"version 1 has no certificates of this level"};
  }
  if (certificate.clock_skew < 0) return Error{"the clock skew is negative"};
  if (certificate.history_digest != digest(history)) {
    return Error{"the certificate is about another history"};
  }
  if (uses_predicates(history)) return Error{"predicates are not supported by version 1"};
  return certificate.holds ? verifier::check_order(history, certificate)
                           : check_steps(history, certificate);
}

}  // namespace

std::optional<Refusal> verify(const History& history, const Certificate& certificate) {
  if (const Status status = check(history, certificate); !status) {
    return Refusal{status.error().what};
  }
  return std::nullopt;
}

}  // namespace isoscope
