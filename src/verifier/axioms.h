#pragma once

#include <optional>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"
#include "verifier/dirty_writes.h"
#include "verifier/levels.h"
#include "verifier/reads.h"
#include "verifier/sessions.h"

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
  Result<Clause> written(const ProofStep& step);
  Result<Clause> order(const ProofStep& step) const;
  Result<Clause> path(const ProofStep& step) const;
  Result<Clause> conflict(std::uint32_t t, std::uint32_t s) const;
  Result<Clause> about(const Read& read, const ProofStep& step) const;
  Result<Clause> about_dirty(const Read& read, const ProofStep& step) const;
  static Status require_part(const Read& read, const ProofStep& step);
  Result<Clause> within_list(const ProofStep& step);

  // hop_axioms.cpp: what a reader knew.
  Result<Clause> sees(const ProofStep& step);
  Result<Clause> follows(const ProofStep& step);
  Result<Clause> circle(const ProofStep& step);
  Result<Clause> stuck(const ProofStep& step);
  Result<Clause> base(const ProofStep& step);
  Result<std::uint32_t> follow(const Hop& hop, std::uint32_t present, Clause& clause);
  Status require_last(const Read& read, const Hop& hop, std::uint32_t present) const;

  bool is_allowed(const ProofStep& step) const;
  /// The rules for the reads of this transaction.
  const Rules& rules_at(TransactionId reader) const { return rules_of(level_, history_, reader); }
  /// Whether transactions that write come before those that overwrite what they read.
  bool orders_updates() const { return rules_.last.find('a') != rules_.last.npos; }
  bool is_indeterminate(std::uint32_t t) const;
  Clause unless_missing(Clause clause, std::uint32_t reader) const;
  Status require_transaction(std::uint32_t t) const;
  Status require_writer(std::uint32_t t, KeyId key) const;
  Status require_event(Event event) const;
  Event normal(Event event) const;
  /// What a transaction's version of the key is in the order.
  Event left(std::uint32_t t, KeyId key) const;
  Status normalise(ProofLiteral& literal);

  const History& history_;
  const Level level_;
  const Rules& rules_;
  const bool one_event_;
  const Sessions sessions_;
  const KeyNumbers key_numbers_;
  Writes writes_;
  Reads reads_;
  std::optional<DirtyWrites> dirty_;  // where there are dirty reads
};

}  // namespace isoscope::verifier
