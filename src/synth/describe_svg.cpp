#include <algorithm>
#include <map>

#include "isoscope/draw/layered_svg.h"
#include "isoscope/history/litmus_text.h"
#include "isoscope/synth/describe.h"
#include "synth/describe_parts.h"

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Structure;
using spec::Witness;

using Pair = std::pair<std::size_t, std::size_t>;

/// What is to be written on the arrow from one transaction to another.
struct Arrow {
  std::vector<std::string> labels;
  bool is_recorded = false;  ///< the history says it, not only an execution
};
using Arrows = std::map<Pair, Arrow>;

constexpr std::string_view session_colours[][2] = {{"#dcebfa", "#5b8dbf"}, {"#e3f3df", "#6aa25c"},
                                                   {"#fbe6cf", "#cf8f45"}, {"#efe2f7", "#9a6cbb"},
                                                   {"#fadfe3", "#c26a78"}, {"#e0f2f1", "#4f9d97"}};

std::vector<Pair> neighbours(const std::vector<std::size_t>& order) {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < order.size(); ++i) pairs.emplace_back(order[i - 1], order[i]);
  return pairs;
}

void add(Arrows& arrows, const std::vector<Pair>& pairs, const std::string& label) {
  for (const Pair& pair : pairs) arrows[pair].labels.push_back(label);
}

void add_recorded(Arrows& arrows, const Structure& history) {
  for (const auto& [from, to] : pairs_of(history, history.so)) {
    const auto between = [&, first = from, last = to](std::size_t t) {
      return history.so.has(first, t) && history.so.has(t, last);
    };
    if (std::ranges::none_of(all_transactions(history), between)) add(arrows, {{from, to}}, "so");
  }
  for (std::size_t x = 0; x < history.keys; ++x) {
    for (std::size_t t = 0; t < history.transactions; ++t) {
      for (std::size_t s = 1; s < history.transactions; ++s) {
        if (history.wr[x].has(t, s)) add(arrows, {{t, s}}, "wr " + history.key_names[x]);
      }
    }
  }
  for (auto& [pair, arrow] : arrows) arrow.is_recorded = true;
}

void add_execution(Arrows& arrows, const Structure& history, const Definition& level,
                   const spec::Execution& execution, const std::string& prefix) {
  for (std::size_t i = 0; i < level.witnesses.size(); ++i) {
    const Witness& witness = level.witnesses[i];
    const std::string name = prefix + witness.name;
    switch (witness.kind) {
      case Witness::Kind::total_order:
        add(arrows, neighbours(in_order(execution[i].matrix, all_transactions(history))), name);
        break;
      case Witness::Kind::relation:
        add(arrows, pairs_of(history, execution[i].matrix), name);
        break;
      case Witness::Kind::version_order:
        for (std::size_t x = 0; x < history.keys; ++x) {
          add(arrows, neighbours(in_order(execution[i].by_key[x], writers_of(history, x))),
              name + " " + history.key_names[x]);
        }
        break;
      case Witness::Kind::transaction_set:
      case Witness::Kind::key_set:
        break;  // no arrows; the note has them
    }
  }
}

}  // namespace

std::string example_svg(const Example& example) {
  const Structure& structure = example.history;
  const History history = recorded(example);
  const Question& question = example.question;
  LayeredDrawing drawing;

  std::vector<std::string> allowing, forbidding;
  Arrows arrows;
  add_recorded(arrows, structure);
  for (std::size_t i = 0; i < question.allow.size(); ++i) {
    const Definition& level = *question.allow[i];
    allowing.push_back(level.name);
    add_execution(arrows, structure, level, example.executions[i],
                  question.allow.size() > 1 ? level.name + " " : "");
    for (std::size_t w = 0; w < level.witnesses.size(); ++w) {
      drawing.notes.push_back(
          level.name + ": " + level.witnesses[w].name + " is " +
          witness_text(level.witnesses[w], structure, example.executions[i][w]));
    }
  }
  for (const Definition* level : question.forbid) forbidding.push_back(level->name);
  drawing.title = (allowing.empty() ? "" : "allowed by " + joined(allowing, ", ")) +
                  (allowing.empty() || forbidding.empty() ? "" : "; ") +
                  (forbidding.empty() ? "" : "forbidden by " + joined(forbidding, ", "));

  // Sessions first, then the two kinds of arrows, then the initial state.
  const std::size_t sessions = history.session_count();
  for (const SessionId session : history.sessions()) {
    const auto& colours = session_colours[session.index() % std::size(session_colours)];
    drawing.styles.push_back({"session " + value_text(history, history.session_name(session)),
                              std::string(colours[0]), std::string(colours[1])});
  }
  drawing.styles.push_back({"recorded: so session order, wr reads from", "#ffffff", "#8794a1"});
  drawing.styles.push_back({"only in the executions", "#fff8d6", "#d8c46a"});
  std::vector<std::size_t> node_of(structure.transactions);
  const bool reads_initial =
      std::ranges::any_of(arrows, [](const auto& arrow) { return arrow.first.first == 0; });
  if (reads_initial) {
    drawing.styles.push_back({"initial state", "#eef0f2", "#8794a1"});
    drawing.nodes.push_back({"init", "the initial value of every key", sessions + 2});
  }
  for (const TransactionId transaction : history.transactions()) {
    node_of[transaction.index() + 1] = drawing.nodes.size();
    drawing.nodes.push_back(
        {transaction_text(history, transaction), "", history.session_of(transaction).index()});
  }
  for (const auto& [pair, arrow] : arrows) {
    const std::size_t label = drawing.nodes.size();
    drawing.nodes.push_back(
        {joined(arrow.labels, ", "), "", sessions + (arrow.is_recorded ? 0 : 1)});
    drawing.edges.push_back({node_of[pair.first], label});
    drawing.edges.push_back({label, node_of[pair.second]});
  }
  return svg_of(drawing);
}

}  // namespace isoscope::synth
