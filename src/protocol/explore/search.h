#pragma once

// The room of exploration: all states that a protocol reaches with a few clients and keys.
//
// Idea: Breadth first, so that the first run which breaks a level is a shortest one. What makes it
// quick is done before the search: formulas become tests of single cells, and states become a few
// words. States that differ only in the names of keys and clients are one.
//
//   explore.cpp     what is searched, and how often: again for shortest runs, or for real time
//   system.cpp      the model at a definite size, compiled: cells.cpp (what a state consists of),
//                   compile.cpp (formulas to tests), decision_diagrams.cpp (the tests)
//   roots.cpp       the starts: choices of constants and orders, up to renaming
//   packing.cpp     a state as few bits, and of all its renamings the least
//   search.cpp      the search, distance by distance, on several threads; states.cpp keeps states
//   local.cpp       actions that are done at once, since nobody can notice when they happen
//   monitor.cpp     is a step one of the abstract model, at which levels, or of the witness?
//   suspects.cpp    a step that is not: the run is done again, and the judge sees its history
//   invariants.cpp  the model's invariants in new states
//   answers.cpp     do clients ever hear of their transactions?
//   export.cpp      the history that clients saw
//   walk.cpp        random runs; coverage.cpp and simulate.cpp use them
//
// Invariants: 1. What is found does not depend on the number of threads: work is cut into parts by
// the states alone, and what the parts found is entered in their order. 2. A state stands for its
// renamings, and is kept as the least packed one of those that leave its root as it is. 3. Each
// state but a root knows a state that leads to it, and without local actions that one is a step
// nearer to the start. 4. Local actions change no verdict. They change runs, so after a violation
// the search is done again without them. 5. A level counts as violated only if the judge, which
// looks at the history alone, forbids it, too; otherwise it is violated in version order. 6. The
// values that a System allows for a cell include all that it has in a reachable state.
//
// Cost: for each state the guards of all actions, and for each step its packing under all renamings
// that keep the root. Memory per state: see states.h.
//
// Source: local actions are persistent sets of one action (Godefroid, Partial-Order Methods for the
// Verification of Concurrent Systems, 1996). isoscope/protocol/abstract_model.h names the papers of
// the abstract model.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "isoscope/base/workers.h"
#include "isoscope/protocol/explore.h"
#include "protocol/explore/answers.h"
#include "protocol/explore/monitor.h"
#include "protocol/explore/packing.h"
#include "protocol/explore/states.h"

namespace isoscope::protocol {

/// A step that breaks levels, or one whose history is to be judged anyway.
struct Suspect {
  StateId from = no_state;
  std::uint32_t action = 0;
  Monitor::Report report;
  Levels levels = 0;              ///< that are in question
  std::uint64_t observation = 0;  ///< the hash of what clients see then
};

/// A step after which an invariant of the model is false.
struct BrokenInvariant {
  std::uint32_t number = 0;
  StateId from = no_state;
  std::uint32_t action = 0;
};

/// What one thread finds out about some states. Kept from one part of the work to the next, so that
/// its memory is used again.
struct Part {
  explicit Part(const System& system, const Watchlist& watchlist)
      : monitor(system, watchlist),
        values(system.cells().size()),
        next(system.cells().size()),
        found(StateSet::shard_count) {
    coverage.fired.resize(system.model().events.size());
  }

  void reset();

  Monitor monitor;
  std::vector<std::uint8_t> values, next;
  std::vector<std::uint64_t> packed;
  Coverage coverage;
  std::uint64_t steps = 0;
  bool map_broken = false;
  bool stopped = false;
  std::vector<Suspect> suspects;
  std::vector<BrokenInvariant> broken_invariants;
  std::vector<Answers::Step> answers;
  /// Events that commit something which clients do not see committed then.
  std::vector<std::uint32_t> untold_commits;
  std::unordered_map<std::uint64_t, Levels> observations;
  /// By shard: packed states that may be new, each followed by its hash and where it comes from.
  std::vector<std::vector<std::uint64_t>> found;
};

/// The search of explore.h: states, distances, and what is done with steps that break levels.
class Search {
 public:
  /// `eager`: local actions are done first (local.h); the runs that are found need not be the
  /// shortest then. `known`, if given, is what an eager search found: this search ends when it has
  /// found as much. The transactions that are answered are added to `answers`.
  Search(const System& system, const Packing& packing, const ExploreOptions& options, bool eager,
         Answers& answers, const Exploration* known = nullptr);

  Exploration run();
  /// Are there actions that it does at once?
  bool is_eager() const { return !local_.empty(); }
  /// For tests.
  const StateSet& states() const { return states_; }

 private:
  struct Range {
    std::size_t shard = 0, first = 0, last = 0;
  };
  void add_roots();
  /// False: stop.
  bool expand(std::span<const Range> ranges);
  void expand(const Range& range, Part& part) const;
  /// Does a local action, if one leads to a new state.
  bool take_local_step(StateId from, Part& part) const;
  void look_at(StateId from, std::size_t action, Part& part) const;
  /// What clients are told by the step: counts it, and notes what they are not told.
  void cover(StateId from, std::size_t action, Part& part) const;
  /// Packs what the action leads to, and gives its hash.
  std::uint64_t pack_next(StateId from, std::size_t action, Part& part) const;
  std::vector<Range> frontier(std::vector<std::size_t>& done) const;
  Levels open_levels() const;
  bool is_done() const;

  struct Replayed {
    Trace trace;
    std::vector<std::uint8_t> last;  ///< values of the last state
    Monitor::Report report;
  };
  void investigate(const Suspect& suspect);
  /// Looks at a new state, and only at what the step can have changed: before it, all were true.
  void look_for_broken_invariants(std::size_t action, StateId from, Part& part) const;
  void note(const BrokenInvariant& broken);
  void note_untold_commit(std::uint32_t event);
  void note(std::uint32_t invariant, const Replayed& run);
  Replayed start_of(std::uint32_t root) const;
  Replayed replay(const Suspect& suspect) const;

  const System& system_;
  const Packing& packing_;
  const ExploreOptions& options_;
  Answers& answers_;
  Watchlist watchlist_;
  std::vector<std::uint32_t> local_;  ///< actions that are done at once
  StateSet states_;
  std::vector<Part> parts_;
  Workers workers_;
  Levels asked_ = 0;
  Levels confirmed_ = 0;
  Levels seen_broken_ = 0;
  Levels enough_ = 0;  ///< of these, a break in version order is all that is looked for
  /// Invariants that are known to be false somewhere, so that their runs are looked for.
  std::vector<std::uint32_t> known_broken_;
  bool looks_again_ = false;  ///< for shortest runs of what is known
  bool map_broken_ = false;
  std::unordered_map<std::uint64_t, Levels> judged_observations_;
  Exploration result_;
};

}  // namespace isoscope::protocol
