#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/proof/proof_clauses.h"

namespace isoscope::report {

/// What follows from the axioms of a refutation (its steps but for the lemmas), and from what is
/// supposed on top: unit propagation that remembers for every literal the step it came from.
///
/// The steps are first taken in their order, as the certificate means them; so the reasons that
/// are remembered are those it gives. Then all are looked at until nothing new follows.
class Propagation {
 public:
  using Literal = ProofClauses::Literal;
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Propagates at once.
  explicit Propagation(const ProofClauses& proof);

  /// The step that has no literal left, if there is one.
  std::optional<std::uint32_t> conflict() const { return conflict_; }

  bool is_true(Literal literal) const { return true_[literal]; }
  bool is_open(Literal literal) const {
    return !true_[literal] && !true_[ProofClauses::negation(literal)];
  }
  /// The step that a true literal follows from; `none` where the literal is supposed.
  std::uint32_t reason(Literal literal) const { return reason_[literal >> 1]; }
  /// The literal's place in trail().
  std::uint32_t place(Literal literal) const { return place_[literal >> 1]; }
  /// All true literals in the order in which they were found.
  const std::vector<Literal>& trail() const { return trail_; }

  /// The true literals that the literal rests on: the negations of the other literals in the clause
  /// of the step. (If the step has no literal left, these are the negations of all.)
  std::vector<Literal> premises(std::uint32_t step, Literal literal) const;
  std::vector<Literal> premises(Literal literal) const;
  std::vector<Literal> conflict_premises() const;

  /// Supposes an open literal and propagates; false if that leads to a conflict.
  bool suppose(Literal literal);
  /// Takes back the last `suppose` that is not taken back yet.
  void take_back();
  /// How many steps were looked at so far, as a measure of the time that this took.
  std::uint64_t work() const { return work_; }
  /// The suppositions that these true literals rest on, in the order they were made.
  std::vector<Literal> suppositions_behind(const std::vector<Literal>& literals) const;

 private:
  void look_at(std::uint32_t step);
  void set(Literal literal, std::uint32_t reason);
  void propagate();

  const ProofClauses& proof_;
  std::vector<std::vector<std::uint32_t>> steps_with_;  // by literal
  std::vector<bool> true_;                              // by literal
  std::vector<std::uint32_t> reason_;                   // by statement
  std::vector<std::uint32_t> place_;                    // by statement
  std::vector<Literal> trail_;
  std::size_t propagated_ = 0;             // how many of the trail
  std::vector<std::size_t> suppositions_;  // places in the trail
  std::optional<std::uint32_t> conflict_;
  std::uint64_t work_ = 0;
};

}  // namespace isoscope::report
