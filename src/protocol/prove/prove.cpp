#include "isoscope/protocol/prove.h"

#include <algorithm>
#include <memory>
#include <new>
#include <set>

#include "isoscope/base/contract.h"
#include "isoscope/protocol/formula_text.h"
#include "protocol/claims/obligations.h"
#include "protocol/model/make_formula.h"
#include "protocol/model/told_reads.h"
#include "protocol/prove/houdini.h"
#include "protocol/prove/invariant_claims.h"
#include "protocol/smtlib/smtlib.h"

namespace isoscope::protocol {
namespace {

// The model with two more components that say which transactions have begun and which have been
// answered. Where the model does not say when clients get their answer, they get it when the
// transaction commits.
Model with_begin_and_answer(Model model) {
  const auto number = static_cast<std::uint32_t>(model.components.size());
  for (const char* name : {"isoscope.begun", "isoscope.answered"}) {
    Component component{.name = name, .parameters = {Sort::transaction}};
    component.is_history = true;
    component.initially = formula_of({.kind = Formula::Kind::truth, .index = 0});
    model.components.push_back(std::move(component));
  }
  const bool answers =
      std::ranges::any_of(model.events, [](const Event& e) { return e.answers.has_value(); });
  for (Event& event : model.events) {
    const auto set = [&](std::uint32_t component, std::uint32_t variable) {
      Update update{.component = component};
      update.index = {{.kind = Term::Kind::variable, .index = variable}};
      update.cases.push_back({.formula = formula_of({.kind = Formula::Kind::truth, .index = 1})});
      event.updates.push_back(std::move(update));
    };
    if (event.begins) set(number, *event.begins);
    if (event.answers) set(number + 1, *event.answers);
    if (!answers && event.commits) set(number + 1, *event.commits);
  }
  return model;
}

Constants most_constants(const Obligations& obligations) {
  Constants most;
  const auto look_at = [&](const Claim& claim) {
    const Constants own = constants_for(claim);
    for (std::size_t i = 0; i < own.count.size(); ++i)
      most.count[i] = std::max(most.count[i], own.count[i]);
  };
  std::ranges::for_each(obligations.start, look_at);
  for (const auto& claims : obligations.events) std::ranges::for_each(claims, look_at);
  return most;
}

// For candidates that are made from what stays open.
constexpr Constants wide{{0, 2, 5}};

// Adds the obligation that what clients see hides no reads.
void add_told_reads(const Model& model, Obligations& obligations) {
  for (const Invariant& told : told_reads(model)) {
    const auto claim = [&](const Event* event) {
      Claim result = claim_of(told, event);
      result.name = told.name;
      result.belongs_to = "observation";
      return result;
    };
    obligations.start.push_back(claim(nullptr));
    for (std::size_t e = 0; e < model.events.size(); ++e)
      obligations.events[e].push_back(claim(&model.events[e]));
  }
}

// What is to be shown so that the model has the level; or, without a level, so that it refines the
// model that it says it refines.
std::optional<Obligations> obligations_of(const Model& model, std::optional<AbstractLevel> level) {
  if (level) {
    std::optional<Obligations> result;
    if (model.refinement)
      result = refinement_obligations(model, *level);
    else if (model.witness && level != AbstractLevel::sser)
      result = witness_obligations(model, *level);
    if (result) add_told_reads(model, *result);
    return result;
  }
  if (!model.refines) return std::nullopt;
  Result<Obligations> result = refines_obligations(model);
  ISOSCOPE_REQUIRE(static_cast<bool>(result));  // it was made when the model was read
  return *std::move(result);
}

// What was never shown to happen, unless it is known already that it cannot.
void look_at_coverage(const Model& model, const Coverage& coverage, Proof& proof) {
  // A refinement is about steps; how much reads and writes say is asked of the other model.
  const Question question = proof.refines.empty() ? Question::levels : Question::steps;
  std::vector<std::string> reasons;
  if (question == Question::levels) {
    reasons = hidden_accesses(model);
    reasons.insert(reasons.end(), coverage.hidden.begin(), coverage.hidden.end());
  }
  for (const std::string& reason : never_shown(model, coverage, question, proof.impossible_events))
    reasons.push_back(reason + " in the runs that were looked at");
  const bool is_about_time = question == Question::levels && entry_of(proof.level).real_time;
  if (is_about_time && !coverage.never_answered.empty()) reasons.push_back(coverage.never_answered);
  proof.vacuous.insert(proof.vacuous.end(), reasons.begin(), reasons.end());
}

void attempt(const Model& given, std::optional<AbstractLevel> level, const Limits& limits,
             Progress& progress, const ProveOptions& options, Proof& proof) {
  if (level && options.coverage != nullptr && !options.coverage->hidden.empty()) {
    look_at_coverage(given, *options.coverage, proof);
    proof.outcome = Proof::Outcome::vacuous;
    return;
  }
  Model model = with_begin_and_answer(given);
  if (level) model.refines.reset();  // that is another question
  const std::optional<Obligations> wanted = obligations_of(model, level);
  if (!wanted) {
    const char* what = !level          ? "the model does not say what it refines"
                       : model.witness ? "an order of commits says nothing about real time"
                                       : "the model has neither a map nor a witness";
    proof.open.push_back({"", what, ""});
    return;
  }
  const Obligations& obligations = *wanted;

  proof.goals = obligations.start.size();
  for (const std::vector<Claim>& claims : obligations.events) proof.goals += claims.size();

  progress.phase("sampling states", 0);
  const Atoms atoms = atoms_of(model);
  const Samples samples = sample(model, atoms, limits);
  proof.sampled_states = samples.states.size();
  std::set<std::string> tried;  // what was a candidate already
  std::vector<Clause> clauses = candidates(atoms, samples, limits);
  proof.candidates = clauses.size();

  const auto stopped = [&](const char* what) {
    proof.outcome = Proof::Outcome::stopped;
    proof.stopped_while = what;
  };
  if (limits.reached_now()) return stopped("sampling states");
  std::vector<Invariant> formulas = model.invariants;
  Constants constants = most_constants(obligations);
  std::unique_ptr<Houdini> houdini;
  const auto make_houdini = [&]() {
    houdini.reset();  // two at once would take twice the memory
    houdini = std::make_unique<Houdini>(model, atoms, clauses, formulas, constants, limits);
    for (std::uint32_t e = 0; e < obligations.assumed.size(); ++e)
      houdini->assume(e, obligations.assumed[e], limits);
  };
  make_houdini();
  bool is_stopped = false;
  std::vector<std::pair<std::optional<std::uint32_t>, const Claim*>> open;  // as in proof.open
  // Prove what can be proved; what stays open shows which states must be unreachable. That none of
  // them is reachable becomes one more candidate, until nothing is open or nothing new is found.
  while (true) {
    if (!houdini->run(limits, progress)) return stopped("looking for invariants");
    std::vector<Invariant> more;
    proof.open.clear();
    open.clear();
    proof.proved_goals = 0;
    progress.phase("goals", model.events.size() + 1);
    const auto prove_claim = [&](std::optional<std::uint32_t> event, const Claim& claim) {
      const Houdini::Conclusion answer = houdini->prove(event, claim, limits);
      is_stopped = is_stopped || answer == Houdini::Conclusion::stopped;
      if (answer == Houdini::Conclusion::proved) ++proof.proved_goals;
      if (answer != Houdini::Conclusion::open) return;
      proof.open.push_back({event ? model.events[*event].name : "", claim.name, claim.belongs_to});
      open.emplace_back(event, &claim);
      if (!options.widen) return;
      for (const Cube& cube : houdini->causes(event, claim, samples, limits)) {
        FormulaPtr formula = outside(cube, atoms);
        std::string text = text_of(*formula, model, {});
        if (!tried.insert(text).second) continue;
        more.push_back({std::move(text), std::move(formula)});
      }
    };
    for (const Claim& claim : obligations.start) prove_claim(std::nullopt, claim);
    for (std::uint32_t e = 0; e < model.events.size() && !is_stopped; ++e) {
      for (const Claim& claim : obligations.events[e]) prove_claim(e, claim);
      progress.advance(e + 1);
    }
    if (is_stopped || limits.reached_now()) return stopped("proving goals");
    if (more.empty()) break;
    proof.candidates += more.size();
    formulas.insert(formulas.end(), more.begin(), more.end());
    if (constants[Sort::transaction] >= wide[Sort::transaction]) {
      houdini->add_candidates(std::move(more));
      continue;
    }
    // Such candidates speak of more transactions than clauses do.
    for (const Sort sort : {Sort::client, Sort::key, Sort::transaction})
      constants[sort] = std::max(constants[sort], wide[sort]);
    clauses = houdini->alive_clauses();
    make_houdini();
  }
  proof.inductive = houdini->alive_count();
  progress.phase("pictures of what is open", open.size());
  for (std::size_t i = 0; i < open.size() && options.pictures; ++i) {
    if (!houdini->find_breaking_step(open[i].first, *open[i].second, limits, proof.open[i]))
      return stopped("drawing what is open");
    progress.advance(i + 1);
  }
  progress.phase("invariants of the model", model.invariants.size());
  if (!find_unkept(model, *houdini, limits, options.pictures, progress, proof.unkept))
    return stopped("looking whether the model's invariants are kept");
  for (std::uint32_t e = 0; e < model.events.size() && !is_stopped; ++e) {
    const Houdini::Conclusion possible = houdini->is_possible(e, limits);
    is_stopped = is_stopped || possible == Houdini::Conclusion::stopped;
    if (possible == Houdini::Conclusion::open)
      proof.impossible_events.push_back(model.events[e].name);
  }
  if (is_stopped) return stopped("looking whether all events are possible");

  const std::optional<std::set<std::size_t>> needed = houdini->needed(limits);
  if (!needed) return stopped("looking for what the proof needs");
  std::vector<Invariant> core;
  for (const std::size_t number : *needed)
    core.push_back(number < clauses.size() ? Invariant{text_of(clauses[number], atoms, model),
                                                       formula_of(clauses[number], atoms)}
                                           : formulas[number - clauses.size()]);
  for (const Invariant& invariant : core) proof.invariants.push_back(invariant.name);
  proof.solver_calls = houdini->solver_calls();
  for (const std::string& event : proof.impossible_events)
    proof.vacuous.push_back(event + " can never happen");
  if (options.coverage != nullptr) look_at_coverage(given, *options.coverage, proof);
  proof.outcome = !proof.open.empty()      ? Proof::Outcome::open
                  : !proof.unkept.empty()  ? Proof::Outcome::unkept
                  : !proof.vacuous.empty() ? Proof::Outcome::vacuous
                                           : Proof::Outcome::proved;
  if (proof.outcome == Proof::Outcome::proved) {
    SmtObligationCounts counts;
    proof.certificate = smtlib_text(model, obligations, core, counts);
    proof.obligations = counts.unsat + counts.sat;
  }
}

Proof prove_all(const Model& model, std::optional<AbstractLevel> level, const Limits& limits,
                Progress& progress, const ProveOptions& options) {
  Proof proof;
  if (level) proof.level = *level;
  if (!level && model.refines) proof.refines = model.refines->name;
  if (options.coverage != nullptr) proof.coverage = *options.coverage;
  try {
    attempt(model, level, limits, progress, options, proof);
  } catch (const std::bad_alloc&) {
    limits.memory_was_refused();
    proof.outcome = Proof::Outcome::stopped;
    proof.stopped_while = "more memory was needed";
    proof.certificate.clear();
  }
  progress.finish();
  return proof;
}

}  // namespace

Proof prove(const Model& model, AbstractLevel level, const Limits& limits, Progress& progress,
            const ProveOptions& options) {
  return prove_all(model, level, limits, progress, options);
}

Proof prove_refines(const Model& model, const Limits& limits, Progress& progress,
                    const ProveOptions& options) {
  return prove_all(model, std::nullopt, limits, progress, options);
}

}  // namespace isoscope::protocol
