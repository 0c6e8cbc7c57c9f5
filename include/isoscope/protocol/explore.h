#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/result.h"
#include "isoscope/history/history.h"
#include "isoscope/protocol/abstract_model.h"
#include "isoscope/protocol/coverage.h"
#include "isoscope/protocol/trace.h"

namespace isoscope::protocol {

/// What a level says about a history, whatever the order of versions was.
enum class Opinion : std::uint8_t { allows, forbids, unknown };
using Judge = std::function<Opinion(const History&, AbstractLevel)>;

/// The accesses of one transaction: names of constants of the model, or beginnings of names, that
/// are true for it, and for which keys. "w(x) w(y)": where the model has the constant
/// writes(key, transaction).
struct Shape {
  struct Access {
    std::string constant;
    std::uint8_t key = 0;

    bool operator==(const Access&) const = default;
  };
  std::vector<Access> accesses;

  bool operator==(const Shape&) const = default;
};

/// "w(x)w(y), r(x)r(y)": two of them. "-" is a transaction that does nothing.
Result<std::vector<Shape>> read_shapes(std::string_view text);

struct ExploreOptions {
  Sizes sizes = {};
  /// The search ends as soon as this level is known to be violated. Without it, when all levels
  /// are.
  std::optional<AbstractLevel> level = {};
  /// No level is looked at, only invariants and what can happen. The model then needs neither a map
  /// nor a witness.
  bool without_levels = false;
  /// A shape for each transaction, by number; transactions without one do nothing. If there are no
  /// shapes, every choice of the model's constants is tried.
  std::vector<Shape> shapes = {};
  bool symmetry = true;
  /// Steps that nobody else can notice are done at once, which leaves many states out. Runs that
  /// break a level are then looked for once more without this, so that they are the shortest.
  bool eager = true;
  std::uint64_t max_states = std::uint64_t{1} << 31;
  unsigned threads = 0;  ///< 0: as many as there are processors. The result is the same.
  Judge judge = {};      ///< none: nothing is ever more than violated in version order
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
};

/// A run after which a level, or an invariant of the model, is broken.
struct Counterexample {
  Trace trace;
  History history;
  std::string why;
};

struct LevelOutcome {
  enum class Kind : std::uint8_t {
    not_refuted,
    violated,                   ///< and the judge forbids the history, too
    violated_in_version_order,  ///< as the model orders versions, but no history shows it
    not_checked,  ///< another level was asked for; or this is SSER of a model with a witness, and
                  ///< was neither asked for nor claimed
  };
  Kind kind = Kind::not_refuted;
  /// Number in Exploration::counterexamples: the shortest run there is for this kind of outcome.
  /// Where SER is violated, SSER has the run of SER.
  std::optional<std::size_t> counterexample = {};
};

/// What was found out about an invariant of the model.
struct InvariantOutcome {
  /// Number in Exploration::counterexamples: the shortest run after which it is false. None: it
  /// is true in every state that was seen.
  std::optional<std::size_t> counterexample = {};
};

struct Exploration {
  std::uint64_t states = 0;        ///< up to renaming
  std::uint64_t states_again = 0;  ///< seen once more, for the shortest runs
  std::uint64_t steps = 0;         ///< from states to states, those to known ones among them
  std::uint64_t depth = 0;         ///< of the state that is farthest from the start
  std::uint64_t starts = 0;        ///< choices of constants and orders, up to renaming
  std::size_t memory = 0;  ///< bytes that the states took, with their index and predecessors
  std::size_t bits_per_state = 0;
  bool complete = false;  ///< every reachable state was seen
  std::string stopped;    ///< if not: why
  Coverage coverage;      ///< what happened in it
  std::array<LevelOutcome, abstract_level_count> levels = {};
  std::vector<InvariantOutcome> invariants;  ///< by number in the model
  std::vector<Counterexample> counterexamples;

  const LevelOutcome& at(AbstractLevel level) const {
    return levels[static_cast<std::size_t>(level)];
  }
  /// Is an invariant of the model false in some state?
  bool breaks_invariant() const;
  /// The levels not refuted that no other such level implies: strongest first.
  std::vector<AbstractLevel> strongest() const;
};

/// Looks at every state that the model can reach with the given numbers of clients, keys and
/// transactions.
///
/// If the model has a refinement, every commit is held against all levels of the abstract model,
/// and every other step must leave the mapped store alone. If it has witness orders, their axioms
/// are checked in every state. What is broken there is confirmed on the history that clients saw.
/// The model's invariants are looked at in every state, too.
///
/// Method: breadth first, one distance after the other, so the first run found is a shortest one.
/// States are packed to the bits that the model's cells need (src/protocol/explore/packing.h) and
/// stand for all their renamings. Every distance is cut into parts that threads work on; what they
/// find is entered in a fixed order, so the result does not depend on the number of threads.
///
/// It is an Error of kind `usage` if the model has nothing to be checked against, if shapes do not
/// fit, or if the sizes are beyond what packed states can hold.
Result<Exploration> explore(const Model& model, const ExploreOptions& options);

}  // namespace isoscope::protocol
