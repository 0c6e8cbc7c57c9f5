#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/base/text_lines.h"
#include "isoscope/base/words.h"
#include "isoscope/history/format.h"
#include "isoscope/protocol/describe.h"
#include "protocol/describe/coverage_json.h"

namespace isoscope::protocol {

namespace {

using Kind = LevelOutcome::Kind;

std::string_view words_of(Kind kind) {
  switch (kind) {
    case Kind::not_refuted:
      return "not refuted";
    case Kind::violated:
      return "violated";
    case Kind::violated_in_version_order:
      return "violated only relative to version order";
    case Kind::not_checked:
      return "not checked";
  }
  ISOSCOPE_ENSURE(false);
}

/// Litmus notation holds all that a run can show. Where it comes from stands above already.
std::string litmus_of(const History& history) {
  auto text = format_history(history, Format::litmus);
  ISOSCOPE_ENSURE(static_cast<bool>(text));
  if (text->starts_with("origin ")) text->erase(0, text->find('\n') + 1);
  while (text->ends_with('\n')) text->pop_back();
  return *std::move(text);
}

/// The names, strongest first, of the levels it is the counterexample of.
std::vector<std::string> levels_of(const Exploration& exploration, std::size_t number, Kind kind) {
  std::vector<std::string> names;
  for (std::size_t i = abstract_level_count; i-- > 0;) {
    const LevelOutcome& outcome = exploration.levels[i];
    if (outcome.kind == kind && outcome.counterexample == number) {
      names.emplace_back(abstract_levels()[i].name);
    }
  }
  return names;
}

/// The names of the invariants it is the counterexample of.
std::vector<std::string> invariants_of(const Model& model, const Exploration& exploration,
                                       std::size_t number) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < exploration.invariants.size(); ++i) {
    if (exploration.invariants[i].counterexample == number)
      names.push_back(model.invariants[i].name);
  }
  return names;
}

/// Runs are counted from 1; a counterexample of nothing is none.
bool is_used(const Exploration& exploration, std::size_t number) {
  const auto is_its = [&](const auto& outcome) { return outcome.counterexample == number; };
  return std::ranges::any_of(exploration.levels, is_its) ||
         std::ranges::any_of(exploration.invariants, is_its);
}
std::size_t run_number(const Exploration& exploration, std::size_t number) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < number; ++i) count += is_used(exploration, i) ? 1 : 0;
  return count;
}

std::string strongest_text(const Exploration& exploration) {
  std::string text;
  for (const AbstractLevel level : exploration.strongest()) {
    const AbstractLevelEntry& entry = entry_of(level);
    text += (text.empty() ? "" : "; ") + std::string(entry.name) + ", " + std::string(entry.title);
  }
  return text.empty() ? "none" : text;
}

std::string numbers_text(const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  std::string text = "states  " + std::to_string(found.states) +
                     (report.options.symmetry ? " up to renaming" : "") + ", " +
                     (found.complete ? "which are all there are" : "not all: " + found.stopped) +
                     "\n";
  if (found.states_again != 0) {
    text += "        " + std::to_string(found.states_again) + " more for the shortest runs\n";
  }
  text += "starts  " + std::to_string(found.starts) + " choices of constants and orders\n";
  text += "steps   " + std::to_string(found.steps) + "\n";
  text += "depth   " + std::to_string(found.depth) + "\n";
  text += "events  ";
  for (std::size_t i = 0; i < found.coverage.fired.size(); ++i) {
    text += (i == 0 ? "" : ", ") + report.model.events[i].name + " " +
            std::to_string(found.coverage.fired[i]);
  }
  return text + "\n" + "covers  " + text_of(report.model, found.coverage) + "\n";
}

/// How many hold, and each that does not with its run.
std::string invariants_text(const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  if (found.invariants.empty()) return "";
  std::string broken;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.invariants.size(); ++i) {
    const auto number = found.invariants[i].counterexample;
    if (!number) ++kept;
    if (number)
      broken += "invariant " + report.model.invariants[i].name + ": violated, run " +
                std::to_string(run_number(found, *number)) + "\n";
  }
  return "invariants: " + std::to_string(kept) + " of " + std::to_string(found.invariants.size()) +
         " true in " + (found.complete ? "all states" : "the states seen") + "\n" + broken;
}

std::string level_line(std::string_view name, std::string_view outcome, std::string_view title) {
  std::string line(name);
  line.resize(8, ' ');
  line += outcome;
  line.resize(std::max<std::size_t>(line.size() + 2, 28), ' ');
  return line + std::string(title) + "\n";
}

/// Is real time part of the question?
bool asks_about_time(const ExplorationReport& report) {
  if (report.options.level) return entry_of(*report.options.level).real_time;
  const std::vector<AbstractLevel> claimed = claimed_levels(report.model);
  return claimed.empty() || std::ranges::any_of(claimed, [](AbstractLevel level) {
           return entry_of(level).real_time;
         });
}

void add_number(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.member(name).integer(static_cast<std::int64_t>(value));
}

void add_outcomes(JsonWriter& json, const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  json.member("invariants").begin_object();
  for (std::size_t i = 0; i < found.invariants.size(); ++i) {
    const auto run = found.invariants[i].counterexample;
    json.member(report.model.invariants[i].name).begin_object();
    json.member("outcome").string(run ? "violated" : "not refuted");
    if (run) add_number(json, "run", run_number(found, *run));
    json.end_object();
  }
  json.end_object().member("levels").begin_object();
  for (std::size_t i = abstract_level_count; i-- > 0;) {
    const LevelOutcome& outcome = found.levels[i];
    json.member(abstract_levels()[i].name).begin_object();
    json.member("outcome").string(words_of(outcome.kind));
    if (outcome.counterexample) add_number(json, "run", run_number(found, *outcome.counterexample));
    json.end_object();
  }
  json.end_object().member("strongest").begin_array();
  for (const AbstractLevel level : found.strongest()) json.string(entry_of(level).name);
  json.end_array();
}

