#include "isoscope/protocol/coverage.h"

#include <algorithm>

#include "isoscope/base/words.h"
#include "protocol/explore/walk.h"

namespace isoscope::protocol {

namespace {

bool is_false(const Named& named) {
  return !named.formula ||
         (named.formula->kind == Formula::Kind::truth && named.formula->index == 0);
}

bool has_sort(const Component& component, Sort sort) {
  return std::ranges::find(component.parameters, sort) != component.parameters.end();
}

bool is_set_to_something(const Update& update) {
  return std::ranges::any_of(update.cases, [](const Update::Case& one) {
    return one.reference.kind != Update::Reference::Kind::none;
  });
}

/// Does the update make a transaction remember a version of a key?
bool copies_version(const Model& model, const Update& update) {
  const Component& to = model.components[update.component];
  if (to.name.ends_with(".reader")) return true;
  return to.kind == Component::Kind::reference && has_sort(to, Sort::key) &&
         has_sort(to, Sort::transaction) && is_set_to_something(update);
}

/// Does the update make a key remember whose version is there?
bool installs_version(const Model& model, const Update& update) {
  const Component& to = model.components[update.component];
  if (to.name.ends_with(".installed")) return true;
  return to.kind == Component::Kind::reference && has_sort(to, Sort::key) &&
         !has_sort(to, Sort::transaction) && is_set_to_something(update);
}

/// "events get, put copy versions"
std::string events_that(const Model& model, bool (*does)(const Model&, const Update&),
                        std::string_view one_does, std::string_view they_do) {
  std::vector<std::string> names;
  for (const Event& event : model.events) {
    if (std::ranges::any_of(event.updates,
                            [&](const Update& update) { return does(model, update); }))
      names.push_back(event.name);
  }
  if (names.empty()) return "";
  const bool is_one = names.size() == 1;
  return (is_one ? "event " : "events ") + joined(names) + " " +
         std::string(is_one ? one_does : they_do) + " versions";
}

}  // namespace

void Coverage::add(const Coverage& other) {
  fired.resize(std::max(fired.size(), other.fired.size()));
  for (std::size_t i = 0; i < other.fired.size(); ++i) fired[i] += other.fired[i];
  commits += other.commits;
  writers += other.writers;
  readers += other.readers;
  readers_of_others += other.readers_of_others;
  runs += other.runs;
  runs_with_overlap += other.runs_with_overlap;
  has_others |= other.has_others;
  if (hidden.empty()) hidden = other.hidden;
  if (never_answered.empty()) never_answered = other.never_answered;
}

std::vector<std::string> events_never_taken(const Model& model, const Coverage& coverage) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.events.size(); ++i) {
    if (i >= coverage.fired.size() || coverage.fired[i] == 0) names.push_back(model.events[i].name);
  }
  return names;
}

std::vector<std::string> never_shown(const Model& model, const Coverage& coverage,
                                     Question question,
                                     const std::vector<std::string>& known_impossible) {
  std::vector<std::string> reasons;
  if (coverage.commits == 0) {
    reasons.emplace_back("no transaction ever commits");
  } else if (question == Question::levels) {
    if (coverage.writers == 0) reasons.emplace_back("no transaction that writes ever commits");
    if (coverage.readers == 0 && hidden_accesses(model).empty())
      reasons.emplace_back("no transaction that reads ever commits");
    if (coverage.readers != 0 && coverage.readers_of_others == 0 && coverage.has_others)
      reasons.emplace_back("no committed transaction has ever read what another one wrote");
  }
  for (const std::string& event : events_never_taken(model, coverage)) {
    if (std::ranges::count(known_impossible, event) == 0)
      reasons.push_back("event " + event + " never happens");
  }
  return reasons;
}

std::vector<std::string> hidden_accesses(const Model& model) {
  std::vector<std::string> reasons;
  const auto look = [&](const Named& clause, std::string_view name, const std::string& what) {
    if (is_false(clause) && !what.empty())
      reasons.push_back("`observe` tells of no " + std::string(name) + ", although " + what);
  };
  look(model.observation.reads, "reads", events_that(model, copies_version, "copies", "copy"));
  look(model.observation.writes, "writes",
       events_that(model, installs_version, "installs", "install"));
  return reasons;
}

std::string text_of(const Model& model, const Coverage& coverage) {
  const std::vector<std::string> never = events_never_taken(model, coverage);
  return "committed writers " + std::to_string(coverage.writers) + ", committed readers " +
         std::to_string(coverage.readers) + " (" + std::to_string(coverage.readers_of_others) +
         " of others' writes), overlapping conflicts in " +
         std::to_string(coverage.runs_with_overlap) + " of " + std::to_string(coverage.runs) +
         " random runs, events never taken: " + (never.empty() ? "none" : joined(never));
}

void cover_by_random_runs(const Model& model, Question question, const Limits& limits,
                          Coverage& coverage) {
  constexpr std::size_t most_runs = 500;
  // Only what can happen and what clients see of it matters here.
  Model bare = model;
  bare.refinement.reset();
  bare.witness.reset();
  bare.refines.reset();
  bare.invariants.clear();
  Random random(1);
  for (const Sizes sizes : {Sizes{3, 1, 1}, Sizes{3, 2, 1}, Sizes{4, 2, 1}, Sizes{2, 3, 2}}) {
    if (never_shown(model, coverage, question).empty() || limits.reached_now()) return;
    const System system(bare, sizes, RememberedTime::nothing);
    Walk walk(system);
    coverage.has_others = true;
    for (std::size_t i = 0; i < most_runs && !never_shown(model, coverage, question).empty(); ++i) {
      if (limits.reached_now()) return;
      walk.run(walk.random_start(random), random, coverage);
    }
  }
}

}  // namespace isoscope::protocol
