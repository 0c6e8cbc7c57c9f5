#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/text_lines.h"
#include "isoscope/history/format.h"
#include "isoscope/synth/describe.h"
#include "synth/describe_parts.h"

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Matrix;
using spec::Structure;
using spec::Witness;

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

/// "x1 = x, t1 = init": the names that spec::text_of() gives to variables.
std::string bindings_text(const Structure& history, const Demand& demand) {
  std::size_t transactions = 0;
  std::size_t keys = 0;
  std::string text;
  for (const auto& [sort, index] : demand.bound) {
    const bool is_key = sort == spec::Sort::key;
    text += text.empty() ? "" : ", ";
    text += is_key ? "x" + std::to_string(++keys) : "t" + std::to_string(++transactions);
    text += " = " + (is_key ? history.key_names[index] : history.transaction_names[index]);
  }
  return text;
}

/// A pair that a bound demands: "T1 -> T2", "x: T1 -> T2" or, of a set, "T1".
std::string bound_text(const Structure& history, const Demand& demand) {
  std::string text;
  std::string_view between;
  for (const auto& [sort, index] : demand.bound) {
    const bool is_key = sort == spec::Sort::key;
    text += std::string(between) +
            (is_key ? history.key_names[index] : history.transaction_names[index]);
    between = is_key ? ": " : " -> ";
  }
  return text;
}

std::string witness_list(const Definition& level) {
  std::vector<std::string> names;
  for (const Witness& witness : level.witnesses) names.push_back(witness.name);
  return joined(names, " and ");
}

/// What comes before the demands that cannot be met together.
std::string failure_heading(const Definition& level) {
  if (level.witnesses.empty()) return "these are not all true\n";
  return "no " + witness_list(level) + (level.witnesses.size() == 1 ? " fits" : " fit") +
         " all of these\n";
}

std::string titled(const Definition& level) {
  return level.title.empty() ? level.name : level.name + ", " + level.title + ",";
}

std::string size_text(const Structure& history) {
  const Size size = size_of(history);
  return counted(size.transactions, "transaction") + ", " + counted(size.keys, "key") + ", " +
         counted(size.operations, "operation");
}

}  // namespace

std::string scope_text(const Scope& scope) {
  std::string text = (scope.exactly ? "of exactly " : "up to ") +
                     counted(scope.transactions, "transaction") +
                     (scope.exactly ? ", up to " : ", ") + counted(scope.keys, "key");
  if (scope.values) text += ", " + counted(*scope.values, "value");
  if (scope.operations) text += ", " + counted(*scope.operations, "operation") + " per transaction";
  if (!scope.blind_writes) text += ", without blind writes";
  if (scope.any_session_order) text += ", session order being any order";
  return text;
}

std::string history_text(const Example& example) {
  Result<std::string> litmus = format_history(recorded(example), Format::litmus);
  ISOSCOPE_REQUIRE(static_cast<bool>(litmus));
  std::string text = *std::move(litmus);
  if (has_sessions(example.history)) return text;
  const Witness session_order{.name = "session order", .kind = Witness::Kind::relation};
  return text + "session order: " +
         witness_text(session_order, example.history,
                      {.matrix = example.history.so, .by_key = {}}) +
         "\n";
}

std::string execution_text(const Definition& level, const Structure& history,
                           const spec::Execution& execution) {
  Table table;
  for (std::size_t i = 0; i < level.witnesses.size(); ++i) {
    const Witness& witness = level.witnesses[i];
    table.add(witness.name, witness_text(witness, history, execution[i]));
  }
  return table.text("    ");
}

std::string reasons_text(const Definition& level, const Structure& history,
                         const std::vector<Demand>& reasons) {
  if (reasons.empty()) return "    (a limit was reached before it was found out why)\n";
  Table demands;
  std::string axioms;
  for (const Demand& demand : reasons) {
    const auto axiom = std::ranges::find(level.axioms, demand.axiom, &spec::Axiom::name);
    if (axiom == level.axioms.end()) {
      demands.add(demand.axiom, bound_text(history, demand));
    } else {
      demands.add(demand.axiom, bindings_text(history, demand));
    }
  }
  for (const spec::Axiom& axiom : level.axioms) {
    if (std::ranges::find(reasons, axiom.name, &Demand::axiom) != reasons.end())
      axioms += wrapped_lines(axiom.name + ": " + spec::text_of(*axiom.formula, level), "    ");
  }
  return demands.text("    ") + (axioms.empty() ? "" : "  where\n" + axioms);
}

