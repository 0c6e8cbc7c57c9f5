#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/protocol/describe.h"

namespace isoscope {

/// What is to be proved of a protocol.
struct ProtocolQuestion {
  /// This level. Nothing: the levels that the model claims, and if none of them is proved, the
  /// strongest one that is.
  std::optional<protocol::AbstractLevel> level = {};
  /// No level, but that the model refines the one that it names. So it is also for a model without
  /// levels of its own that names one.
  bool refines = false;
};

/// One of the small sizes that are explored before a proof is tried, and what is new there.
struct ExploredSize {
  const protocol::ExplorationReport& report;
  /// By counterexample: does it break a level in question, or an invariant of the model?
  std::vector<bool> is_refutation;
  /// By counterexample: does it break a level in question relative to version order only?
  std::vector<bool> is_note;
  /// Violated levels that are not in question, strongest first.
  std::vector<protocol::AbstractLevel> others;
};

/// One attempt at a proof.
struct ProofAttempt {
  std::optional<protocol::AbstractLevel> level;  ///< nothing: refinement
  const protocol::Proof& proof;
  std::chrono::steady_clock::duration time;
};

/// Hears what happens as it happens, since proofs can take long. The default listens to nothing.
class ProofListener {
 public:
  virtual ~ProofListener() = default;

  virtual void explored(const ExploredSize&) {}
  virtual void tried(const ProofAttempt&) {}
  /// A limit was reached before the next attempt.
  virtual void stopped() {}
};

struct ProtocolVerdict {
  /// `holds`: proved, for any number of clients, keys and transactions. `violated`: a level in
  /// question, or an invariant of the model, is broken at a small size.
  Answer answer = Answer::unknown;
  /// The last proof that was tried. If `has_proof`, something was proved.
  protocol::Proof proof = {};
  bool has_proof = false;
};

/// Proves what can be proved of a protocol. This is what `isoscope protocol prove` does:
///
/// 1. Two small sizes are explored. That is quick, and no proof is tried of what is violated. Each
///    violation is confirmed by the level's text and by the checker for histories. Nothing is
///    proved about a model that breaks its own invariants.
/// 2. Random runs of larger sizes show what can happen, so that a proof of a protocol in which
///    nothing happens does not count.
/// 3. Proofs are tried, claimed levels first, strongest first. What a proved level implies is not
///    tried. If no claimed level is proved, the others are tried. If the model itself stands in
///    the way of a proof, weaker levels are not tried.
///
/// An Error of kind `usage` if the level cannot be asked of this model, of kind `input` if the
/// model has nothing to prove, and of kind `internal` if checkers contradict each other.
///
/// `threads` is the number of threads for exploring; 0 means as many as there are processors.
Result<ProtocolVerdict> prove_protocol(const protocol::Model& model,
                                       const ProtocolQuestion& question, const Limits& limits,
                                       Progress& progress, ProofListener& listener,
                                       unsigned threads = 0);

}  // namespace isoscope
