#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/solver/sat_literal.h"

namespace isoscope {

/// An edge of a cycle that a theory lemma rests on.
struct CycleEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::optional<SatLiteral> literal;  ///< whose edge it is; none: an edge of the base graph
  std::uint32_t tag = 0;              ///< as given to add_edge; 0 for base edges

  bool operator==(const CycleEdge&) const = default;
};

/// Hears what a solver concludes, as it does. Clause ids count from 1 in the order of the events.
/// Together the events up to learned(id, {}, ...) are a refutation.
class ProofListener {
 public:
  virtual ~ProofListener() = default;

  /// A clause of the problem, with its literals as they were given.
  virtual void given(std::uint32_t id, std::span<const SatLiteral> literals) = 0;

  /// The edges form a cycle, each starting where the one before it ends and the last ending where
  /// the first starts. So not all literals on them are true: `literals` are their negations, each
  /// once.
  virtual void cycle(std::uint32_t id, std::span<const SatLiteral> literals,
                     std::span<const CycleEdge> edges) = 0;

  /// A clause that follows by unit propagation from the clauses named: assume all its literals
  /// false; then, in the order given, each antecedent but the last has exactly one literal that is
  /// not false yet, which therefore is true; and the last antecedent has none. (The hints of LRAT
  /// proofs: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT
  /// verification, CADE 2017.)
  ///
  /// Literals fixed at level 0 are announced as unit clauses of their own, and named as antecedents
  /// wherever they are used.
  virtual void learned(std::uint32_t id, std::span<const SatLiteral> literals,
                       std::span<const std::uint32_t> antecedents) = 0;
};

/// One event of a proof.
struct ProofEvent {
  enum class Kind : std::uint8_t { given, cycle, learned };

  Kind kind = Kind::given;
  std::uint32_t id = 0;
  std::span<const SatLiteral> literals;
  std::span<const CycleEdge> edges;            ///< of a cycle
  std::span<const std::uint32_t> antecedents;  ///< of a learned clause
};

/// Keeps all events of one solver, from its construction on. Memory grows with every conflict;
/// clauses that the solver has deleted stay here.
class RecordedProof : public ProofListener {
 public:
  void given(std::uint32_t id, std::span<const SatLiteral> literals) override;
  void cycle(std::uint32_t id, std::span<const SatLiteral> literals,
             std::span<const CycleEdge> edges) override;
  void learned(std::uint32_t id, std::span<const SatLiteral> literals,
               std::span<const std::uint32_t> antecedents) override;

  std::size_t step_count() const { return steps_.size(); }
  /// The step with id `index + 1`. The spans in a step are valid until the next event.
  ProofEvent step(std::size_t index) const;

  /// Whether the empty clause was learned.
  bool is_refutation() const { return refutation_.has_value(); }

  /// The part of a refutation that the empty clause rests on, in the order of the ids, the empty
  /// clause last. It is empty if there is no refutation.
  std::vector<ProofEvent> trimmed() const;

 private:
  /// Where the step's parts end; they start where those of the step before it end.
  struct Step {
    std::size_t literals_end;
    std::size_t edges_end;
    std::size_t antecedents_end;
    ProofEvent::Kind kind;
  };

  void record(ProofEvent::Kind kind, std::uint32_t id, std::span<const SatLiteral> literals);

  std::vector<Step> steps_;
  std::vector<SatLiteral> literals_;
  std::vector<CycleEdge> edges_;
  std::vector<std::uint32_t> antecedents_;
  std::optional<std::size_t> refutation_;
};

}  // namespace isoscope