std::string example_text(const Example& example) {
  std::string text = history_text(example) + "\n" + size_text(example.history) + "\n";
  const Question& question = example.question;
  for (std::size_t i = 0; i < question.allow.size(); ++i) {
    const Definition& level = *question.allow[i];
    text += "\n" + titled(level) +
            (level.witnesses.empty() ? " is true of it\n" : " allows it with\n") +
            execution_text(level, example.history, example.executions[i]);
  }
  for (std::size_t i = 0; i < example.reasons.size(); ++i) {
    const Definition& level = *question.forbid[i];
    text += "\n" + titled(level) +
            (level.witnesses.empty() ? " is not true of it: " : " forbids it: ") +
            failure_heading(level) + reasons_text(level, example.history, example.reasons[i]);
  }
  return text;
}

std::string recorded_text(std::string_view file, const Definition& level,
                          const RecordedVerdict& verdict) {
  const std::string subject = std::string(file) + ": " + level.name + ": ";
  const bool violated = verdict.answer == Answer::violated;
  std::string extent;
  if (verdict.coverage) {
    extent = (violated ? " (among " : " (") +
             coverage_words(*verdict.coverage, Level{LevelId::valid_reads}, 0) + ")";
  }
  const std::string remarks = remark_lines(verdict.remarks);
  switch (verdict.answer) {
    case Answer::holds:
      return subject + "holds" + extent + (level.witnesses.empty() ? "\n" : " with\n") +
             execution_text(level, verdict.history, verdict.execution) + remarks;
    case Answer::violated:
      return subject + "VIOLATED" + extent + ": " + failure_heading(level) +
             reasons_text(level, verdict.history, verdict.why);
    case Answer::unknown:
      return subject + "unknown" + extent + ": " + verdict.reason + "\n" + remarks;
  }
  return "";
}

std::string comparison_text(const Comparison& comparison, const Definition& first,
                            const Definition& second, const Scope& scope) {
  const std::string both = first.name + " and " + second.name + " are ";
  const std::string bounds = " (" + scope_text(scope) + ")\n";
  std::string text;
  switch (comparison.kind()) {
    case Comparison::Kind::equivalent:
      text = both + "equivalent " + scope_text(scope) + "\n";
      break;
    case Comparison::Kind::unknown:
      text =
          "unknown how " + first.name + " and " + second.name + " compare: a limit was reached\n";
      break;
    case Comparison::Kind::stronger:
      text = first.name + " is stronger than " + second.name + bounds;
      break;
    case Comparison::Kind::weaker:
      text = first.name + " is weaker than " + second.name + bounds;
      break;
    case Comparison::Kind::incomparable:
      text = both + "incomparable\n";
      break;
    case Comparison::Kind::different:
      text = both + "different; whether one is stronger is not known: a limit was reached\n";
      break;
  }
  for (const auto& [level, extent] :
       {std::pair(&first, comparison.first_allows), std::pair(&second, comparison.second_allows)}) {
    const std::string remark = extent_text(*level, extent, scope);
    if (!remark.empty()) text += remark + "\n";
  }
  if (comparison.kind() == Comparison::Kind::equivalent ||
      comparison.kind() == Comparison::Kind::unknown) {
    return text;
  }
  const auto add_side = [&](const Comparison::Side& side, const Definition& allowing,
                            const Definition& forbidding) {
    const std::string what = allowing.name + " allows and " + forbidding.name + " forbids";
    if (side.example) {
      text += "\nA smallest history that " + what + ":\n\n" +
              indented(example_text(*side.example), "  ");
    } else if (side.answer == Synthesis::Kind::none) {
      text += "\nNo history that " + what + ", " + scope_text(scope) + ".\n";
    }
  };
  add_side(comparison.only_first, first, second);
  add_side(comparison.only_second, second, first);
  return text;
}

}  // namespace isoscope::synth
