#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "report/proof/reads.h"

namespace isoscope::report {

/// The clauses that the steps of a refutation stand for (docs/certificates.md), with numbers for
/// literals.
class ProofClauses {
 public:
  /// A statement's number, shifted left by one; the lowest bit is set where it is negated.
  using Literal = std::uint32_t;
  static Literal negation(Literal literal) { return literal ^ 1; }

  /// Both must outlive the object. The first `added` steps are not the refutation's own
  /// (with_direct_order).
  ProofClauses(const Reads& reads, const Certificate& certificate, std::size_t added = 0);

  const Reads& reads() const { return reads_; }
  std::size_t added_steps() const { return added_; }
  std::size_t step_count() const { return clauses_.size(); }
  const ProofStep& step(std::size_t i) const { return certificate_.steps[i]; }
  std::span<const Literal> clause(std::size_t i) const { return clauses_[i]; }
  bool is_lemma(std::size_t i) const { return step(i).kind == ProofStep::Kind::lemma; }

  std::size_t statement_count() const { return statements_.size(); }
  ProofLiteral meaning(Literal literal) const {
    const ProofLiteral& statement = statements_[literal >> 1];
    return (literal & 1) != 0 ? !statement : statement;
  }

 private:
  using Clause = std::vector<ProofLiteral>;
  struct Left {
    KeyId key;
    ValueId value;  ///< of a register in the end, or an element of a list
    std::uint32_t writer = 0;
    auto operator<=>(const Left&) const = default;
  };

  void collect_writes();
  std::vector<std::uint32_t> candidates(ReadNumber read) const;
  std::vector<std::uint32_t> row_candidates(ReadNumber read) const;
  std::vector<std::uint32_t> list_candidates(ReadNumber read) const;
  std::vector<std::uint32_t> last_appenders(ReadNumber read, const std::vector<ValueId>& list,
                                            const std::vector<ValueId>& start) const;
  bool repeats(KeyId key, const std::vector<ValueId>& start) const;
  bool has_too_often(ReadNumber read, const std::vector<ValueId>& list,
                     const std::vector<ValueId>& start) const;
  std::vector<ValueId> appends_of(std::uint32_t writer, KeyId key) const;
  ReadNumber before_appends(const ProofStep& step) const;
  std::span<const Left> who_left(KeyId key, ValueId value) const;
  std::span<const Left> who_left(KeyId key) const;
  Clause clause_of(const ProofStep& step) const;
  Clause list_clause_of(const ProofStep& step) const;
  /// The event of a writer before which the earlier writers of its keys have committed.
  Event held_from(std::uint32_t writer) const;
  void unless_out(Clause& clause, std::uint32_t transaction) const;
  static void unless_hops(Clause& clause, const ProofStep& step);
  Literal number(ProofLiteral literal);

  const Reads& reads_;
  const History& history_;
  const Certificate& certificate_;
  std::size_t added_;
  bool one_event_;
  bool writers_conflict_;                // they hold their keys from their begin on
  std::vector<Left> left_;               // sorted; only for keys that `read` steps are about
  std::vector<std::uint8_t> key_flags_;  // by key: asked about, written, appended to
  std::map<ProofLiteral, std::uint32_t> numbers_;
  /// The first read by which the list of a key was named. All reads of that list have the same
  /// answer to which transaction left it.
  std::map<std::pair<KeyId, ValueId>, ReadNumber> names_of_lists_;
  std::vector<ProofLiteral> statements_;
  std::vector<std::vector<Literal>> clauses_;
};

}  // namespace isoscope::report
