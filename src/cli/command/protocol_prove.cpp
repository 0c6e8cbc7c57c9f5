#include <algorithm>
#include <chrono>

#include "cli/level_text.h"
#include "cli/protocol_model.h"
#include "cli/save.h"
#include "isoscope/judge/judge_by_texts.h"

namespace isoscope::cli {

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

/// First looks for violations at small sizes: that is quick, and no proof needs to be tried of what
/// is violated. Then tries proofs, one level after the other.
class Attempt {
 public:
  Attempt(Invocation& invocation, const protocol::Model& model)
      : invocation_(invocation), model_(model) {}

  ExitCode one(AbstractLevel level) {
    if (const ExitCode code = refute(level, {level}); code != exit_holds) return code;
    if (is_violated(level)) return worse(exit_violated, no_certificate());
    return prove(level) ? save_certificate() : worse(exit_unknown, no_certificate());
  }

  ExitCode refinement() {
    if (const ExitCode code = refute(std::nullopt, {}, true); code != exit_holds) return code;
    return prove(std::nullopt) ? save_certificate() : worse(exit_unknown, no_certificate());
  }

  /// What the model claims; if not all of that is proved, the strongest that is.
  ExitCode strongest() {
    const std::vector<AbstractLevel> claimed = protocol::claimed_levels(model_);
    if (const ExitCode code = refute(std::nullopt, claimed); code != exit_holds) return code;
    ExitCode code = claimed.empty() ? exit_unknown : exit_holds;
    std::optional<AbstractLevel> proved;
    for (const AbstractLevel level : claimed) {
      if (proved && implies(*proved, level)) continue;
      if (is_violated(level)) {
        code = exit_violated;
      } else if (!prove(level)) {
        code = worse(code, exit_unknown);
        if (is_about_the_model() || is_stopped()) break;
      } else if (!proved) {
        proved = level;
      }
    }
    for (std::size_t i = protocol::abstract_level_count;
         i-- > 0 && !proved && !is_about_the_model() && !is_stopped();) {
      const auto level = static_cast<AbstractLevel>(i);
      if (std::ranges::count(claimed, level) != 0 || is_violated(level)) continue;
      // A witness says nothing about time.
      if (model_.witness && protocol::entry_of(level).real_time) continue;
      if (!prove(level)) continue;
      proved = level;
      if (claimed.empty()) code = exit_holds;
    }
    return worse(code, proved ? save_certificate() : no_certificate());
  }

 private:
  bool is_json() const { return invocation_.options.text("format") == "json"; }
  bool is_stopped() const { return invocation_.limits.reached_now().has_value(); }
  bool is_violated(AbstractLevel level) const { return (violated_ >> bit(level) & 1) != 0; }
  /// Was the last proof none for a reason that weaker levels have, too?
  bool is_about_the_model() const { return !proof_.unkept.empty() || !proof_.vacuous.empty(); }
  static unsigned bit(AbstractLevel level) { return static_cast<unsigned>(level); }

  /// Without a level: that it refines what it says.
  bool prove(std::optional<AbstractLevel> level) {
    if (is_stopped()) {
      static_cast<void>(stopped(invocation_));
      return false;
    }
    const Options& options = invocation_.options;
    const auto start = std::chrono::steady_clock::now();
    protocol::cover_by_random_runs(model_,
                                   level ? protocol::Question::levels : protocol::Question::steps,
                                   invocation_.limits, coverage_);
    protocol::ProveOptions how;
    how.coverage = &coverage_;
    proof_ = level ? protocol::prove(model_, *level, invocation_.limits, invocation_.progress, how)
                   : protocol::prove_refines(model_, invocation_.limits, invocation_.progress, how);
    invocation_.progress.finish();
    if (options.flag("stats")) {
      using std::chrono::milliseconds;
      const auto time = std::chrono::steady_clock::now() - start;
      complain((level ? std::string(entry_of(*level).name) : "refines") + ": " +
               std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms, " +
               std::to_string(proof_.solver_calls) + " calls of the solver");
    }
    print(is_json() ? protocol::proof_json(model_, proof_)
                    : protocol::proof_text(model_, proof_, options.flag("invariants")));
    if (proof_.outcome == Proof::Outcome::proved) return true;
    if (proof_.outcome == Proof::Outcome::stopped) static_cast<void>(stopped(invocation_));
    const bool is_unknown =
        proof_.outcome == Proof::Outcome::open || proof_.outcome == Proof::Outcome::unkept;
    if (is_unknown && !is_json()) print(looked_at_);
    return false;
  }

