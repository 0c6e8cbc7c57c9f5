#include "isoscope/verifier/verify.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "verifier/axioms.h"
#include "verifier/clauses.h"
#include "verifier/levels.h"
#include "verifier/replay.h"

namespace isoscope {

namespace {

/// Such an operation may have changed any row, and nobody knows to what.
bool has_unknown_predicate_write(const History& history) {
  const auto is_unknown = [&](const Operation& operation) {
    return operation.kind() == OperationKind::predicate_write &&
           !history.predicate_access(operation).reported;
  };
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::aborted) continue;
    if (std::ranges::any_of(history.operations(t), is_unknown)) return true;
  }
  return false;
}

Status check_steps(const History& history, const Certificate& certificate) {
  ISOSCOPE_REQUIRE(!certificate.holds);
  verifier::Axioms axioms(history, certificate);
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
  if (certificate.clock_skew < 0) return Error{"the clock skew is negative"};
  if (certificate.history_digest != digest(history)) {
    return Error{"the certificate is about another history"};
  }
  ISOSCOPE_TRY_STATUS(verifier::require_levels(certificate.level, history));
  if (has_unknown_predicate_write(history)) {
    return Error{"a predicate write reported nothing: not supported"};
  }
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
