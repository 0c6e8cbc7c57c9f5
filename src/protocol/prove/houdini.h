#pragma once

// The room of proofs: a protocol has its level with any number of clients, keys and transactions.
//
// Idea: The level becomes goals, event by event: what must be true of the step, and after it. Goals
// need invariants. These are guessed from small runs, and those stay that all events keep together.
// Where a goal stays open, the states that lead to trouble become cubes, and the next guess is that
// no reachable state is in a cube.
//
//   prove.cpp             the loop from goals to an outcome, and to a certificate
//   ../claims/            goals: obligations.cpp (of a map), witness_obligations.cpp,
//                         refines_obligations.cpp; claim.cpp is one of them, and ground.cpp turns
//                         an event and formulas into a circuit
//   candidate_clauses.cpp atoms, and candidates: clauses of at most three atoms about one key and
//                         two transactions
//   sample.cpp            states of some small instances, which speak against candidates
//   houdini.cpp           drops candidates that an event does not keep; proves goals with the rest
//   cube.cpp              facts that a bad state has and no sampled one has
//   invariant_claims.cpp  which of the model's own invariants are not kept
//   picture.cpp           a small state in which an open goal fails; claim_values.cpp and
//                         picture_words.cpp put it into words
//   ../smtlib/smtlib.cpp  the certificate, for z3 and cvc5
//
// Before all that, src/judge/prove_protocol.cpp explores small sizes, since no proof needs to be
// tried of what is violated.
//
// Invariants: 1. Candidates that are alive when run() returns true are true at the start, and every
// event keeps all of them together. 2. Samples only save work: a wrong candidate that no sample
// speaks against is dropped by an event or by the start. 3. Everything that is assumed before an
// event is true in all reachable states, but for what suppose() adds. It need not be all that is
// true there. So a goal that is true can stay open, and a false one is never proved. 4. What is
// proved while formulas are only supposed is not remembered.
// 5. The outcome is "proved" only if no goal is open, all invariants of the model are kept, every
// event can happen, and the coverage, where it is given, does not call that vacuous. Only then is
// there a certificate.
//
// Cost: a question to the SAT solver for each round, event and set of candidates to drop, and one
// or more for each goal. An instance of a candidate is added when a model of the solver contradicts
// it.
//
// Source: Flanagan and Leino, Houdini, 2001; that few terms are enough: see ../claims/ground.h.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isoscope/base/progress.h"
#include "isoscope/protocol/prove.h"
#include "protocol/claims/claim.h"
#include "protocol/prove/cube.h"

namespace isoscope::protocol {

/// Finds out which of many candidate invariants all events keep together, and what follows from
/// these.
///
/// All candidates are assumed before an event. A candidate that can be false after it is dropped,
/// until no candidate can. What remains is inductive, and it is the largest set of candidates that
/// is. The start counts as an event before which nothing is assumed. (Source: Flanagan and Leino:
/// Houdini, an annotation assistant for ESC/Java.)
///
/// There are thousands of candidates and each has many instances. So an instance becomes part of
/// the question only when a model of what is there so far contradicts it.
class Houdini {
 public:
  /// `formulas`: candidates besides clauses, closed. If a limit is reached on the way, everything
  /// asked later is "stopped".
  Houdini(const Model& model, const Atoms& atoms, std::vector<Clause> clauses,
          std::vector<Invariant> formulas, const Constants& for_goals, const Limits& limits);
  ~Houdini();

  /// What is taken for granted before an event.
  void assume(std::uint32_t event, const std::vector<Claim>& claims, const Limits& limits);
  /// False if a limit was reached.
  bool run(const Limits& limits, Progress& progress);

  enum class Conclusion : std::uint8_t { proved, open, stopped };
  /// Does the claim follow, at an event (its number) or at the start (nothing)? If it does, what
  /// was used is remembered.
  Conclusion prove(std::optional<std::uint32_t> event, const Claim& claim, const Limits& limits);
  /// From now on the first `formulas` formulas are taken for true before events, even if they were
  /// dropped. This finds out what breaks them. What is proved meanwhile is not remembered. 0 ends
  /// this.
  void suppose(std::size_t formulas) { supposed_ = formulas; }
  /// Can the event happen in a state with all the invariants?
  Conclusion is_possible(std::uint32_t event, const Limits& limits);

  /// After prove() said "open": a state in which all the invariants are true, and a step from it
  /// that breaks the claim. As few things as possible, and as few facts about them. False if a
  /// limit was reached. (picture.cpp)
  bool find_breaking_step(std::optional<std::uint32_t> event, const Claim& claim,
                          const Limits& limits, OpenGoal& to);

  /// After prove() said "open": states from which the event leads to where the claim is false, as
  /// cubes that no sample is in. None, if a sampled state is like that.
  std::vector<Cube> causes(std::optional<std::uint32_t> event, const Claim& claim,
                           const Samples& samples, const Limits& limits);
  /// More candidates; what was dropped gets another chance with them.
  void add_candidates(std::vector<Invariant> formulas);

  /// What the proofs so far need, and what is needed to show that events keep that, and so on. By
  /// number: clauses, then formulas.
  std::optional<std::set<std::size_t>> needed(const Limits& limits);

  /// Is the candidate formula of this number, as given to the constructor, kept by all events?
  bool keeps(std::size_t formula) const { return alive_[clauses_.size() + formula]; }
  std::vector<Clause> alive_clauses() const;
  std::size_t alive_count() const;
  std::uint64_t solver_calls() const { return calls_; }

  struct Step;

 private:
  bool solve(Step& step, const std::vector<Bit>& question, bool remember, bool& is_satisfiable,
             const Limits& limits);
  bool add_contradicted(Step& step);
  AtomSet facts_after(Step& step);
  Bit failure_after(Step& step, std::size_t candidate);
  Bit activation(Step& step, std::size_t candidate);
  Cube cube_of_model(Step& step, const Constants& named, std::vector<Bit>& bits,
                     std::vector<Bit>& which_are_the_same) const;
  std::vector<Cube> causes(Step& step, Bit wanted, const Constants& named, const Samples& samples,
                           const Limits& limits);
  std::optional<Cube> enough(Step& step, const std::vector<Bit>& fixed, const Cube& everything,
                             std::vector<Bit> bits, const Limits& limits);
  /// Is the candidate assumed before events?
  bool is_assumed(std::size_t candidate) const {
    return alive_[candidate] ||
           (candidate >= clauses_.size() && candidate - clauses_.size() < supposed_);
  }
  std::size_t size() const { return clauses_.size() + formulas_.size(); }

  const Model& model_;
  const Atoms& atoms_;
  std::vector<Clause> clauses_;
  std::vector<Invariant> formulas_;
  std::vector<bool> alive_;
  std::vector<std::unique_ptr<Step>> steps_;  ///< events, then the start
  std::set<std::size_t> used_;
  std::size_t supposed_ = 0;  ///< this many formulas are assumed even if they were dropped
  std::uint64_t calls_ = 0;
};

}  // namespace isoscope::protocol