void add_runs(JsonWriter& json, const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  json.member("runs").begin_array();
  for (std::size_t i = 0; i < found.counterexamples.size(); ++i) {
    if (!is_used(found, i)) continue;
    const Counterexample& one = found.counterexamples[i];
    json.begin_object().member("start").string(start_text(report.model, one.trace));
    json.member("steps").begin_array();
    for (const Trace::Step& step : one.trace.steps) json.string(text_of(report.model, step));
    json.end_array().member("why").string(one.why);
    json.member("history").string(litmus_of(one.history));
    if (i < report.opinions.size()) json.member("opinions").string(report.opinions[i]);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::vector<std::string> vacuities(const ExplorationReport& report) {
  std::vector<std::string> reasons = hidden_accesses(report.model);
  const Coverage& coverage = report.exploration.coverage;
  reasons.insert(reasons.end(), coverage.hidden.begin(), coverage.hidden.end());
  if (!report.exploration.complete || !report.options.shapes.empty()) return reasons;
  for (std::string& reason : never_shown(report.model, coverage))
    reasons.push_back(std::move(reason) + " with these sizes");
  if (!coverage.never_answered.empty() && asks_about_time(report))
    reasons.push_back(coverage.never_answered);
  return reasons;
}

std::vector<std::string> left_out_by_shapes(const ExplorationReport& report) {
  if (!report.exploration.complete || report.options.shapes.empty()) return {};
  return never_shown(report.model, report.exploration.coverage);
}

std::string counterexample_title(const Model& model, const Exploration& exploration,
                                 std::size_t number) {
  std::string text;
  for (const Kind kind : {Kind::violated, Kind::violated_in_version_order}) {
    const auto names = levels_of(exploration, number, kind);
    if (names.empty()) continue;
    text += (text.empty() ? "" : "; ") + joined(names) + " " + std::string(words_of(kind));
  }
  const auto invariants = invariants_of(model, exploration, number);
  if (!invariants.empty())
    text += (text.empty() ? "" : "; ") +
            std::string(invariants.size() == 1 ? "invariant " : "invariants ") +
            joined(invariants) + " violated";
  return text;
}

std::string counterexample_text(const ExplorationReport& report, std::size_t number) {
  const Counterexample& one = report.exploration.counterexamples[number];
  std::string text = counterexample_title(report.model, report.exploration, number) + " after " +
                     std::to_string(one.trace.steps.size()) +
                     (one.trace.steps.size() == 1 ? " step\n" : " steps\n");
  text += indented(text_of(report.model, one.trace), "  ");
  text += "  why: " + one.why + "\n";
  const bool is_of_level = std::ranges::any_of(
      report.exploration.levels,
      [&](const LevelOutcome& outcome) { return outcome.counterexample == number; });
  if (!is_of_level) return text;  // an invariant is about the state, not about what clients see
  text += "  clients saw:\n" + indented(litmus_of(one.history), "    ");
  if (number < report.opinions.size()) text += indented(report.opinions[number], "  ");
  return text;
}

std::string exploration_text(const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  std::string text = report.model.name + ": " + sizes_text(report.options.sizes) + "\n";
  text += numbers_text(report);
  for (std::size_t i = abstract_level_count; i-- > 0;) {
    const LevelOutcome& outcome = found.levels[i];
    if (outcome.kind == Kind::not_checked) continue;
    std::string words(words_of(outcome.kind));
    if (outcome.counterexample)
      words += ", run " + std::to_string(run_number(found, *outcome.counterexample));
    text += level_line(abstract_levels()[i].name, words, abstract_levels()[i].title);
  }
  if (!report.options.level) {
    text += "strongest not refuted" + std::string(found.complete ? "" : " so far") + ": " +
            strongest_text(found) + "\n";
  }
  text += invariants_text(report);
  for (std::size_t i = 0; i < found.counterexamples.size(); ++i) {
    if (!is_used(found, i)) continue;
    text += "\nrun " + std::to_string(run_number(found, i)) + ": " + counterexample_text(report, i);
  }
  return text;
}

std::string exploration_json(const ExplorationReport& report) {
  const Exploration& found = report.exploration;
  JsonWriter json(JsonWriter::Style::compact);
  const auto number = [&](std::string_view name, std::uint64_t value) {
    add_number(json, name, value);
  };
  json.begin_object().member("isoscope-protocol-exploration").integer(1);
  json.member("model").string(report.model.name);
  number("clients", report.options.sizes.clients);
  number("keys", report.options.sizes.keys);
  number("transactions", report.options.sizes.transactions);
  number("states", found.states);
  number("states-again", found.states_again);
  number("starts", found.starts);
  number("steps", found.steps);
  number("depth", found.depth);
  number("memory", found.memory);
  json.member("complete").boolean(found.complete);
  if (!found.complete) json.member("stopped").string(found.stopped);
  json.member("events").begin_object();
  for (std::size_t i = 0; i < found.coverage.fired.size(); ++i) {
    number(report.model.events[i].name, found.coverage.fired[i]);
  }
  json.end_object();
  coverage_json(report.model, found.coverage, json);
  json.member("vacuous").begin_array();
  for (const std::string& reason : vacuities(report)) json.string(reason);
  json.end_array();
  add_outcomes(json, report);
  add_runs(json, report);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::protocol
