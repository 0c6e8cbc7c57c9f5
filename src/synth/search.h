#pragma once

#include <memory>

#include "isoscope/synth/synthesize.h"
#include "synth/execution_bits.h"
#include "synth/history_space.h"

namespace isoscope::synth {

/// Searches the histories of one size: exactly so many transactions, up to so many keys, each of
/// which somebody uses.
///
/// A level allows a history if some execution fulfils its definition, so an allowing level's
/// execution is part of what is searched. A forbidding level must fail on *every* execution. That
/// is required at once for executions that are expressions: those of allowing levels with the same
/// witnesses, and the level's canonical ones. What they leave open is done by counterexamples: a
/// history is proposed, an execution that the forbidding level accepts is looked for, and if there
/// is one, the level must fail on it from then on.
/// (Source: Barros et al., Isolde; with no execution of a forbidding level in the search, without
/// which histories that have none of its executions at all would be lost.)
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
