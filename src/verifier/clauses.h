#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::verifier {

/// The clauses of a refutation so far, and the literals that are known to be true because a clause
/// had only them left.
///
/// It knows nothing of transactions: a literal is a statement with a number, and two order literals
/// that are each other's negation have one.
class Clauses {
 public:
  /// Adds a clause that is true; what is known of its literals is taken into account.
  Status add(std::span<const ProofLiteral> clause);
  /// The same for a clause that must follow from the clauses of the hints, which are numbered from
  /// 1. When none of its literals is true, each hint in turn must have one literal left, which is
  /// then true too, until a hint has none left. Hints that are true already are passed over.
  Status add_lemma(std::span<const ProofLiteral> clause, std::span<const std::uint32_t> hints);

  /// The last clause had no literal left: not all clauses can be true.
  bool contradictory() const { return contradictory_; }

 private:
  /// Which statement it is, shifted left by one; the lowest bit is set when it is negated.
  using Literal = std::uint32_t;
  struct Hash {
    std::size_t operator()(const ProofLiteral& literal) const;
  };

  std::vector<Literal> numbers_of(std::span<const ProofLiteral> clause);
  Literal number_of(ProofLiteral literal);
  static Literal negation(Literal literal) { return literal ^ 1; }
  bool is_true(Literal literal) const { return true_[literal]; }
  bool is_false(Literal literal) const { return true_[negation(literal)]; }
  Status propagate(std::span<const std::uint32_t> hints, std::vector<Literal>& assumed);

  std::unordered_map<ProofLiteral, std::uint32_t, Hash> statements_;
  std::vector<bool> true_;  // by literal: known or supposed to be true
  std::vector<std::size_t> starts_ = {0};
  std::vector<Literal> literals_;  // of all clauses
  bool contradictory_ = false;
};

}  // namespace isoscope::verifier
