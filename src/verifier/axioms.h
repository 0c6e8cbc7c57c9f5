#pragma once

#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"
#include "verifier/reads.h"

namespace isoscope::verifier {

using Clause = std::vector<ProofLiteral>;

/// The clause that a step stands for, if the history allows the step. docs/certificates.md says why
/// each is true in every execution.
class Axioms {
 public:
  /// Only what the certificate claims is looked at here, not how it shows that.
  Axioms(const History& history, const Certificate& claim);

  /// Where the level has one event only, both events of a transaction are given as its commit. For
  /// a lemma the result is what the lemma says: whether that follows is another question.
  Result<Clause> clause(const ProofStep& step);

 private:
  /// Where a transaction stands in its session, and how many indeterminate ones stand before it.
  struct SessionPlace {
    std::uint32_t place = 0;
    std::uint32_t cuts = 0;
  };

  Result<Clause> written(const ProofStep& step);
  Result<Clause> order(const ProofStep& step) const;
  Result<Clause> path(const ProofStep& step) const;
  Result<Clause> conflict(std::uint32_t t, std::uint32_t s) const;
  Result<Clause> about(const Read& read, const ProofStep& step) const;
  static Status require_part(const Read& read, const ProofStep& step);
  Result<Clause> within_list(const ProofStep& step);

  Event held_from(std::uint32_t writer) const;
  bool known_before(TransactionId t, TransactionId u) const;
  bool is_indeterminate(std::uint32_t t) const;
  Clause unless_missing(Clause clause, std::uint32_t reader) const;
  Status require_transaction(std::uint32_t t) const;
  Status require_writer(std::uint32_t t, KeyId key) const;
  Status require_event(Event event) const;
  Event normal(Event event) const;
  Status normalise(ProofLiteral& literal);

  const History& history_;
  const Level level_;
  const std::int64_t clock_skew_;
  const bool indeterminate_cuts_;
  const bool one_event_;
  Writes writes_;
  Reads reads_;
  std::vector<SessionPlace> places_;  // by transaction
};

}  // namespace isoscope::verifier
