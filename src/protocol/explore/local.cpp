#include "protocol/explore/local.h"

#include <algorithm>
#include <bit>
#include <map>

namespace isoscope::protocol {

namespace {

/// What an action looks at and changes.
struct Footprint {
  std::map<std::uint32_t, Bits> asks;     ///< the guard's cells: values with which it may hold
  std::map<std::uint32_t, Bits> changes;  ///< the cells it writes: values before and after
  std::vector<std::uint32_t> looks_at;    ///< all cells, sorted
  std::vector<Diagram> formulas;          ///< guard and conditions
  std::vector<std::uint32_t> copies;      ///< cells whose value it passes on
};

Footprint footprint_of(const System& system, const Action& action) {
  Footprint result;
  const DecisionDiagrams& diagrams = system.diagrams();
  const auto look = [&](std::uint32_t cell) { result.looks_at.push_back(cell); };
  result.formulas.push_back(action.guard);
  diagrams.for_each_cell(action.guard, [&](std::uint32_t cell) {
    look(cell);
    if (result.asks.contains(cell)) return;
    Bits& values = result.asks[cell];
    for (Bits left = system.possible()[cell]; left != 0; left &= left - 1) {
      const auto value = static_cast<std::uint8_t>(std::countr_zero(left));
      if (diagrams.can_hold(action.guard, cell, value)) values |= bit(value);
    }
  });
  for (const Assignment& one : action.assignments) {
    result.formulas.push_back(one.condition);
    diagrams.for_each_cell(one.condition, look);
    if (one.source) {
      look(*one.source);
      result.copies.push_back(*one.source);
    }
    const auto asked = result.asks.find(one.cell);
    const Bits before = asked != result.asks.end() ? asked->second : system.possible()[one.cell];
    result.changes[one.cell] |=
        before | (one.source ? system.possible()[*one.source] : bit(one.value));
  }
  std::ranges::sort(result.looks_at);
  const auto again = std::ranges::unique(result.looks_at);
  result.looks_at.erase(again.begin(), again.end());
  return result;
}

bool looks_at(const Footprint& one, std::uint32_t cell) {
  return std::ranges::binary_search(one.looks_at, cell);
}

/// Can `other` see, or write over, what `one` does; or change what `one` looks at?
bool interferes(const DecisionDiagrams& diagrams, const Footprint& other, const Footprint& one) {
  for (const auto& [cell, values] : other.changes) {
    if (looks_at(one, cell) || one.changes.contains(cell)) return true;
  }
  for (const auto& [cell, values] : one.changes) {
    if (!looks_at(other, cell)) continue;
    if (std::ranges::find(other.copies, cell) != other.copies.end()) return true;
    for (const Diagram formula : other.formulas) {
      if (diagrams.tells_apart(formula, cell, values)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<bool> local_actions(const System& system) {
  const std::vector<Action>& actions = system.actions();
  const DecisionDiagrams& diagrams = system.diagrams();
  std::vector<Footprint> footprints;
  for (const Action& action : actions) footprints.push_back(footprint_of(system, action));

  // By cell: the facts that look at it.
  std::vector<std::vector<Diagram>> facts_at(system.cells().size());
  for (const auto* facts :
       {&system.installed(), &system.later(), &system.readers(), &system.views(),
        &system.committed(), &system.reads(), &system.writes(), &system.before(), &system.sees()}) {
    for (const Fact& fact : *facts) {
      diagrams.for_each_cell(fact.diagram, [&](std::uint32_t cell) {
        std::vector<Diagram>& known = facts_at[cell];
        if (known.empty() || known.back() != fact.diagram) known.push_back(fact.diagram);
      });
    }
  }
  for (const Diagram invariant : system.invariants()) {
    diagrams.for_each_cell(invariant, [&](std::uint32_t cell) {
      std::vector<Diagram>& known = facts_at[cell];
      if (known.empty() || known.back() != invariant) known.push_back(invariant);
    });
  }
  const auto is_visible = [&](std::size_t number) {
    if (actions[number].commits) return true;
    for (const auto& [cell, values] : footprints[number].changes) {
      for (const Diagram fact : facts_at[cell]) {
        if (diagrams.tells_apart(fact, cell, values)) return true;
      }
    }
    return false;
  };
  // Commits look at whether they are in time.
  if (system.cells().remembers_time()) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!actions[i].commits) continue;
      for (const std::uint32_t cell : {system.cells().begun(*actions[i].commits),
                                       system.cells().answered(*actions[i].commits)}) {
        footprints[i].copies.push_back(cell);
        footprints[i].looks_at.push_back(cell);
      }
      std::ranges::sort(footprints[i].looks_at);
    }
  }
  std::vector<bool> result(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    bool is_local = !is_visible(i);
    for (std::size_t j = 0; j < actions.size() && is_local; ++j) {
      if (i != j && interferes(diagrams, footprints[j], footprints[i])) {
        is_local = !diagrams.can_both_hold(actions[i].guard, actions[j].guard, system.possible());
      }
    }
    result[i] = is_local;
  }
  return result;
}

}  // namespace isoscope::protocol
