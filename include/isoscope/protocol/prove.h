#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/protocol/abstract_model.h"
#include "isoscope/protocol/coverage.h"
#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// A claim that could not be proved, with a state and a step in which the invariants that were
/// found are true and it is not. That state need not be reachable.
struct OpenGoal {
  std::string event;                      ///< "" at the start
  std::string claim;                      ///< "reads the last version in its view"
  std::string belongs_to;                 ///< "last write wins", "canCommit(SI)"
  std::string things = {};                ///< "1 client, 1 key, 2 transactions"
  std::vector<std::string> picture = {};  ///< facts that are true there
  std::string step = {};                  ///< "commit(c, t)"
  std::vector<std::string> broken = {};   ///< what is then against the claim: "installed(k, u)"
};

/// An invariant of the model that is not shown to be one.
struct UnkeptInvariant {
  std::string name;
  /// An event that breaks it in a state in which all the model's invariants are true; the event ""
  /// is the start. If there is none, the invariant would be kept if the others were.
  std::optional<OpenGoal> broken = {};
  /// The invariant says "exists" below "for all". Such a formula is shown but not assumed, so the
  /// invariant may be kept after all.
  bool is_beyond = false;
};

/// The outcome of an attempt to prove that a model refines the abstract transaction model of a
/// level, for any number of clients, keys and transactions.
struct Proof {
  enum class Outcome : std::uint8_t {
    proved,
    open,     ///< some goals are not proved: neither right nor wrong is shown
    unkept,   ///< all goals are, but some invariant of the model is not
    vacuous,  ///< too little can happen, so whatever is proved says little
    stopped,  ///< a limit was reached
  };

  Outcome outcome = Outcome::open;
  AbstractLevel level = AbstractLevel::ra;
  std::string refines;  ///< if the question was not a level: the model that this one refines
  std::vector<std::string> invariants;  ///< those that the proof needs, in words of the language
  std::vector<OpenGoal> open;           ///< of a stopped proof: so far, and without pictures
  std::string stopped_while;  ///< what it was doing when a limit was reached: "sampling states"
  std::vector<std::string> impossible_events;
  std::vector<UnkeptInvariant> unkept;
  /// Why it says little, in words: impossible events, and what is missing in `coverage`.
  std::vector<std::string> vacuous;
  std::optional<Coverage> coverage;  ///< what was given
  /// The proof for other provers: every obligation in SMT-LIB, one after the other with push and
  /// pop. Each must be unsatisfiable. The text is empty unless the model was proved.
  std::string certificate;

  std::uint64_t sampled_states = 0;
  std::uint64_t candidates = 0;  ///< clauses that no sample speaks against
  std::uint64_t inductive = 0;   ///< of them, kept by every event
  std::uint64_t goals = 0;
  std::uint64_t proved_goals = 0;  ///< of a stopped proof, too: these are established
  std::uint64_t obligations = 0;   ///< questions in the certificate
  std::uint64_t solver_calls = 0;
};

/// How much is tried.
struct ProveOptions {
  /// Where goals stay open, more candidates are made from them. This proves more, but takes long
  /// where the goals are not true.
  bool widen = true;
  /// Whether open goals get a picture: some hundred questions for each.
  bool pictures = true;
  /// What runs have shown to be possible: what is missing there makes a proof vacuous. Null: that
  /// is not looked at.
  const Coverage* coverage = nullptr;
};

Proof prove(const Model& model, AbstractLevel level, const Limits& limits, Progress& progress,
            const ProveOptions& options = {});

/// Does the model refine the one that it says it refines? For any number of clients, keys and
/// transactions. If it is proved, clients see what they can see of the other one; so levels of that
/// one are levels of the model, SSER included if the other one claims it.
Proof prove_refines(const Model& model, const Limits& limits, Progress& progress,
                    const ProveOptions& options = {});

}  // namespace isoscope::protocol
