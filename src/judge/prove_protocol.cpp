#include "isoscope/judge/prove_protocol.h"

#include <algorithm>
#include <utility>

#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/judge/opinions.h"

namespace isoscope {

namespace {

using protocol::AbstractLevel;
using protocol::LevelOutcome;
using protocol::Proof;

/// Sizes that show most violations, and that take a second or two.
constexpr protocol::Sizes tried_sizes[] = {
    {.clients = 2, .keys = 2, .transactions = 1},
    {.clients = 2, .keys = 1, .transactions = 2},
};
constexpr std::uint64_t most_states = 300'000;

/// A violation outranks what is unknown.
Answer worse(Answer a, Answer b) {
  for (const Answer answer : {Answer::violated, Answer::unknown}) {
    if (a == answer || b == answer) return answer;
  }
  return Answer::holds;
}

/// Levels that are known to have some property.
class LevelSet {
 public:
  bool has(AbstractLevel level) const { return (bits_ >> number(level) & 1) != 0; }
  void add(AbstractLevel level) { bits_ |= 1u << number(level); }

 private:
  static unsigned number(AbstractLevel level) { return static_cast<unsigned>(level); }

  std::uint32_t bits_ = 0;
};

class Prover {
 public:
  Prover(const protocol::Model& model, const Limits& limits, Progress& progress,
         ProofListener& listener, unsigned threads)
      : model_(model),
        limits_(limits),
        progress_(progress),
        listener_(listener),
        threads_(threads) {}

  Result<ProtocolVerdict> one(AbstractLevel level) && {
    ISOSCOPE_TRY(is_sound, refute(level, {level}, false));
    if (!is_sound || violated_.has(level)) return verdict(Answer::violated, false);
    const bool proved = prove(level);
    return verdict(proved ? Answer::holds : Answer::unknown, proved);
  }

  Result<ProtocolVerdict> refinement() && {
    ISOSCOPE_TRY(is_sound, refute(std::nullopt, {}, true));
    if (!is_sound) return verdict(Answer::violated, false);
    const bool proved = prove(std::nullopt);
    return verdict(proved ? Answer::holds : Answer::unknown, proved);
  }

  /// What the model claims; if none of that is proved, the strongest that is.
  Result<ProtocolVerdict> strongest() && {
    const std::vector<AbstractLevel> claimed = protocol::claimed_levels(model_);
    ISOSCOPE_TRY(is_sound, refute(std::nullopt, claimed, false));
    if (!is_sound) return verdict(Answer::violated, false);
    Answer answer = claimed.empty() ? Answer::unknown : Answer::holds;
    std::optional<AbstractLevel> proved;
    for (const AbstractLevel level : claimed) {
      if (proved && implies(*proved, level)) continue;
      if (violated_.has(level)) {
        answer = Answer::violated;
      } else if (!prove(level)) {
        answer = worse(answer, Answer::unknown);
        if (is_about_the_model() || is_stopped()) break;
      } else if (!proved) {
        proved = level;
      }
    }
    if (!proved && prove_unclaimed(claimed)) {
      proved = proof_.level;
      if (claimed.empty()) answer = Answer::holds;
    }
    return verdict(answer, proved.has_value());
  }

 private:
  /// Tries the levels that are not claimed, until one is proved.
  bool prove_unclaimed(const std::vector<AbstractLevel>& claimed) {
    for (std::size_t i = protocol::abstract_level_count;
         i-- > 0 && !is_about_the_model() && !is_stopped();) {
      const auto level = static_cast<AbstractLevel>(i);
      if (std::ranges::count(claimed, level) != 0 || violated_.has(level)) continue;
      // A witness says nothing about time.
      if (model_.witness && protocol::entry_of(level).real_time) continue;
      if (prove(level)) return true;
    }
    return false;
  }

  bool is_stopped() const { return limits_.reached_now().has_value(); }
  /// Was the last proof none for a reason that weaker levels have, too?
  bool is_about_the_model() const { return !proof_.unkept.empty() || !proof_.vacuous.empty(); }

  ProtocolVerdict verdict(Answer answer, bool has_proof) {
    return {.answer = answer, .proof = std::move(proof_), .has_proof = has_proof};
  }

