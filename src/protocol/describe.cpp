#include "isoscope/protocol/describe.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/json_writer.h"
#include "protocol/describe_words.h"
#include "protocol/suggestion.h"

namespace isoscope::protocol {

namespace {

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

/// Those that come with the program are right: a test reads them all.
Model model_of(const ShippedModel& shipped) {
  auto model = read_model(std::string(shipped.name), shipped.text);
  ISOSCOPE_ENSURE(static_cast<bool>(model));
  return *std::move(model);
}

/// Facts side by side. Some are left out, for a picture is to be looked at: what is empty, and of a
/// large picture the end, which is about things that the goal does not name.
std::string picture_text(const std::vector<std::string>& picture) {
  constexpr std::size_t most_facts = 24, width = 100;
  const auto says_little = [](const std::string& fact) {
    return fact.ends_with(" = none") || fact == "initial = initial";
  };
  std::string text, line = "   ";
  std::size_t shown = 0;
  for (const std::string& fact : picture) {
    if (says_little(fact)) continue;
    if (++shown > most_facts) continue;
    if (line.size() > 4 && line.size() + fact.size() + 2 > width) {
      text += line + "\n";
      line = "   ";
    }
    line += " " + fact + ";";
  }
  if (shown > most_facts) line += " and " + counted(shown - most_facts, "fact") + " more;";
  line.back() = '\n';
  return text + line;
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
  return Error{
      "no protocol " + quoted_for_message(name) +
      (suggestion.empty() ? "; 'isoscope protocol list' lists those there are" : suggestion)};
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
  std::string text = model.name + ": " + std::string(level.name) + " ";
  switch (proof.outcome) {
    case Proof::Outcome::proved:
      text += "proved for any number of clients, keys and transactions\n";
      break;
    case Proof::Outcome::open:
      text += "not proved: " + std::to_string(proof.open.size()) + " of " +
              counted(proof.goals, "goal") + (proof.open.size() == 1 ? " is" : " are") + " open\n";
      break;
    case Proof::Outcome::vacuous:
      text += "not proved: " + joined(proof.impossible_events) +
              " can never happen, so that nothing goes wrong says little\n";
      break;
    case Proof::Outcome::stopped:
      text += "not proved: a limit was reached\n";
      break;
  }
  text += "  " + std::string(level.title) + "\n";
  if (proof.outcome != Proof::Outcome::stopped) {
    text += "  " + counted(proof.sampled_states, "state") + " sampled, " +
            counted(proof.candidates, "candidate") + ", " + std::to_string(proof.inductive) +
            " of them inductive, " + std::to_string(proof.invariants.size()) + " needed; " +
            counted(proof.goals, "goal") + "\n";
  }
  if (!proof.not_inductive.empty())
    text +=
        "  invariants of the model that some event does not keep: " + joined(proof.not_inductive) +
        "\n";
  for (const OpenGoal& goal : proof.open) {
    text += "  open: " + (goal.event.empty() ? "at the start" : goal.event) + ": " + goal.claim +
            " (" + goal.of + "); not excluded is\n" + picture_text(goal.picture);
  }
  if (!invariants || proof.invariants.empty()) return text;
  text += "  invariants:\n";
  for (const std::string& invariant : proof.invariants) text += "    " + invariant + "\n";
  return text;
}

std::string proof_json(const Model& model, const Proof& proof) {
  static constexpr std::string_view outcomes[] = {"proved", "open", "vacuous", "stopped"};
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
  json.member("model").string(model.name).member("level").string(entry_of(proof.level).name);
  json.member("outcome").string(outcomes[static_cast<std::size_t>(proof.outcome)]);
  number("sampled-states", proof.sampled_states);
  number("candidates", proof.candidates);
  number("inductive", proof.inductive);
  number("goals", proof.goals);
  number("solver-calls", proof.solver_calls);
  strings("invariants", proof.invariants);
  strings("impossible-events", proof.impossible_events);
  strings("not-inductive", proof.not_inductive);
  json.member("open").begin_array();
  for (const OpenGoal& goal : proof.open) {
    json.begin_object().member("event").string(goal.event).member("claim").string(goal.claim);
    json.member("of").string(goal.of);
    strings("picture", goal.picture);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::protocol