  /// Looks for violations of one level, of all levels or of none, and tells those of the levels in
  /// question. The model's invariants are always in question: nothing is proved about a model that
  /// is wrong about itself.
  ExitCode refute(std::optional<AbstractLevel> level, const std::vector<AbstractLevel>& question,
                  bool without_levels = false) {
    bool breaks_invariant = false;
    for (const protocol::Sizes& sizes : tried_sizes) {
      if (level && is_violated(*level)) break;
      protocol::ExploreOptions options;
      options.sizes = sizes;
      options.level = level;
      options.without_levels = without_levels;
      options.max_states = most_states;
      options.threads = static_cast<unsigned>(invocation_.options.number("threads"));
      options.judge = judge_by_texts();
      options.limits = &invocation_.limits;
      options.progress = &invocation_.progress;
      const auto found = protocol::explore(model_, options);
      invocation_.progress.finish();
      if (!found) continue;  // too large to look at
      const auto opinions = opinions_on(*found);
      if (!opinions) {
        complain(opinions.error().text());
        return exit_internal_error;
      }
      report({model_, options, *found, *opinions}, question);
      coverage_.add(found->coverage);
      breaks_invariant = found->breaks_invariant();
      if (breaks_invariant) break;
    }
    return breaks_invariant ? worse(exit_violated, no_certificate()) : exit_holds;
  }

  void report(const protocol::ExplorationReport& report,
              const std::vector<AbstractLevel>& question) {
    const protocol::Exploration& found = report.exploration;
    const std::string where = protocol::sizes_text(report.options.sizes) + ", " +
                              std::to_string(found.states) + " states";
    std::vector<bool> is_shown(found.counterexamples.size()), is_note(is_shown);
    std::string others;
    for (std::size_t i = protocol::abstract_level_count; i-- > 0;) {
      const auto level = static_cast<AbstractLevel>(i);
      const LevelOutcome& outcome = found.at(level);
      if (!outcome.counterexample || is_violated(level)) continue;
      const bool is_asked = std::ranges::count(question, level) != 0;
      if (outcome.kind == LevelOutcome::Kind::violated) {
        violated_ |= 1u << bit(level);
        if (is_asked) is_shown[*outcome.counterexample] = true;
        if (!is_asked)
          others += (others.empty() ? "" : ", ") + std::string(protocol::entry_of(level).name);
      } else if (is_asked && (noted_ >> bit(level) & 1) == 0) {
        noted_ |= 1u << bit(level);
        is_note[*outcome.counterexample] = true;
      }
    }
    for (const protocol::InvariantOutcome& invariant : found.invariants)
      if (invariant.counterexample) is_shown[*invariant.counterexample] = true;
    const bool shows = std::ranges::count(is_shown, true) != 0;
    if (is_json()) {
      if (shows) print(protocol::exploration_json(report));
      return;
    }
    if (shows) {
      print(model_.name + ": VIOLATED with " + where + "\n");
    } else if (!others.empty()) {
      print(model_.name + ": " + others + " violated with " + where +
            " ('isoscope protocol explore' shows how)\n");
    } else {
      looked_at_ += "  no violation with " + where +
                    (found.complete ? "" : ", stopped: " + found.stopped) + "\n";
    }
    for (std::size_t i = 0; i < is_shown.size(); ++i) {
      if (is_shown[i]) print(protocol::counterexample_text(report, i));
      if (is_note[i] && !is_shown[i]) looked_at_ += protocol::counterexample_text(report, i);
    }
  }

  ExitCode save_certificate() const {
    const Options& options = invocation_.options;
    if (!options.is_set("certificate")) return exit_holds;
    if (proof_.certificate.empty()) return no_certificate();
    return save([&](ByteSink& sink) { return sink.write(proof_.certificate); },
                options.text("certificate"));
  }
  ExitCode no_certificate() const {
    if (!invocation_.options.is_set("certificate")) return exit_holds;
    complain("--certificate: there is none to write");
    return exit_unknown;
  }

  Invocation& invocation_;
  const protocol::Model& model_;
  Proof proof_;  // the last one
  protocol::Coverage coverage_;
  std::uint32_t violated_ = 0;
  std::uint32_t noted_ = 0;  // violated relative to version order, at a smaller size
  std::string looked_at_;    // printed when the result is unknown
};

}  // namespace

ExitCode protocol_prove(Invocation& invocation, const protocol::Model& model) {
  const Options& options = invocation.options;
  const auto level = abstract_level_option(options, "level");
  if (!level) return wrong_usage(level.error());
  if (options.flag("refines") && *level)
    return wrong_usage(Error{"--refines: not together with --level"});
  if (options.flag("refines") && !model.refines)
    return bad_input(Error{model.name + ": the model does not say that it refines another one"});
  const bool has_levels = model.refinement || model.witness;
  if (options.flag("refines") || (!has_levels && model.refines && !*level))
    return Attempt(invocation, model).refinement();
  if (!has_levels) {
    return bad_input(
        Error{model.name + ": the model has neither a map nor a witness: nothing to prove"});
  }
  if (*level && model.witness && protocol::entry_of(**level).real_time) {
    return wrong_usage(Error{"--level: " + std::string(protocol::entry_of(**level).name) +
                             " is about time, of which a witness says nothing"});
  }
  Attempt attempt(invocation, model);
  return *level ? attempt.one(**level) : attempt.strongest();
}

}  // namespace isoscope::cli
