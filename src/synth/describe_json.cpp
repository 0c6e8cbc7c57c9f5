#include "isoscope/synth/describe.h"
#include "synth/describe_parts.h"

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Structure;
using spec::Witness;

constexpr std::int64_t format_version = 1;

void write_scope(JsonWriter& json, const Scope& scope) {
  json.member("scope").begin_object();
  json.member("transactions").integer(static_cast<std::int64_t>(scope.transactions));
  json.member("exactly").boolean(scope.exactly);
  json.member("keys").integer(static_cast<std::int64_t>(scope.keys));
  json.member("values").integer(
      static_cast<std::int64_t>(scope.values.value_or(scope.transactions + 1)));
  json.member("operations-per-transaction");
  if (scope.operations) {
    json.integer(static_cast<std::int64_t>(*scope.operations));
  } else {
    json.null();
  }
  json.member("blind-writes").boolean(scope.blind_writes);
  json.member("any-session-order").boolean(scope.any_session_order);
  json.end_object();
}

void write_names(JsonWriter& json, const std::vector<std::string>& names,
                 const std::vector<std::size_t>& chosen) {
  json.begin_array();
  for (const std::size_t i : chosen) json.string(names[i]);
  json.end_array();
}

void write_pairs(JsonWriter& json, const Structure& history, const spec::Matrix& relation) {
  json.begin_array();
  for (const auto& [from, to] : pairs_of(history, relation))
    write_names(json, history.transaction_names, {from, to});
  json.end_array();
}

/// An order as a list of transactions, one per key as an object of lists, a relation as a list of
/// pairs, a set as a list.
void write_witness(JsonWriter& json, const Witness& witness, const Structure& history,
                   const spec::WitnessValue& value) {
  std::vector<std::size_t> members;
  switch (witness.kind) {
    case Witness::Kind::total_order:
      write_names(json, history.transaction_names,
                  in_order(value.matrix, all_transactions(history)));
      return;
    case Witness::Kind::relation:
      write_pairs(json, history, value.matrix);
      return;
    case Witness::Kind::version_order:
      json.begin_object();
      for (std::size_t x = 0; x < history.keys; ++x) {
        json.member(history.key_names[x]);
        write_names(json, history.transaction_names,
                    in_order(value.by_key[x], writers_of(history, x)));
      }
      json.end_object();
      return;
    case Witness::Kind::transaction_set:
      members = all_transactions(history);
      std::erase_if(members, [&](std::size_t t) { return !value.matrix.has(0, t); });
      write_names(json, history.transaction_names, members);
      return;
    case Witness::Kind::key_set:
      for (std::size_t x = 0; x < history.keys; ++x) {
        if (value.matrix.has(0, x)) members.push_back(x);
      }
      write_names(json, history.key_names, members);
      return;
  }
}

void write_demand(JsonWriter& json, const Structure& history, const Demand& demand) {
  json.begin_object().member("axiom").string(demand.axiom);
  json.member("of").begin_array();
  for (const auto& [sort, index] : demand.bound) {
    json.string(sort == spec::Sort::key ? history.key_names[index]
                                        : history.transaction_names[index]);
  }
  json.end_array().end_object();
}