  /// Without a level: that it refines what it says.
  bool prove(std::optional<AbstractLevel> level) {
    if (is_stopped()) {
      listener_.stopped();
      return false;
    }
    const auto start = std::chrono::steady_clock::now();
    protocol::cover_by_random_runs(
        model_, level ? protocol::Question::levels : protocol::Question::steps, limits_, coverage_);
    protocol::ProveOptions how;
    how.coverage = &coverage_;
    proof_ = level ? protocol::prove(model_, *level, limits_, progress_, how)
                   : protocol::prove_refines(model_, limits_, progress_, how);
    listener_.tried({level, proof_, std::chrono::steady_clock::now() - start});
    return proof_.outcome == Proof::Outcome::proved;
  }

  /// Looks for violations of one level, of all levels or of none. False if the model breaks an
  /// invariant of its own: nothing is proved about a model that is wrong about itself.
  Result<bool> refute(std::optional<AbstractLevel> level,
                      const std::vector<AbstractLevel>& question, bool without_levels) {
    for (const protocol::Sizes& sizes : tried_sizes) {
      if (level && violated_.has(*level)) break;
      protocol::ExploreOptions options;
      options.sizes = sizes;
      options.level = level;
      options.without_levels = without_levels;
      options.max_states = most_states;
      options.threads = threads_;
      options.judge = judge_by_texts();
      options.limits = limits_;
      options.progress = progress_;
      const auto found = protocol::explore(model_, options);
      if (!found) continue;  // too large to look at
      ISOSCOPE_TRY(opinions, opinions_on(*found));
      const protocol::ExplorationReport report{model_, options, *found, std::move(opinions)};
      listener_.explored(what_is_new(report, question));
      coverage_.add(found->coverage);
      if (found->breaks_invariant()) return false;
    }
    return true;
  }

  ExploredSize what_is_new(const protocol::ExplorationReport& report,
                           const std::vector<AbstractLevel>& question) {
    const protocol::Exploration& found = report.exploration;
    const std::vector<bool> none(found.counterexamples.size());
    ExploredSize size{report, none, none, {}};
    for (std::size_t i = protocol::abstract_level_count; i-- > 0;) {
      const auto level = static_cast<AbstractLevel>(i);
      const LevelOutcome& outcome = found.at(level);
      if (!outcome.counterexample || violated_.has(level)) continue;
      const bool is_asked = std::ranges::count(question, level) != 0;
      if (outcome.kind == LevelOutcome::Kind::violated) {
        violated_.add(level);
        if (is_asked) size.is_refutation[*outcome.counterexample] = true;
        if (!is_asked) size.others.push_back(level);
      } else if (is_asked && !noted_.has(level)) {
        noted_.add(level);
        size.is_note[*outcome.counterexample] = true;
      }
    }
    for (const protocol::InvariantOutcome& invariant : found.invariants) {
      if (invariant.counterexample) size.is_refutation[*invariant.counterexample] = true;
    }
    return size;
  }

  const protocol::Model& model_;
  const Limits& limits_;
  Progress& progress_;
  ProofListener& listener_;
  unsigned threads_;
  Proof proof_;  // the last one
  protocol::Coverage coverage_;
  LevelSet violated_;
  LevelSet noted_;  // violated relative to version order, at a smaller size
};

}  // namespace

Result<ProtocolVerdict> prove_protocol(const protocol::Model& model,
                                       const ProtocolQuestion& question, const Limits& limits,
                                       Progress& progress, ProofListener& listener,
                                       unsigned threads) {
  ISOSCOPE_REQUIRE(!question.refines || !question.level);
  if (question.refines && !model.refines)
    return Error{model.name + ": the model does not say that it refines another one"};
  const bool has_levels = model.refinement || model.witness;
  Prover prover(model, limits, progress, listener, threads);
  if (question.refines || (!has_levels && model.refines && !question.level))
    return std::move(prover).refinement();
  if (!has_levels)
    return Error{model.name + ": the model has neither a map nor a witness: nothing to prove"};
  if (!question.level) return std::move(prover).strongest();
  const protocol::AbstractLevelEntry& entry = protocol::entry_of(*question.level);
  if (model.witness && entry.real_time) {
    return Error{
        .what = std::string(entry.name) + " is about time, of which a witness says nothing",
        .kind = ErrorKind::usage};
  }
  return std::move(prover).one(*question.level);
}

}  // namespace isoscope
