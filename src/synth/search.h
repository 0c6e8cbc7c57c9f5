#pragma once

// The room of synthesis: histories that some levels allow and others forbid.
//
// Idea: A level is a text that says which executions are right (src/spec/). A history of a given
// size and an execution of each allowing level become one circuit, and a SAT solver fills it in.
// A forbidding level must fail on every execution, which one question cannot say; so executions
// that it accepts are looked for one by one, and each makes the circuit stricter.
//
//   levels.cpp          levels by what users type: a file, a shipped text, a name of the catalogue
//   compare.cpp, lattice.cpp
//                       the questions: which history does one level allow and another forbid?
//   synthesize.cpp      sizes: fewest transactions first, then keys, then operations; and all
//                       smallest histories, each once up to renaming
//   examples.cpp        what was found, confirmed and explained, for `isoscope synth`
//   search.cpp          one size: proposes histories and rejects them, until one stays
//   history_space.cpp   all histories of the size as a circuit
//   encoder.cpp         expressions and formulas of level texts as circuits, by bit_relation.cpp
//   execution_bits.cpp  executions as circuits: free to choose, or known
//   allowed.cpp         has a history an execution at a level? If not, which demands exclude it?
//   used_keys.cpp, renaming.cpp
//                       from the numbers of the search to the history that is shown
//   confirm.cpp         holds what was found against other means, before anybody sees it
//   recorded.cpp        a recorded history at a level text, for `isoscope check`
//   describe_*.cpp      text, JSON, pictures
//
// Invariants: 1. What was learned from a rejected history stays a demand to the end, so the history
// does not come back. 2. Each rejection excludes at least the history that was proposed. There are
// finitely many, so find() ends. 3. What leaves histories out (the order of keys, of sessions, the
// fixed order of transactions) leaves out only renamings of others. 4. A Strategy changes the time
// and never whether there is a history. 5. No history is shown that confirmed() did not confirm: as
// it is read back from a file, the evaluator accepts the executions of the allowing levels, and a
// search of its own finds none of the forbidding ones. Where executions are few, all of them are
// tried, too.
//
// Cost: a relation of n transactions is n^2 bits, a composition n^3 gates, a "for all" of q
// variables n^q copies of its body. docs/results-isolde.md has times.
//
// Source: see the class.

#include <memory>

#include "isoscope/synth/synthesize.h"
#include "synth/execution_bits.h"
#include "synth/history_space.h"

namespace isoscope::synth {

/// Searches the histories of one size: exactly `transactions` transactions, and at most `keys`
/// keys, each of which somebody uses.
///
/// A level allows a history if some execution fulfils its definition, so an allowing level's
/// execution is part of what is searched. A forbidding level must fail on *every* execution. That
/// is required at once for executions that are expressions: those of allowing levels with the same
/// witnesses, and the level's canonical ones. What they leave open is done by counterexamples: a
/// history is proposed, an execution that the forbidding level accepts is looked for, and if there
/// is one, the level must fail on it from then on. (Source: Barros et al., Isolde. Here no
/// execution of a forbidding level is part of the search; otherwise histories that have none of its
/// executions at all would be lost.)
class Search {
 public:
  Search(const Question& question, const Scope& scope, const Strategy& strategy,
         std::size_t transactions, std::size_t keys);
  ~Search();

  enum class Outcome : std::uint8_t { found, none, stopped };
  /// At most `operations` operations, if given.
  Outcome find(std::optional<std::size_t> operations, const Limits& limits, Progress& progress);
  /// After find() has found something.
  const Found& found() const { return found_; }
  /// Never finds this history again; it has all keys of the search.
  void exclude(const spec::Structure& history);
  const Effort& effort() const { return effort_; }

 private:
  struct Lemma {
    std::size_t forbid = 0;
    spec::Execution execution;
  };
  void build();
  void add_allowing_levels();
  std::optional<BitRelation> order_of(std::size_t allow, bool is_fixed);
  void add_forbidding_levels();
  void forbid_expressions(const spec::Definition& level);
  void require_failure(const Lemma& lemma);
  void count_clauses();

  Question question_;
  Scope scope_;
  Strategy strategy_;
  std::size_t transactions_;
  std::size_t keys_;
  std::unique_ptr<Circuit> circuit_;
  std::unique_ptr<HistorySpace> space_;
  std::vector<std::unique_ptr<Encoder>> allowing_;  ///< by number of the allowing level
  std::vector<std::optional<BitRelation>> orders_;  ///< alike: one that fits its execution
  std::vector<Bit> operation_count_;
  std::vector<Lemma> lemmas_;  ///< kept to build anew, if not incremental
  std::vector<spec::Structure> excluded_;
  Found found_;
  Effort effort_;
  std::uint64_t clauses_before_ = 0;  ///< of circuits that were thrown away
};

}  // namespace isoscope::synth