std::string litmus_line(const Example& example) {
  std::string text = history_text(example);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void write_example(JsonWriter& json, const Example& example) {
  const Structure& history = example.history;
  const Size size = size_of(history);
  json.begin_object().member("litmus").string(litmus_line(example));
  json.member("transactions").integer(static_cast<std::int64_t>(size.transactions));
  json.member("keys").integer(static_cast<std::int64_t>(size.keys));
  json.member("operations").integer(static_cast<std::int64_t>(size.operations));
  json.member("session-order");
  write_pairs(json, history, history.so);
  json.member("allowed-by").begin_array();
  for (std::size_t i = 0; i < example.question.allow.size(); ++i) {
    const Definition& level = *example.question.allow[i];
    json.begin_object().member("level").string(level.name);
    json.member("witnesses");
    write_execution(json, level, history, example.executions[i]);
    json.end_object();
  }
  json.end_array().member("forbidden-by").begin_array();
  for (std::size_t i = 0; i < example.question.forbid.size(); ++i) {
    json.begin_object().member("level").string(example.question.forbid[i]->name);
    json.member("demands");
    write_reasons(json, history,
                  example.reasons.empty() ? std::vector<Demand>() : example.reasons[i]);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_side(JsonWriter& json, const Comparison::Side& side) {
  constexpr std::string_view answers[] = {"found", "none", "unknown"};
  json.begin_object().member("answer").string(answers[static_cast<std::size_t>(side.answer)]);
  json.member("example");
  if (side.example) {
    write_example(json, *side.example);
  } else {
    json.null();
  }
  json.end_object();
}

void write_group(JsonWriter& json, const Lattice& lattice, const Lattice::Group& group) {
  json.begin_array();
  for (const std::size_t i : group) json.string(lattice.levels[i]->name);
  json.end_array();
}

}  // namespace

void write_execution(JsonWriter& json, const Definition& level, const Structure& history,
                     const spec::Execution& execution) {
  json.begin_object();
  for (std::size_t i = 0; i < level.witnesses.size(); ++i) {
    json.member(level.witnesses[i].name);
    write_witness(json, level.witnesses[i], history, execution[i]);
  }
  json.end_object();
}

void write_reasons(JsonWriter& json, const Structure& history, const std::vector<Demand>& reasons) {
  json.begin_array();
  for (const Demand& demand : reasons) write_demand(json, history, demand);
  json.end_array();
}

std::string examples_json(const std::vector<Example>& examples, bool are_all, const Scope& scope) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-synth").integer(format_version);
  json.member("answer").string(examples.empty() ? "none" : "found");
  write_scope(json, scope);
  json.member("histories").begin_array();
  for (const Example& example : examples) write_example(json, example);
  json.end_array();
  json.member("are-all").boolean(are_all);
  json.end_object();
  return json.take() + "\n";
}

std::string comparison_json(const Comparison& comparison, const Definition& first,
                            const Definition& second, const Scope& scope) {
  constexpr std::string_view kinds[] = {"equivalent",   "stronger",  "weaker",
                                        "incomparable", "different", "unknown"};
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-comparison").integer(format_version);
  json.member("first").string(first.name);
  json.member("second").string(second.name);
  write_scope(json, scope);
  json.member("first-is").string(kinds[static_cast<std::size_t>(comparison.kind())]);
  json.member("first-allows").string(name_of(comparison.first_allows));
  json.member("second-allows").string(name_of(comparison.second_allows));
  json.member("only-first");
  write_side(json, comparison.only_first);
  json.member("only-second");
  write_side(json, comparison.only_second);
  json.end_object();
  return json.take() + "\n";
}

std::string recorded_json(std::string_view file, const Definition& level,
                          const RecordedVerdict& verdict) {
  using Kind = Answer;
  constexpr std::string_view answers[] = {"holds", "violated", "unknown"};
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-text-verdict").integer(format_version);
  json.member("file").string(file);
  json.member("level").string(level.name);
  json.member("answer").string(answers[static_cast<std::size_t>(verdict.answer)]);
  if (verdict.answer == Kind::unknown) json.member("reason").string(verdict.reason);
  write_coverage(json, verdict.coverage, verdict.remarks);
  if (verdict.answer == Kind::holds) {
    json.member("witnesses");
    write_execution(json, level, verdict.history, verdict.execution);
  }
  if (verdict.answer == Kind::violated) {
    json.member("demands");
    write_reasons(json, verdict.history, verdict.why);
  }
  json.end_object();
  return json.take() + "\n";
}

std::string lattice_json(const Lattice& lattice, const Scope& scope) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-lattice").integer(format_version);
  write_scope(json, scope);
  json.member("groups").begin_array();
  for (const Lattice::Group& group : lattice.groups) write_group(json, lattice, group);
  json.end_array();
  const auto write_levels = [&](std::string_view name, Extent extent) {
    json.member(name).begin_array();
    for (std::size_t i = 0; i < lattice.levels.size(); ++i)
      if (lattice.extents[i] == extent) json.string(lattice.levels[i]->name);
    json.end_array();
  };
  write_levels("allow-nothing", Extent::nothing);
  write_levels("allow-everything", Extent::everything);
  json.member("is-complete").boolean(lattice.is_complete);
  json.member("undecided").begin_array();
  for (const auto& [first, second] : lattice.undecided) {
    json.begin_array().string(lattice.levels[first]->name);
    json.string(lattice.levels[second]->name).end_array();
  }
  json.end_array().member("covers").begin_array();
  for (const Lattice::Cover& cover : lattice.covers) {
    json.begin_object().member("upper").integer(static_cast<std::int64_t>(cover.upper));
    json.member("lower").integer(static_cast<std::int64_t>(cover.lower));
    json.member("history").integer(static_cast<std::int64_t>(cover.separator)).end_object();
  }
  json.end_array().member("histories").begin_array();
  for (const Lattice::Separator& separator : lattice.separators) {
    json.begin_object().member("litmus").string(litmus_line(separator.example));
    json.member("allowed-by").begin_array();
    for (std::size_t g = 0; g < lattice.groups.size(); ++g) {
      if (separator.allowed[lattice.groups[g][0]]) json.integer(static_cast<std::int64_t>(g));
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::synth
