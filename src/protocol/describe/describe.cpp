#include "isoscope/protocol/describe.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"
#include "protocol/describe/coverage_json.h"

namespace isoscope::protocol {

namespace {

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

/// The models that come with the program are right: a test reads them all.
Model model_of(const ShippedModel& shipped) {
  auto model = read_model(std::string(shipped.name), shipped.text);
  ISOSCOPE_ENSURE(static_cast<bool>(model));
  return *std::move(model);
}

/// Facts side by side, after `first`. If there are very many, the last ones are left out, because a
/// person is to look at the picture.
std::string facts_text(const std::string& first, const std::vector<std::string>& facts) {
  constexpr std::size_t most_facts = 24, width = 100;
  if (facts.empty()) return "";
  std::string text, line = first;
  const auto add = [&](const std::string& fact) {
    if (line.size() > first.size() && line.size() + fact.size() + 2 > width) {
      text += line + "\n";
      line = std::string(first.size(), ' ');
    }
    line += " " + fact + ";";
  };
  for (std::size_t i = 0; i < std::min(facts.size(), most_facts); ++i) add(facts[i]);
  if (facts.size() > most_facts) add("and " + counted(facts.size() - most_facts, "fact") + " more");
  line.back() = '\n';
  return text + line;
}

/// A state, a step, and what is then against the goal.
std::string picture_text(const OpenGoal& goal) {
  std::string text;
  if (goal.things.empty()) return text;
  if (!goal.picture.empty()) {
    text += "    the invariants do not exclude, with " + goal.things + ":\n";
    text += facts_text("     ", goal.picture);
  } else if (!goal.step.empty()) {
    text += "    the invariants do not exclude it with " + goal.things + "\n";
  }
  if (goal.step.empty()) return text + facts_text("    it is not so:", goal.broken);
  // Where all is about the time after the step, that needs to be said only once.
  constexpr std::string_view after = " afterwards";
  std::vector<std::string> broken = goal.broken;
  const bool is_all_after =
      std::ranges::all_of(broken, [&](const std::string& fact) { return fact.ends_with(after); });
  for (std::string& fact : broken)
    if (is_all_after) fact.resize(fact.size() - after.size());
  return text +
         facts_text("    " + goal.step + (is_all_after ? " breaks it, for then:" : " breaks it:"),
                    broken);
}

std::string open_goal_text(const OpenGoal& goal) {
  return "  open: " + (goal.event.empty() ? "at the start" : goal.event) + ": " + goal.claim +
         (goal.belongs_to.empty() ? "" : " (" + goal.belongs_to + ")") + "\n" + picture_text(goal);
}

std::string unkept_text(const UnkeptInvariant& invariant) {
  std::string text = "  not kept: invariant " + invariant.name;
  if (!invariant.broken) {
    text += ", though it would be if the other invariants were\n";
  } else if (invariant.broken->event.empty()) {
    text += ", at the start\n" + picture_text(*invariant.broken);
  } else {
    text += ", by " + invariant.broken->event + "\n" + picture_text(*invariant.broken);
  }
  if (invariant.is_beyond)
    text +=
        "    it says `exists` below `forall`, which this version does not assume before an event; "
        "so it may be kept\n";
  return text;
}

/// What a refinement means, and what it says about levels.
std::string refines_text(const Model& model, const Proof& proof) {
  const bool is_proved = proof.outcome == Proof::Outcome::proved;
  std::string text = std::string(is_proved ? "  " : "  to be shown: ") + "every step is one of " +
                     proof.refines + ", or changes nothing there; clients see the same\n";
  if (!is_proved || !model.refines) return text;
  const Model& other = *model.refines->model;
  if (other.claims.empty()) return text;
  return text + "  " + joined(other.claims) + ", which " + proof.refines +
         " claims, holds here if it holds there ('isoscope protocol prove')\n";
}

}  // namespace

std::string sizes_text(const Sizes& sizes) {
  return counted(sizes.clients, "client") + ", " + counted(sizes.keys, "key") + ", " +
         counted(sizes.transactions, "transaction") + " of each client";
}

std::string shipped_models_text() {
  std::size_t width = 0;
  for (const ShippedModel& shipped : shipped_models()) width = std::max(width, shipped.name.size());
  std::string text;
  for (const ShippedModel& shipped : shipped_models()) {
    const Model model = model_of(shipped);
    std::string line(shipped.name);
    line.resize(width + 2, ' ');
    line += joined(model.claims);
    line.resize(std::max(line.size() + 1, width + 12), ' ');
    text += line + model.title + "\n";
  }
  return text;
}

std::string shipped_models_json() {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-protocols").integer(1).member("models").begin_array();
  for (const ShippedModel& shipped : shipped_models()) {
    const Model model = model_of(shipped);
    json.begin_object().member("name").string(shipped.name).member("title").string(model.title);
    json.member("citation").string(model.citation).member("claims").begin_array();
    for (const std::string& claim : model.claims) json.string(claim);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

Result<ShippedModel> find_shipped_model(std::string_view name) {
  std::vector<std::string> known;
  for (const ShippedModel& shipped : shipped_models()) {
    if (shipped.name == name) return shipped;
    known.emplace_back(shipped.name);
  }
  const std::string suggestion = did_you_mean(name, known);
  return Error{.what = "no protocol " + quoted_for_message(name) +
                       (suggestion.empty() ? "; 'isoscope protocol list' lists those there are"
                                           : suggestion),
               .kind = ErrorKind::usage};
}

std::vector<AbstractLevel> claimed_levels(const Model& model) {
  std::vector<AbstractLevel> levels;
  for (const std::string& claim : model.claims) {
    const auto level = find_abstract_level(claim);
    ISOSCOPE_REQUIRE(level.has_value());
    levels.push_back(*level);
  }
  return levels;
}

std::string proof_text(const Model& model, const Proof& proof, bool invariants) {
  const AbstractLevelEntry& level = entry_of(proof.level);
  const bool is_level = proof.refines.empty();
  std::string text = model.name + ": " +
                     (is_level ? std::string(level.name) : "refinement of " + proof.refines) + " ";
  switch (proof.outcome) {
    case Proof::Outcome::proved:
      text += "proved for any number of clients, keys and transactions\n";
      break;
    case Proof::Outcome::open:
      text += "not proved: " + std::to_string(proof.open.size()) + " of " +
              counted(proof.goals, "goal") + (proof.open.size() == 1 ? " is" : " are") + " open\n";
      break;
    case Proof::Outcome::unkept:
      text += "not proved: " + counted(proof.unkept.size(), "invariant") + " of the model " +
              (proof.unkept.size() == 1 ? "is" : "are") + " not kept\n";
      break;
    case Proof::Outcome::vacuous:
      text +=
          "not proved: too little can happen, or is seen, so that nothing goes wrong says little\n";
      break;
    case Proof::Outcome::stopped:
      text += "not proved: a limit was reached";
      text += proof.stopped_while.empty() ? "\n" : " (" + proof.stopped_while + ")\n";
      break;
  }
  text += is_level ? "  " + std::string(level.title) + "\n" : refines_text(model, proof);
  const bool is_tried = proof.sampled_states > 0;
  if (proof.outcome != Proof::Outcome::stopped && is_tried) {
    text += "  " + counted(proof.sampled_states, "state") + " sampled, " +
            counted(proof.candidates, "candidate") + ", " + std::to_string(proof.inductive) +
            " of them inductive, " + std::to_string(proof.invariants.size()) + " needed; " +
            counted(proof.goals, "goal") + "\n";
  } else if (is_tried) {
    text += "  established so far: " + std::to_string(proof.proved_goals) + " of " +
            counted(proof.goals, "goal") + " proved (" + counted(proof.sampled_states, "state") +
            " sampled, " + counted(proof.candidates, "candidate") + ")\n";
  }
  if (proof.coverage) text += "  covers: " + text_of(model, *proof.coverage) + "\n";
  for (const std::string& reason : proof.vacuous) text += "  vacuous: " + reason + "\n";
  for (const UnkeptInvariant& invariant : proof.unkept) text += unkept_text(invariant);
  for (const OpenGoal& goal : proof.open) text += open_goal_text(goal);
  if (!invariants || proof.invariants.empty()) return text;
  text += "  invariants:\n";
  for (const std::string& invariant : proof.invariants) text += "    " + invariant + "\n";
  return text;
}

std::string proof_json(const Model& model, const Proof& proof) {
  static constexpr std::string_view outcomes[] = {"proved", "open", "unkept", "vacuous", "stopped"};
  JsonWriter json(JsonWriter::Style::compact);
  const auto strings = [&](std::string_view name, const std::vector<std::string>& list) {
    json.member(name).begin_array();
    for (const std::string& one : list) json.string(one);
    json.end_array();
  };
  const auto number = [&](std::string_view name, std::uint64_t value) {
    json.member(name).integer(static_cast<std::int64_t>(value));
  };
  json.begin_object().member("isoscope-protocol-proof").integer(1);
  json.member("model").string(model.name);
  if (proof.refines.empty())
    json.member("level").string(entry_of(proof.level).name);
  else
    json.member("refines").string(proof.refines);
  json.member("outcome").string(outcomes[static_cast<std::size_t>(proof.outcome)]);
  if (!proof.stopped_while.empty()) json.member("stopped-while").string(proof.stopped_while);
  number("sampled-states", proof.sampled_states);
  number("candidates", proof.candidates);
  number("inductive", proof.inductive);
  number("goals", proof.goals);
  number("proved-goals", proof.proved_goals);
  number("obligations", proof.obligations);
  number("solver-calls", proof.solver_calls);
  strings("invariants", proof.invariants);
  strings("impossible-events", proof.impossible_events);
  strings("vacuous", proof.vacuous);
  if (proof.coverage) coverage_json(model, *proof.coverage, json);
  std::vector<std::string> unkept;
  for (const UnkeptInvariant& invariant : proof.unkept) unkept.push_back(invariant.name);
  strings("not-inductive", unkept);
  const auto goal_members = [&](const OpenGoal& goal) {
    json.member("event").string(goal.event).member("claim").string(goal.claim);
    json.member("of").string(goal.belongs_to);
    json.member("things").string(goal.things);
    strings("picture", goal.picture);
    json.member("step").string(goal.step);
    strings("broken", goal.broken);
  };
  json.member("not-kept").begin_array();
  for (const UnkeptInvariant& invariant : proof.unkept) {
    json.begin_object().member("invariant").string(invariant.name);
    json.member("may-be-kept").boolean(invariant.is_beyond);
    if (invariant.broken) goal_members(*invariant.broken);
    json.end_object();
  }
  json.end_array().member("open").begin_array();
  for (const OpenGoal& goal : proof.open) {
    json.begin_object();
    goal_members(goal);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::protocol
