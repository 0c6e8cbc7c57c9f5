#include "protocol/explore/decision_diagrams.h"

#include <utility>

namespace isoscope::protocol {

std::size_t DecisionDiagrams::Hash::operator()(const Test& test) const {
  std::uint64_t hash = test.values * 0x9E3779B97F4A7C15;
  for (const std::uint64_t part : {std::uint64_t{test.cell}, static_cast<std::uint64_t>(test.yes),
                                   static_cast<std::uint64_t>(test.no)}) {
    hash = (hash ^ (hash >> 29) ^ part) * 0xBF58476D1CE4E5B9;
  }
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

Diagram DecisionDiagrams::test(std::uint32_t cell, Bits values, Diagram yes, Diagram no) {
  if (yes == no) return yes;
  const Test test{cell, yes, no, values};
  const auto [known, is_new] = known_.try_emplace(test, static_cast<Diagram>(tests_.size()));
  if (is_new) tests_.push_back(test);
  return known->second;
}

bool DecisionDiagrams::can_hold(Diagram diagram, std::uint32_t cell, std::uint8_t value) const {
  std::vector<Diagram> open = {diagram};
  std::vector<bool> seen(tests_.size(), false);
  while (!open.empty()) {
    const Diagram next = open.back();
    open.pop_back();
    if (next == always) return true;
    if (next == never || seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    const Test& test = tests_[static_cast<std::size_t>(next)];
    const bool passes = (test.values >> value & 1) != 0;
    if (test.cell != cell || passes) open.push_back(test.yes);
    if (test.cell != cell || !passes) open.push_back(test.no);
  }
  return false;
}

bool DecisionDiagrams::can_both_hold(Diagram first, Diagram second,
                                     const std::vector<Bits>& possible) const {
  std::vector<Bits> values = possible;
  int patience = 1000;
  return can_both_hold(first, second, values, patience);
}

// Tries every way through the first formula, then through the second, and keeps the values that are
// left.
bool DecisionDiagrams::can_both_hold(Diagram first, Diagram second, std::vector<Bits>& possible,
                                     int& patience) const {
  if (first == never || second == never) return false;
  if (first == always) {
    if (second == always) return true;
    std::swap(first, second);
  }
  if (--patience < 0) return true;
  const Test& test = tests_[static_cast<std::size_t>(first)];
  Bits& values = possible[test.cell];
  const Bits before = values;
  for (const bool passes : {true, false}) {
    values = before & (passes ? test.values : ~test.values);
    if (values == 0) continue;
    if (can_both_hold(passes ? test.yes : test.no, second, possible, patience)) return true;
  }
  values = before;
  return false;
}

bool DecisionDiagrams::tells_apart(Diagram diagram, std::uint32_t cell, Bits values) const {
  return any_test(diagram, [&](const Test& test) {
    const Bits passing = test.values & values;
    return test.cell == cell && passing != 0 && passing != values;
  });
}

}  // namespace isoscope::protocol
